import '../style/lazy/activity.css'
import '../style/lazy/send.css'
import '../style/lazy/outcome.css'
import { useMemo } from 'preact/hooks'
import type { IncomingTransfer } from '../../domain/activity/incoming.ts'
import { isNative } from '../../domain/token/token.ts'
import { spokenLocale, t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Row } from '../components/Row.tsx'
import { formatMoment } from '../format/time.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { activityTitle, statusLabel } from '../messages/activity.ts'
import { TokenSide } from '../tokens/TokenSide.tsx'
import { TokenChain } from '../tokens/tokenLogos.ts'
import { TxHash } from './TransactionSteps.tsx'
import { useEntryTokens } from './useEntryTokens.ts'

/** The sender's address cannot be copied or kept: it may imitate one that the user pays. */
export function IncomingDetails({ transfer }: { transfer: IncomingTransfer }) {
  const { router } = useStores()
  const alone = useMemo(() => [transfer], [transfer])
  const { tokenOf, symbolOf } = useEntryTokens(alone)
  const nameOf = useNames()
  const { account, amount, block, chainId, createdAt, from, hash, token } = transfer
  const network = useNetwork(chainId)
  const sender = from && nameOf(from)
  const own = nameOf(account)
  const note = explain(transfer, sender !== undefined)
  return (
    <Page
      title={t('Received')}
      onBack={router.back}
      foot={
        <button type="button" class="second" onClick={() => router.go('overview')}>
          {t('Close')}
        </button>
      }
    >
      <div class="outcome" data-state="done">
        <span class="seal">
          <Icon name="receive" size={30} />
        </span>
        <p class="outcome-words">
          <strong>{activityTitle(transfer, (address) => symbolOf(chainId, address))}</strong>
          <span class="small">{statusLabel(transfer)}</span>
        </p>
      </div>
      <section class="panel sides sides-apart">
        <TokenChain value={chainId}>
          <TokenSide
            what={t('Received')}
            amount={amount}
            address={token}
            token={tokenOf(chainId, token)}
            isGain
          />
        </TokenChain>
      </section>
      {note && <p class="aside small dim">{note}</p>}
      <dl class="rows panel rows-wrap entry-facts">
        <Row name={block === undefined ? t('First seen') : t('Date')}>{formatMoment(createdAt)}</Row>
        <Row name={t('Network')}>{network?.name ?? String(chainId)}</Row>
        <Row name={t('From')}>
          {from === undefined ? (
            t('Unknown')
          ) : (
            <>
              {sender !== undefined && <span class="entry-name">{sender}</span>}
              <AddressGroups address={from} />
            </>
          )}
        </Row>
        <Row name={t('To')}>
          {own !== undefined && <span class="entry-name">{own}</span>}
          <AddressGroups address={account} />
        </Row>
        {hash !== undefined && (
          <Row name={t('Hash')}>
            <TxHash hash={hash} chainId={chainId} />
          </Row>
        )}
        {block !== undefined && <Row name={t('Block')}>{block.toLocaleString(spokenLocale())}</Row>}
      </dl>
    </Page>
  )
}

/** Undefined for a sender that the user knows. */
function explain({ from, hash, block, token }: IncomingTransfer, isKnown: boolean): string | undefined {
  if (from !== undefined) {
    if (isKnown) return undefined
    return t(
      'Anyone can send to your address. Don’t copy a recipient’s address from here: it may imitate one you know.',
    )
  }
  if (hash === undefined && block !== undefined && isNative(token))
    return t('A contract paid this out, so the block names no sender.')
  return t('Your RPC shows a higher balance, but not the transaction.')
}
