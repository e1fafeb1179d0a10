import type { ErrorCode, ErrorDetails } from '../../errors.ts'
import type { RouteOptions } from '../swap/routeOptions.ts'
import type { Address } from '../token/token.ts'
import type { Network, NotificationSettings, SettingsChanges } from './network.ts'
import type { NetworkFormValues } from './networkTexts.ts'

/**
 * Work of the worker that needs a permission of the browser first. It is plain data: the browser's question may close the view that
 * asked it.
 */
export type PermittedChange =
  /** Edits alone: they are applied to the network as it is by then. `isChecked`: its new RPCs are asked for their chain. */
  | { kind: 'edit-network'; chainId: number; edits: Partial<NetworkFormValues>; isChecked: boolean }
  | { kind: 'set-route-options'; chainId: number; options: RouteOptions }
  /** Back to the network as the wallet ships it. */
  | { kind: 'reset-network'; chainId: number }
  | { kind: 'add-network'; network: Network }
  /** Asks an RPC which chain it serves, for a network that is about to be added. Saves nothing. */
  | { kind: 'find-chain'; rpcUrl: string }
  | { kind: 'set-notices'; notices: NotificationSettings }
  /** `before` are the networks that `changes` replace, as they were shown to the user. */
  | { kind: 'import'; changes: SettingsChanges; before: Network[]; favourites: Favourites }

/** Tokens to mark, by network. */
export type Favourites = { chainId: number; tokens: Address[] }[]

/** A change with the URLs that the browser is asked for. `id` is unique. */
export type WaitingChange = { id: string; urls: string[]; change: PermittedChange }

export type ChangeOutcome =
  /** `chainId`: the answer of `find-chain`. */
  | { isDone: true; chainId?: number }
  | { isDone: false; code: ErrorCode; message: string; facts: ErrorDetails }

/** A change that no view has heard the end of. Without an outcome it is under way, or the browser has not given its permission. */
export type UnreadChange = WaitingChange & { isPermitted: boolean; outcome?: ChangeOutcome }

/** Returns the URLs that a network names. */
export function networkUrls({ serviceUrl, rpcUrl, spareRpcUrl = '' }: Network): string[] {
  return [serviceUrl, rpcUrl, spareRpcUrl]
}

/** Returns the match pattern of a URL's host, which is the unit of the browser's permissions. */
export function hostPattern(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}/*`
}
