import { isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatSymbol, shortAddress } from '../../format/address.ts'

type Props = {
  tokens: Token[]
  /** Returns the token it resembles. */
  originalOf(token: Token): Token | undefined
  onChoose(token: Token): void
}

export function RecentTokens({ tokens, originalOf, onChoose }: Props) {
  if (tokens.length === 0) return null
  return (
    <ul class="recents" aria-label={t('Recent tokens')}>
      {tokens.map((token) => {
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
      })}
    </ul>
  )
}
