import type { LanguageChoice, Theme } from './display.ts'
import type { RouteOptions } from './options.ts'
import type { Address } from './token.ts'

/** A chain as the user set it up: whom to ask for quotes, which node to read and send through. */
export type Network = {
  chainId: number
  name: string
  coin: { symbol: string; name: string }
  /** The aggregation service's base URL: operations live under `{serviceUrl}/v{serviceVersion}/{chainId}/`. */
  serviceUrl: string
  /** Of the interface that the service speaks; 6.1 unless given. */
  serviceVersion?: '6.1' | '3.0'
  /** Sent as a bearer token when set. */
  serviceKey?: string
  rpcUrl: string
  /** When set, the only contract that swaps may go through and that tokens are approved for, whatever the service says. */
  router?: Address
  /** The coin as a token (WETH9): wrapping and unwrapping needs nobody else. */
  wrapped?: Address
  /** Transactions also pay for being written to L1, by the stack's own oracle. */
  rollup?: 'op'
  /** How the service shall find routes here. */
  options?: RouteOptions
  /** Transactions end here with their hash appended, when the chain has an explorer. */
  explorerUrl?: string
  /** Only the local world has one: gives test funds to an address. */
  faucetUrl?: string
  /** The pair a fresh form opens with is the coin and this token, when known. */
  stable?: Address
  /** Blocks on top of a receipt after which it counts as final. */
  confirmations: number
  /** How often a quote is renewed while somebody looks at it. */
  quoteEveryMs: number
}

/** Names a network's service: what one said, another address or interface version did not. */
export function serviceOf({
  chainId,
  serviceUrl,
  serviceVersion = '6.1',
}: Pick<Network, 'chainId' | 'serviceUrl' | 'serviceVersion'>): string {
  return `${chainId} ${serviceVersion} ${serviceUrl}`
}

/** What the user may change, kept by the worker. */
export type Settings = {
  chainId: number
  networks: Network[]
  /** Absent: what fits the pair (`autoSlippage`). */
  slippageBps?: number
  autoLockMinutes: number
  /** The account that the popup acts for; the first one while absent. */
  account?: Address
  /** Pages may ask for swaps (`wallet_swap`). */
  pageSwaps: boolean
  /** Pages find the wallet as `window.ethereum` too, not only by EIP-6963. */
  defaultWallet: boolean
  /** Only the router's general entry point is signed, which names everything that matters. Otherwise short ones too, when the node simulates them. */
  strictCalldata: boolean
  /** The service is asked for access lists (EIP-2930). They are kept where they make a swap cheaper. */
  accessLists: boolean
  language: LanguageChoice
  theme: Theme
}

/** What of the settings shall be another. `networks` are those that change, or are new, alone. A slippage of `null` is none again. */
export type SettingsChanges = Omit<Partial<Settings>, 'slippageBps'> & { slippageBps?: number | null }

export function changeSettings(
  { slippageBps: oldBps, ...before }: Settings,
  { networks = [], slippageBps = oldBps ?? null, ...changes }: SettingsChanges,
): Settings {
  const changed = before.networks.map((old) => networks.find(({ chainId }) => chainId === old.chainId) ?? old)
  const added = networks.filter(({ chainId }) => before.networks.every((old) => old.chainId !== chainId))
  return {
    ...before,
    ...changes,
    ...(slippageBps !== null && { slippageBps }),
    networks: [...changed, ...added],
  }
}
