import type { Address } from './token.ts'

/** A chain as the user set it up: whom to ask for quotes, which node to read and send through. */
export type Network = {
  chainId: number
  name: string
  coin: { symbol: string; name: string }
  /** The aggregation service's base URL: operations live under `{serviceUrl}/v6.1/{chainId}/`. */
  serviceUrl: string
  /** Sent as a bearer token when set. */
  serviceKey?: string
  rpcUrl: string
  /** When set, the only contract that swaps may go through and that tokens are approved for, whatever the service says. */
  router?: Address
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

/** What the user may change, kept by the worker. */
export type Settings = {
  chainId: number
  networks: Network[]
  slippageBps: number
  autoLockMinutes: number
  /** The account that the popup acts for; the first one while absent. */
  account?: Address
  /** Pages may ask for swaps (`wallet_swap`). */
  pageSwaps: boolean
  /** Pages find the wallet as `window.ethereum` too, not only by EIP-6963. */
  defaultWallet: boolean
}

/** What of the settings shall be another. `networks` are those that change, or are new, alone. */
export type SettingsChanges = Partial<Settings>

export function changeSettings(before: Settings, { networks = [], ...changes }: SettingsChanges): Settings {
  const changed = before.networks.map((old) => networks.find(({ chainId }) => chainId === old.chainId) ?? old)
  const added = networks.filter(({ chainId }) => before.networks.every((old) => old.chainId !== chainId))
  return { ...before, ...changes, networks: [...changed, ...added] }
}
