import type { ErrorCode, ErrorDetails } from '../../errors.ts'
import type { RouteOptions } from '../swap/routeOptions.ts'
import type { Address } from '../token/token.ts'
import type { Network, NotificationSettings, SettingsChanges } from './network.ts'
import type { NetworkFormValues } from './networkTexts.ts'

/** Worker task that needs a browser permission. Plain data, since the prompt may close the view. */
export type PermittedChange =
  | EditNetwork
  | { kind: 'set-route-options'; chainId: number; options: RouteOptions }
  | { kind: 'reset-network'; chainId: number }
  | { kind: 'add-network'; network: Network }
  /** Asks for the chain id. Saves nothing. */
  | { kind: 'find-chain'; rpcUrl: string }
  | { kind: 'set-notices'; notices: NotificationSettings }
  /** `before`: networks to replace, as shown. */
  | { kind: 'import'; changes: SettingsChanges; before: Network[]; favourites: Favourites }

/**
 * Applied to the network as it is by then. `isChecked`: new RPCs are asked for their chain id. `isChosen`: it
 * becomes the current network.
 */
type EditNetwork = {
  kind: 'edit-network'
  chainId: number
  edits: Partial<NetworkFormValues>
  isChecked: boolean
  isChosen?: true
}

export type Favourites = { chainId: number; tokens: Address[] }[]

/** `urls` need a permission; `id` is unique. */
export type WaitingChange = { id: string; urls: string[]; change: PermittedChange }

export type ChangeOutcome =
  | { isDone: true; chainId?: number }
  | { isDone: false; code: ErrorCode; message: string; facts: ErrorDetails }

/** Outcome not read by a view yet. Without one it is running or awaits permission. */
export type UnreadChange = WaitingChange & { isPermitted: boolean; outcome?: ChangeOutcome }

export function networkUrls({ serviceUrl, rpcUrl, spareRpcUrl = '' }: Network): string[] {
  return [serviceUrl, rpcUrl, spareRpcUrl]
}

/** Returns the match pattern of a host, the unit of browser permissions. */
export function hostPattern(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}/*`
}
