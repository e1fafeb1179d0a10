import type { BalanceChange } from '../../../../domain/activity/simulation.ts'
import { t } from '../../../../i18n/translate.ts'
import { TokenIcon } from '../../../components/TokenIcon.tsx'
import { formatSymbol } from '../../../format/address.ts'
import { formatInteger, formatWithSymbol } from '../../../format/numbers.ts'
import { NftName } from '../../../tokens/NftName.tsx'
import { TokenOrigin } from '../../../tokens/TokenOrigin.tsx'

/** Lists outgoing changes first. */
export function BalanceChanges({ changes }: { changes: BalanceChange[] }) {
  if (changes.length === 0) return <p class="panel said dim">{t('No balance changes')}</p>
  const sorted = [...changes].sort((one, other) => Number(one.amount > 0n) - Number(other.amount > 0n))
  return (
    <ul class="panel sides sides-apart" aria-label={t('Balance changes')}>
      {sorted.map((change) => (
        <li key={`${change.token.address} ${change.nft}`} class="side">
          <TokenIcon token={change.token} size={36} />
          <span class="side-words">
            <strong class={change.amount > 0n ? 'num side-amount side-floor' : 'num side-amount'}>
              <ChangedBy {...change} />
            </strong>
            <TokenOrigin address={change.token.address} token={change.token} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ChangedBy({ token, amount, nft, isDrawn }: BalanceChange) {
  const sign = amount < 0n ? '−' : '+'
  const size = amount < 0n ? -amount : amount
  const symbol = formatSymbol(token)
  if (nft !== undefined) {
    return (
      <span>
        {sign}
        {size !== 1n && `${size} × `}
        {isDrawn ? t('{symbol} (random token ID)', { symbol }) : <NftName token={token} nft={nft} />}
      </span>
    )
  }
  const exact = formatInteger(size, token.decimals)
  return (
    <span title={`${sign}${exact} ${symbol}`}>
      {sign}
      {/* Rounding must not understate outgoing amounts. */}
      {formatWithSymbol(size, token, amount < 0n)}
    </span>
  )
}
