import type { Network } from '../../domain/network/network.ts'
import { WalletError } from '../../errors.ts'
import type { createSettings } from '../settings.ts'
import { givenNetwork } from './setUp.ts'

// How a network comes into the settings and is changed there: first the browser is asked for its hosts, then its nodes, then it is saved.
// All must be called while handling a click, as `settings.allow`, and save nothing when the browser or `check` refuses.

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'allow' | 'save'>
/** Throws for a network that is not to be saved. It may ask the hosts, which are allowed by then. */
type Check = (after: Network, before?: Network) => Promise<void>

/**
 * `edit` is done once more to what the network has become while the browser asked the user. Throws `unknown-chain` for one that another
 * window removed.
 */
export async function changeNetwork(
  settings: SettingsStore,
  chainId: number,
  edit: (network: Network) => Network,
  check: Check = async () => undefined,
): Promise<void> {
  const known = () => {
    const found = settings.getState().settings?.networks.find((one) => one.chainId === chainId)
    if (found === undefined)
      throw new WalletError('unknown-chain', `There is no network ${chainId} any more.`)
    return found
  }
  const before = known()
  await settings.allow(hostsOf(edit(before)))
  await check(edit(before), before)
  await settings.save({ networks: [edit(known())] })
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

/** Those of them that `errors` are about: the service's own errors say so, all others are of a node. */
export function hostsInTrouble(network: Network, errors: WalletError[]): string[] {
  const [service = '', ...nodes] = hostsOf(network)
  const isOfService = ({ code }: WalletError) => code.startsWith('service-')
  return [...(errors.some(isOfService) ? [service] : []), ...(errors.every(isOfService) ? [] : nodes)]
}
