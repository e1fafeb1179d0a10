import type { ComponentChildren } from 'preact'
import { isNative, noDecimals, type Token } from '../../../domain/token/token.ts'
import { plural, t, tx } from '../../../i18n/translate.ts'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatSymbol, showInvisible } from '../../format/address.ts'

type Props = {
  token: Token
  /** Token it resembles. */
  original: Token | undefined
  isBusy?: boolean
  onUse(token: Token): void
  children?: ComponentChildren
}

/** Confirms the use of an unlisted or lookalike token. */
export function TokenWarning({ token, original, isBusy = false, onUse, children }: Props) {
  return (
    <section class="doubt" aria-label={formatSymbol(token)}>
      <div class="panel asset">
        <div class="side">
          <TokenIcon token={token} size={36} />
          <span class="token-words">
            <span class="token-line">
              <bdi>
                <strong>{formatSymbol(token)}</strong>
              </bdi>
              {!token.listed && <span class="tag">{t('unlisted')}</span>}
              {token.taxed && <span class="tag">{t('transfer fee')}</span>}
            </span>
            <span class="token-line dim small">
              <bdi class="token-name">{showInvisible(token.name)}</bdi>
              <span class="num">{plural(token.decimals, '{count} decimal', '{count} decimals')}</span>
            </span>
          </span>
        </div>
        <span class="doubt-address">
          <AddressGroups address={token.address} />
          <CopyButton text={token.address} label={t('Copy token address')} />
        </span>
      </div>
      <Warning>
        {original
          ? toWarning(original)
          : t(
              'Not on Sluice’s token list. Anyone can create a token with any name. Only trade it if you trust its address.',
            )}
      </Warning>
      {token.tags.includes(noDecimals) && (
        <Warning>
          {t('This token’s contract doesn’t specify decimals. Amounts are shown in its smallest unit.')}
        </Warning>
      )}
      {original && (
        <button type="button" class="main" disabled={isBusy} onClick={() => onUse(original)}>
          {isNative(original.address)
            ? t('Use native {symbol}', { symbol: formatSymbol(original) })
            : t('Use listed {symbol}', { symbol: formatSymbol(original) })}
        </button>
      )}
      <button
        type="button"
        class={original ? 'second' : 'main'}
        disabled={isBusy}
        onClick={() => onUse(token)}
      >
        {original ? t('Use this token anyway') : t('Use this token')}
      </button>
      {children}
    </section>
  )
}

function toWarning(original: Token): ComponentChildren {
  const symbol = formatSymbol(original)
  if (isNative(original.address)) {
    return t(
      'Looks like {symbol}, this network’s native token, but it’s a separate contract. Anyone can create one.',
      {
        symbol,
      },
    )
  }
  return tx('Looks like {symbol}, but it’s a different contract. Listed contract: {address}', {
    symbol,
    address: <AddressGroups address={original.address} />,
  })
}
