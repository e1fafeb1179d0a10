import '../style/lazy/receive.css'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { ReceiveCard } from '../send/ReceiveCard.tsx'
import { ReceiveNetworks } from '../send/ReceiveNetworks.tsx'

/** Shown instead of the tokens of an account that has none. */
export function AddFunds({ account, network }: { account: OwnAccount; network: Network }) {
  return (
    <section class="add-funds" aria-labelledby="add-funds">
      <h2 class="part" id="add-funds">
        {t('Add funds')}
      </h2>
      <ReceiveCard account={account} isCompact>
        <ReceiveNetworks network={network} />
      </ReceiveCard>
    </section>
  )
}
