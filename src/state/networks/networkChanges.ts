import type { Network } from '../../domain/network/network.ts'
import type { createSettings } from '../settings.ts'
import { givenNetwork } from './setUp.ts'

// How a network comes into the settings and is changed there: first the browser is asked for its hosts, then its nodes, then it is saved.
// All must be called while handling a click, as `settings.allow`, and save nothing when the browser or `check` refuses.

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'allow' | 'save'>
/** Throws for a network that is not to be saved. It may ask the hosts, which are allowed by then. */
type Check = (after: Network, before?: Network) => Promise<void>

/** `edit` is done once more to what the network has become while the browser asked the user. */
export async function changeNetwork(
  settings: SettingsStore,
  chainId: number,
  edit: (network: Network) => Network,
  check: Check = async () => undefined,
): Promise<void> {
  const known = () => settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  const before = known()
  if (before === undefined) return
  await settings.allow(hostsOf(edit(before)))
  await check(edit(before), before)
  const now = known()
  if (now !== undefined) await settings.save({ networks: [edit(now)] })
}

/** Throws `invalid-input` where another window added the chain meanwhile. */
export async function addNetwork(settings: SettingsStore, network: Network, check: Check): Promise<void> {
  await settings.allow(hostsOf(network))
  await check(network)
  await settings.save({ added: [network] })
}

/** Gives a network back what it came with, or takes one away that is the user's own. */
export async function resetNetwork(settings: SettingsStore, chainId: number): Promise<void> {
  const given = givenNetwork(chainId)
  if (given === undefined) await settings.save({ removed: [chainId] })
  else await changeNetwork(settings, chainId, () => given)
}

/** Whom a network names to be asked. */
export function hostsOf({ serviceUrl, rpcUrl, spareRpcUrl = '' }: Network): string[] {
  return [serviceUrl, rpcUrl, spareRpcUrl]
}
