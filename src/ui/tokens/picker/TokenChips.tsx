import { type Address, isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatSymbol, shortAddress } from '../../format/address.ts'

type Props = {
  recents: Address[]
  popular: Iterable<Address>
  tokens: Token[]
  /** Returns the token it resembles. */
  originalOf(token: Token): Token | undefined
  onChoose(token: Token): void
}

/** Popular tokens fill up the recent ones, about two lines. */
const shown = 7

export function TokenChips({ recents, popular, tokens, originalOf, onChoose }: Props) {
  const byAddress = new Map(tokens.map((token) => [token.address, token]))
  const recent = recents.flatMap((address) => byAddress.get(address) ?? [])
  const known = [...popular]
    .filter((address) => !recents.includes(address))
    .flatMap((address) => byAddress.get(address) ?? [])
    .slice(0, Math.max(0, shown - recent.length))
  if (recent.length + known.length === 0) return null
  const chip = (token: Token) => {
    const original = originalOf(token)
    return (
      <li key={token.address}>
        <button
          type="button"
          class="chip recent"
          title={isNative(token.address) ? undefined : shortAddress(token.address)}
          onClick={() => onChoose(token)}
        >
          <TokenIcon token={token} size={18} />
          <bdi>{formatSymbol(token)}</bdi>
          {original && (
            <span class="recent-doubt">
              <Icon name="warn" size={15} />
              <span class="unseen">{t('looks like {symbol}', { symbol: formatSymbol(original) })}</span>
            </span>
          )}
        </button>
      </li>
    )
  }
  return (
    <div class="recents">
      {recent.length > 0 && <ul aria-label={t('Recent tokens')}>{recent.map(chip)}</ul>}
      {known.length > 0 && <ul aria-label={t('Popular tokens')}>{known.map(chip)}</ul>}
    </div>
  )
}
