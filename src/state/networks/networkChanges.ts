import type { Network } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues } from '../../domain/network/networkTexts.ts'
import { networkUrls } from '../../domain/network/permittedChange.ts'
import type { RouteOptions } from '../../domain/swap/routeOptions.ts'
import { WalletError } from '../../errors.ts'
import type { createSettings } from '../settings.ts'
import { defaultNetwork } from './networkForm.ts'

// How a network comes into the settings and is changed there: the browser is asked for its hosts, then the worker asks its RPCs and
// saves it (background/permittedChanges.ts). All must be called while handling a click, as `settings.permit`.

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'permit' | 'save'>

/**
 * `isChecked`: an RPC that is new is asked for its chain, and nothing is saved where that is another one. `isPermitted`: the hosts are
 * permitted already. Throws `unknown-chain` for a network that another window removed.
 */
export async function changeNetwork(
  settings: SettingsStore,
  chainId: number,
  edits: Partial<NetworkFormValues>,
  { isChecked, isPermitted = false }: { isChecked: boolean; isPermitted?: boolean },
): Promise<void> {
  const after = editNetwork(known(settings, chainId), edits)
  await settings.permit({ kind: 'edit-network', chainId, edits, isChecked }, networkUrls(after), {
    isPermitted,
  })
}

export async function setRouteOptions(
  settings: SettingsStore,
  chainId: number,
  options: RouteOptions,
): Promise<void> {
  await settings.permit(
    { kind: 'set-route-options', chainId, options },
    networkUrls(known(settings, chainId)),
  )
}

/** Throws `invalid-input` where another window added the chain meanwhile. */
export async function addNetwork(settings: SettingsStore, network: Network): Promise<void> {
  await settings.permit({ kind: 'add-network', network }, networkUrls(network))
}

/** Returns the chain that the RPC of a network to be serves. */
export async function findChain(settings: SettingsStore, rpcUrl: string): Promise<number | undefined> {
  return settings.permit({ kind: 'find-chain', rpcUrl }, [rpcUrl])
}

/** Gives a network back what it came with, or takes one away that is the user's own. */
export async function resetNetwork(settings: SettingsStore, chainId: number): Promise<void> {
  const given = defaultNetwork(chainId)
  if (given === undefined) await settings.save({ removed: [chainId] })
  else await settings.permit({ kind: 'reset-network', chainId }, networkUrls(given))
}

function known(settings: SettingsStore, chainId: number): Network {
  const found = settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  if (found === undefined) throw new WalletError('unknown-chain', `There is no network ${chainId} any more.`)
  return found
}

/** Those of them that `errors` are about: the service's own errors say so, all others are of a node. */
export function hostsInTrouble(network: Network, errors: WalletError[]): string[] {
  const [service = '', ...nodes] = networkUrls(network)
  const isOfService = ({ code }: WalletError) => code.startsWith('service-')
  return [...(errors.some(isOfService) ? [service] : []), ...(errors.every(isOfService) ? [] : nodes)]
}
