import '../style/lazy/networks.css'
import { publicChains } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { searchNetworks } from '../../state/networks/networkList.ts'
import { isReachable } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { SearchField, useSearch } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Stepper, type StepperProps } from '../components/Stepper.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { NetworkLogo } from '../networks/NetworkLogo.tsx'

type Props = {
  networks: Network[]
  step: StepperProps | undefined
  onBack: (() => void) | undefined
  onChoose(network: Network): Promise<void>
} & ({ onLater(): void; onAddManually?: undefined } | { onLater?: undefined; onAddManually(): void })

/** Lists the public chains in order of use, then the others. */
export function ChooseNetwork({ networks, step, onBack, onChoose, onLater, onAddManually }: Props) {
  const search = useSearch(networks.length)
  const found = searchNetworks(inOrderOfUse(networks), search.text)
  const choose = useMutation(onChoose)
  return (
    <Page
      title={onLater ? t('Where do you want to swap?') : t('Add a network')}
      onBack={onBack}
      foot={
        <div class="stack">
          {choose.error && <ErrorMessage error={choose.error} />}
          <button type="button" class="second" disabled={choose.isRunning} onClick={onLater ?? onAddManually}>
            {onLater ? t('Set up later') : t('Add manually')}
          </button>
        </div>
      }
    >
      {step && <Stepper {...step} />}
      {onLater && (
        <p class="dim">{t('Choose the network your tokens are on. You can add others at any time.')}</p>
      )}
      {search.isNeeded && (
        <SearchField
          label={t('Search by name, symbol or chain ID')}
          placeholder={t('Name, symbol or chain ID')}
          {...search}
          onEnter={() => search.text.trim() !== '' && found[0] && choose.run(found[0])}
        />
      )}
      {found.length === 0 && <p class="nothing">{t('No networks found')}</p>}
      {found.length > 0 && (
        <ul class="panel group">
          {found.map((network) => (
            <li key={network.chainId}>
              <button
                type="button"
                class="list-row place-row"
                disabled={choose.isRunning}
                onClick={() => choose.run(network)}
              >
                <NetworkLogo network={network} />
                <span class="grow place-name">{network.name}</span>
                {isReachable(network) ? (
                  <span class="small network-ready">{t('Ready')}</span>
                ) : (
                  <span class="dim small">{network.coin.symbol}</span>
                )}
                <Icon name="next" size={18} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

/** Records of older versions have another order. */
function inOrderOfUse(networks: Network[]): Network[] {
  const rank = ({ chainId }: Network) => {
    const at = publicChains.findIndex((chain) => chain.chainId === chainId)
    return at === -1 ? publicChains.length : at
  }
  return networks.toSorted((one, other) => rank(one) - rank(other))
}
