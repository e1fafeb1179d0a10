import { findLookalike } from '../../domain/token/lookalike.ts'
import { t, tx } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Row } from '../components/Row.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { formatSymbol, showInvisible } from '../format/address.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { Request, type ScreenProps } from './Request.tsx'

/** Shows a token whose metadata comes from its contract alone. */
export function WatchAssetRequest({ approval, ask: { token } }: ScreenProps<'watch-asset'>) {
  const { approvals } = useStores()
  const { chainId } = approval
  const network = useNetwork(chainId)
  const list = useTokenList(chainId)
  const original = findLookalike(token, list, network ?? { chainId })
  return (
    <Request
      approval={approval}
      question={t('Add token {symbol}?', { symbol: formatSymbol(token) })}
      warnings={
        (original !== undefined || !token.listed) && (
          <Warning>
            {original
              ? tx('Looks like {symbol}, but it’s a different contract. Listed contract: {address}', {
                  symbol: formatSymbol(original),
                  address: <AddressGroups address={original.address} />,
                })
              : t(
                  'Not on Sluice’s token list. Anyone can create a token with any name. Only trade it if you trust its address.',
                )}
          </Warning>
        )
      }
      content={original}
      accept={{
        label: t('Add token'),
        danger: original !== undefined,
        run: () => approvals.approve(approval.id, { kind: 'watch-asset' }),
      }}
    >
      <section class="panel asset">
        <div class="side">
          <TokenIcon token={token} size={36} />
          <span class="side-words">
            <span class="token-line">
              <strong>{formatSymbol(token)}</strong>
              {!token.listed && <span class="tag">{t('unlisted')}</span>}
            </span>
            <span class="dim small">{showInvisible(token.name)}</span>
          </span>
        </div>
        <CopyButton text={token.address} label={t('Copy token address')}>
          <AddressGroups address={token.address} />
        </CopyButton>
      </section>
      <dl class="rows panel">
        <Row name={t('Decimals')}>{token.decimals}</Row>
        <Row name={t('Network')}>{network?.name ?? t('Chain ID {chainId}', { chainId })}</Row>
      </dl>
    </Request>
  )
}
