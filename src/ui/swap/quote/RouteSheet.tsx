import type { Network } from '../../../domain/network/network.ts'
import { t } from '../../../i18n/translate.ts'
import { Sheet } from '../../components/Sheet.tsx'
import { OptionChips } from '../OptionChips.tsx'
import { RouteContent } from './RouteContent.tsx'

export function RouteSheet({ network, onClose }: { network: Network; onClose(): void }) {
  return (
    <Sheet title={t('Route')} onClose={onClose}>
      <RouteContent
        network={network}
        beside={(newest) => <OptionChips network={network} focused={newest} />}
      />
    </Sheet>
  )
}
