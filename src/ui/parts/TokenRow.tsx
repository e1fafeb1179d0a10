import type { Token } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { formatSymbol, shortAddress, visible } from '../format.ts'
import { formatAmount, formatWhole } from '../numbers.ts'
import { TokenIcon } from './TokenIcon.tsx'

type Props = {
  id: string
  token: Token
  balance: bigint | undefined
  top: number
  position: number
  count: number
  isActive: boolean
  isChosen: boolean
  onChoose(token: Token): void
}

/** One token of the picker. Its address always stands beside its name: names can be anybody's. */
export function TokenRow({ id, token, balance, top, position, count, isActive, isChosen, onChoose }: Props) {
  const isHeld = balance !== undefined && balance > 0n
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the search field, which keeps the focus
    <div
      id={id}
      class="token-row"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-setsize={count}
      aria-posinset={position}
      data-chosen={isChosen}
      style={{ insetBlockStart: `${top}px` }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(token)}
    >
      <TokenIcon token={token} size={34} />
      <span class="token-words">
        <span class="token-line">
          <strong>{formatSymbol(token)}</strong>
          {!token.listed && <span class="tag">{t('unlisted')}</span>}
          {token.taxed && <span class="tag">{t('taxed')}</span>}
        </span>
        <span class="token-line dim small">
          <span class="token-name">{visible(token.name)}</span>
          {!token.tags.includes('native') && <span class="num">{shortAddress(token.address)}</span>}
        </span>
      </span>
      {isHeld && (
        <span class="num" title={formatWhole(balance, token.decimals)}>
          {formatAmount(balance, token.decimals)}
        </span>
      )}
    </div>
  )
}
