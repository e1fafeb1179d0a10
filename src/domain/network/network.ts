import type { ErrorCode } from '../../errors.ts'
import { type Contact, changeContacts } from '../address/contact.ts'
import type { LanguageChoice, Theme } from '../preferences.ts'
import type { RouteOptions } from '../swap/routeOptions.ts'
import type { Address } from '../token/token.ts'

/** A chain as the user set it up: whom to ask for quotes, which node to read and send through. */
export type Network = {
  chainId: number
  name: string
  coin: { symbol: string; name: string }
  /** The aggregation service's base URL: operations live under `{serviceUrl}/v{serviceVersion}/{chainId}/`. */
  serviceUrl: string
  /** Of the interface that the service speaks; 6.1 unless given. */
  serviceVersion?: ServiceVersion
  /** Sent as a bearer token when set. */
  serviceKey?: string
  rpcUrl: string
  /** Another node of the same chain, asked while the first does not answer. */
  spareRpcUrl?: string
  /** When set, the only contract that swaps may go through and that tokens are approved for, whatever the service says. */
  router?: Address
  /** The coin as a token (WETH9): wrapping and unwrapping needs nobody else. */
  wrapped?: Address
  /** Transactions also pay for being written to L1, by the stack's own oracle. */
  rollup?: 'op'
  /** The most that a fee may be, in wei, and a priority fee, in wei per gas; absent: the wallet's own limits (feeLimits.ts). */
  feeLimit?: bigint
  tipLimit?: bigint
  /** How the service shall find routes here. */
  options?: RouteOptions
  /** The user's own choice of an explorer: its address, or where its transactions stand (`explorerOf`). */
  explorerUrl?: string
  /** Only the local world has one: gives test funds to an address. */
  faucetUrl?: string
  /** Contracts that tell prices on a chain that is not in the wallet's own table (markets.ts): the local one. */
  market?: { oracle?: Address; v2Factory?: Address; v3Factory?: Address }
  /** The pair a fresh form opens with is the coin and this token, when known. */
  stable?: Address
  /** Blocks on top of a receipt after which it counts as final. */
  confirmations: number
  /** How often a quote is renewed while somebody looks at it. */
  quoteEveryMs: number
}

export type ServiceVersion = '6.1' | '3.0'

/** A node's newest block, its time in seconds since 1970, or why there is none. */
export type NodeHealth = { isInUse: boolean } & ({ number: bigint; timestamp: number } | { fault: ErrorCode })

/** Whether those that a network names answer. Nobody else was asked. */
export type NetworkHealth = {
  /** Its node and the spare one. None where it names none. */
  nodes: NodeHealth[]
  /** Why it does not answer as it should. Undefined where there is none. */
  service: 'answers' | ErrorCode | undefined
}

/** The versions of the interface that services of a chain speak. The old one is of Ethereum and BNB Chain, and of services of one's own. */
export function serviceVersions(chainId: number): ServiceVersion[] {
  return onlyNew.has(chainId) ? ['6.1'] : ['6.1', '3.0']
}

const onlyNew = new Set([10, 100, 130, 137, 8453, 42161, 43114, 59144])

/** Names a network's service: what one said, another address or interface version did not. */
export function getService({
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
  /** Keys beside Enter and Escape act on screens (WCAG 2.1.4). */
  shortcuts: boolean
  /** What the browser is to tell while no view is open. Absent: nothing. */
  notices?: NotificationSettings
  /** Whom the user named. */
  contacts: Contact[]
  /** What was kept could not be read: these are the first ones again, until something is changed. */
  isLost?: boolean
}

/** A sentence for each way that a transaction may stand. A view writes them in the user's language, of which the worker speaks none. */
export type NotificationSettings = {
  done: string
  'below-minimum'?: string
  failed: string
  'needs-unlock': string
}

/**
 * What of the settings shall be another. `networks` are those that change alone, `added` those that are new, `removed` the chain ids of
 * those that go. `contacts` are new; `forgotten` are the addresses of those that go, or come back changed. What is new never takes the
 * place of what somebody else added meanwhile. A slippage of `null` is none again, and so are notices.
 */
export type SettingsChanges = Omit<Partial<Settings>, 'slippageBps' | 'notices'> & {
  slippageBps?: number | null
  notices?: NotificationSettings | null
  added?: Network[]
  removed?: number[]
  forgotten?: Address[]
}

export function changeSettings(
  { slippageBps: oldBps, notices: oldNotices, ...before }: Settings,
  {
    networks = [],
    added = [],
    removed = [],
    contacts = [],
    forgotten = [],
    slippageBps = oldBps ?? null,
    notices = oldNotices ?? null,
    ...changes
  }: SettingsChanges,
): Settings {
  const kept = before.networks.filter(({ chainId }) => !removed.includes(chainId))
  const changed = kept.map((old) => networks.find(({ chainId }) => chainId === old.chainId) ?? old)
  return {
    ...before,
    ...changes,
    ...(slippageBps !== null && { slippageBps }),
    ...(notices !== null && { notices }),
    networks: [...changed, ...added],
    contacts: changeContacts(before.contacts, contacts, forgotten),
  }
}
