import type { Network } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues } from '../../domain/network/networkTexts.ts'
import { networkUrls } from '../../domain/network/permittedChange.ts'
import type { RouteOptions } from '../../domain/swap/routeOptions.ts'
import { WalletError } from '../../errors.ts'
import { type createSettings, currentNetwork, isReachable } from '../settings.ts'
import { defaultNetwork } from './networkForm.ts'

// All must run inside a click handler, as `settings.permit`; the worker applies the changes
// (background/permittedChanges.ts).

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'permit' | 'save'>

type How = { isChecked: boolean; isChosen?: true; isPermitted?: boolean }

/**
 * Throws `unknown-chain` when another window removed the network. `isChecked` rejects a new RPC of another
 * chain; `isChosen` makes it the current network.
 */
export async function changeNetwork(
  settings: SettingsStore,
  chainId: number,
  edits: Partial<NetworkFormValues>,
  { isPermitted = false, ...how }: How,
): Promise<void> {
  const after = editNetwork(known(settings, chainId), edits)
  await settings.permit({ kind: 'edit-network', chainId, edits, ...how }, networkUrls(after), { isPermitted })
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

/** Throws `invalid-input` when the chain exists already. */
export async function addNetwork(settings: SettingsStore, network: Network): Promise<void> {
  await settings.permit({ kind: 'add-network', network }, networkUrls(network))
}

/** Returns the chain an RPC serves. */
export async function findChain(settings: SettingsStore, rpcUrl: string): Promise<number | undefined> {
  return settings.permit({ kind: 'find-chain', rpcUrl }, [rpcUrl])
}

/** True if saving `edits` gives the wallet its first RPC: the network then becomes the current one. */
export function isFirstReachable(
  settings: Pick<SettingsStore, 'getState'>,
  network: Network,
  edits: Partial<NetworkFormValues>,
): boolean {
  const current = currentNetwork(settings.getState())
  return current !== undefined && !isReachable(current) && isReachable(editNetwork(network, edits))
}

/** Restores the defaults, or removes a custom network. */
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

/** Returns the hosts that `errors` concern. */
export function hostsInTrouble(network: Network, errors: WalletError[]): string[] {
  const [service = '', ...nodes] = networkUrls(network)
  const isOfService = ({ code }: WalletError) => code.startsWith('service-')
  return [...(errors.some(isOfService) ? [service] : []), ...(errors.every(isOfService) ? [] : nodes)]
}
