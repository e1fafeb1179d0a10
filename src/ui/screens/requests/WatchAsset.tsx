import { useEffect } from 'preact/hooks'
import { lookalikeOf } from '../../../domain/lookalike.ts'
import type { Token } from '../../../domain/token.ts'
import { t, tx } from '../../../language/translate.ts'
import { isReady } from '../../../state/settings.ts'
import { formatSymbol, visible } from '../../format.ts'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { Note } from '../../parts/Note.tsx'
import { Request, type ScreenProps } from '../../parts/Request.tsx'
import { Row } from '../../parts/Row.tsx'
import { TokenIcon } from '../../parts/TokenIcon.tsx'
import { useNetwork } from '../../parts/usePair.ts'
import { use, useStores } from '../../use.ts'

/** A site would like a token to be among the user's. All that is said of it comes from its own contract. */
export function WatchAsset({ approval, ask: { token } }: ScreenProps<'watch-asset'>) {
  const { approvals, tokens } = useStores()
  const { chainId } = approval
  const network = useNetwork(chainId)
  const list = use(tokens, (state) => (state.chainId === chainId ? state.tokens : none))
  // The list of that network, to know what this one may be mistaken for.
  useEffect(() => {
    if (network !== undefined && isReady(network)) tokens.open(network)
  }, [tokens, network])
  const original = lookalikeOf(token, list)
  return (
    <Request
      approval={approval}
      title={t('Add a token')}
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
            <span class="dim small">{visible(token.name)}</span>
          </span>
        </div>
        <CopyButton text={token.address} label={t('Copy the token’s address')}>
          <span class="num asset-address">{token.address}</span>
        </CopyButton>
      </section>
      <dl class="rows panel">
        <Row name={t('Decimals')}>{token.decimals}</Row>
        <Row name={t('Network')}>{network?.name ?? t('Chain {chainId}', { chainId })}</Row>
      </dl>
      {(original !== undefined || !token.listed) && (
        <Note>
          {original
            ? tx('Looks like {symbol}, which is listed at {address}. This is another contract.', {
                symbol: formatSymbol(original),
                address: <span class="num asset-address">{original.address}</span>,
              })
            : t(
                'Not in the service’s list. Anybody can make a token with any name: trade it only if you trust its address.',
              )}
        </Note>
      )}
    </Request>
  )
}

const none: Token[] = []
