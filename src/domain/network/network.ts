import type { ErrorCode } from '../../errors.ts'
import { type Contact, changeContacts } from '../address/contact.ts'
import type { LanguageChoice, Theme } from '../preferences.ts'
import type { RouteOptions } from '../swap/routeOptions.ts'
import type { Address } from '../token/token.ts'
import type { Currency, CurrencyFeeds } from '../value/currency.ts'

export type Network = {
  chainId: number
  name: string
  coin: { symbol: string; name: string }
  /** Operations are under {serviceUrl}/v{serviceVersion}/{chainId}/. */
  serviceUrl: string
  /** Default 6.1. */
  serviceVersion?: ServiceVersion
  serviceKey?: string
  rpcUrl: string
  /** Backup RPC. */
  spareRpcUrl?: string
  /** Only contract for swaps and approvals, whatever the service says. */
  router?: Address
  /** Wrapped native token (WETH9). */
  wrapped?: Address
  /** Transactions pay an L1 fee, read from the stack's oracle. */
  rollup?: 'op'
  /** Wei and wei per gas; absent: built-in limits (feeLimits.ts). */
  feeLimit?: bigint
  tipLimit?: bigint
  options?: RouteOptions
  /** Its address, or the page of its transactions (`explorerLink`). */
  explorerUrl?: string
  /** Localnet only. */
  faucetUrl?: string
  /** For chains outside the built-in table (markets.ts, swapSource.ts). */
  market?: {
    oracle?: Address
    v2Factory?: Address
    v3Factory?: Address
    quoter?: Address
    swapRouter?: Address
    currencyFeeds?: CurrencyFeeds
  }
  /** Paired with the native token in a new form. */
  stable?: Address
  /** Blocks on top of a final receipt. */
  confirmations: number
  quoteEveryMs: number
}

export type ServiceVersion = '6.1' | '3.0'

/** Newest block of an RPC, time in Unix seconds. */
export type NodeHealth = { isInUse: boolean } & ({ number: bigint; timestamp: number } | { fault: ErrorCode })

/** Only endpoints of the network were contacted. */
export type NetworkHealth = {
  nodes: NodeHealth[]
  /** Undefined without a service. */
  service: 'answers' | ErrorCode | undefined
}

/**
 * Returns the API versions of a chain's services. The old one exists on Ethereum, BNB Chain and self-hosted
 * services.
 */
export function serviceVersions(chainId: number): ServiceVersion[] {
  return onlyNew.has(chainId) ? ['6.1'] : ['6.1', '3.0']
}

const onlyNew = new Set([10, 100, 130, 137, 8453, 42161, 43114, 59144])

/** Returns the identity of a service: answers do not hold for another URL or API version. */
export function getService({
  chainId,
  serviceUrl,
  serviceVersion = '6.1',
}: Pick<Network, 'chainId' | 'serviceUrl' | 'serviceVersion'>): string {
  return `${chainId} ${serviceVersion} ${serviceUrl}`
}

export type Settings = {
  chainId: number
  networks: Network[]
  /** Absent: `autoSlippage`. */
  slippageBps?: number
  autoLockMinutes: number
  /** Absent: the first. */
  account?: Address
  /** Allows `wallet_swap`. */
  pageSwaps: boolean
  /** Sets `window.ethereum`, besides EIP-6963. */
  defaultWallet: boolean
  /**
   * Signs only the router's general function, whose calldata names everything that matters. Otherwise also
   * short ones that the RPC simulates.
   */
  strictCalldata: boolean
  /** Requests EIP-2930 lists from the service; kept if they make a swap cheaper. */
  accessLists: boolean
  language: LanguageChoice
  theme: Theme
  currency: Currency
  /** Shows values in the currency. */
  showValues: boolean
  /** Besides Enter and Escape (WCAG 2.1.4). */
  shortcuts: boolean
  /** Shown while no view is open; absent: none. */
  notices?: NotificationSettings
  contacts: Contact[]
  /** Stored settings were unreadable: these are defaults. */
  isLost?: boolean
}

/** Texts by transaction state, written by a view: the worker has no translations. */
export type NotificationSettings = {
  done: string
  'below-minimum'?: string
  failed: string
  'needs-unlock': string
}

/**
 * `networks`: changed ones; `removed`: chain ids; `contacts`: new ones; `forgotten`: removed or replaced.
 * Additions never overwrite concurrent ones. Null clears.
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
