import { useContext } from 'preact/hooks'
import { isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatSymbol, shortAddress, showInvisible } from '../../format/address.ts'
import { formatCompact, formatInteger } from '../../format/numbers.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import { TokenChainContext, useTokenLogo } from '../tokenLogos.ts'

type Props = {
  id: string
  token: Token
  balance: bigint | undefined
  /** Token it resembles. */
  original: Token | undefined
  top: number
  position: number
  count: number
  isActive: boolean
  isChosen: boolean
  isMarked: boolean
  /** True for an imported token. */
  canForget: boolean
  onDo(does: RowAct, token: Token): void
}

export type RowAct = 'choose' | 'mark' | 'forget'

/** Shows the address, since names are untrusted; a bundled logo stands for it beside a value. */
export function TokenRow({ id, token, balance, original, top, position, count, ...is }: Props) {
  const isHeld = balance !== undefined && balance > 0n
  const value = useValue(isHeld ? token : undefined, balance)
  const logo = useTokenLogo(useContext(TokenChainContext), token.address)
  const isVouched = value !== undefined && typeof logo === 'object'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focused search field handles the keys
    <div
      id={id}
      class="token-row"
      role="option"
      tabIndex={-1}
      aria-selected={is.isActive}
      aria-setsize={count}
      aria-posinset={position}
      style={{ insetBlockStart: `${top}px` }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => is.onDo(actAt(event.target), token)}
    >
      <TokenIcon token={token} size={34} />
      <span class="token-words">
        <span class="token-line">
          <bdi>
            <strong>{formatSymbol(token)}</strong>
          </bdi>
          {is.isChosen && (
            <span class="token-chosen">
              <Icon name="check" size={15} />
              <span class="unseen">{t('selected')}</span>
            </span>
          )}
          {original && (
            <span class="tag tag-bad">{t('looks like {symbol}', { symbol: formatSymbol(original) })}</span>
          )}
          {!original && !token.listed && <span class="tag">{t('unlisted')}</span>}
          {token.taxed && <span class="tag">{t('transfer fee')}</span>}
        </span>
        <span class="token-line dim small">
          <bdi class="token-name">{showInvisible(token.name)}</bdi>
          {!isNative(token.address) && !isVouched && (
            <span class="num" title={token.address}>
              {shortAddress(token.address)}
            </span>
          )}
        </span>
      </span>
      {isHeld && (
        <span class="token-held">
          {value && <span class="num">{value.text}</span>}
          <span class={value ? 'num dim small' : 'num'} title={formatInteger(balance, token.decimals)}>
            {formatCompact(balance, token.decimals)}
          </span>
        </span>
      )}
      {is.canForget && (
        <span class="token-act" data-does="forget" title={t('Remove token (Shift + Delete)')}>
          <Icon name="close" size={16} />
        </span>
      )}
      <span
        class="token-act"
        data-does="mark"
        data-on={is.isMarked}
        title={is.isMarked ? t('Remove from favorites (*)') : t('Add to favorites (*)')}
      >
        <Icon name="star" size={18} />
        {is.isMarked && <span class="unseen">{t('favorite')}</span>}
      </span>
    </div>
  )
}

/** Options cannot contain buttons. */
function actAt(target: EventTarget | null): RowAct {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-does]') : null
  const does = place?.dataset.does
  return does === 'mark' || does === 'forget' ? does : 'choose'
}
