import type { CallBatch, CallPreview } from './domain/activity/callBatch.ts'
import type { Replacement, ReplacementKind, ReplaceRequest } from './domain/activity/replacement.ts'
import type { OwnTransfer, TransferPreview, TransferRequest } from './domain/activity/transfer.ts'
import type { Approval, Decision } from './domain/dapp/approval.ts'
import type { Site } from './domain/dapp/permission.ts'
import type { Risk } from './domain/dapp/risk.ts'
import type { NetworkHealth, Settings, SettingsChanges } from './domain/network/network.ts'
import type { UnreadChange, WaitingChange } from './domain/network/permittedChange.ts'
import type { MarketReturns } from './domain/swap/market.ts'
import type { Quote, QuoteRequest, Trade } from './domain/swap/quote.ts'
import type { RouteOptions } from './domain/swap/routeOptions.ts'
import type { SimulationVerdict } from './domain/swap/simulationCheck.ts'
import type { Review, Swap, SwapIntent, SwapTerms } from './domain/swap/swap.ts'
import type { Address, Hex, Token } from './domain/token/token.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import type { AccountChanges, OwnAccount, OwnSeed } from './vault/contents.ts'
import type { NewKey, Secret, WrappedKey } from './vault/records.ts'

/** What the popup may ask of the worker. */
export type WalletApi = {
  status(): Promise<Status>

  /** The public half of the password lock, for the page that asks for the password to open. */
  passwordWrap(): Promise<WrappedKey>
  /** Seals a fresh secret, drawn where its phrase is shown. */
  create(key: NewKey, secret: Secret): Promise<void>
  /** Seals the secret of a phrase that somebody has. */
  importPhrase(key: NewKey, secret: Secret): Promise<void>
  /** Begins a wallet with a private key alone. */
  importKey(key: NewKey, privateKey: Hex): Promise<void>
  /** Begins a wallet with an address to look at. */
  importWatched(key: NewKey, address: Address): Promise<void>
  /** The worker judges, and counts: `wrong-password`, or `too-many-tries` with the time to wait for. */
  unlock(dataKey: string): Promise<void>
  /** Replaces the password lock: by a stronger one after an unlock, or by another password's. Throws as `unlock` does. */
  rewrap(key: NewKey): Promise<void>
  lock(): Promise<void>
  /** Forgets the wallet, open or locked: without its phrases and keys there is no way back. */
  reset(): Promise<void>
  /** The entropy behind a phrase (the first one unless named), for somebody who just proved the password. Throws as `unlock` does. */
  reveal(dataKey: string, seed?: string): Promise<Hex>
  /** The private key of an account, for the same. Throws `watch-only` too. */
  revealKey(dataKey: string, account: Address): Promise<Hex>
  /** A phrase (the first one unless named) is written down. */
  confirmBackup(seed?: string): Promise<void>
  /** Somebody read that the vault was restored from its copy. */
  confirmRestored(): Promise<void>
  /** Derives the next account of a phrase, the first one unless named. */
  addAccount(seed?: string): Promise<Account>
  /** One more phrase, drawn where it is shown, and its first account. */
  addSeed(secret: Secret): Promise<Account>
  /** One more phrase that somebody has, and its first account. */
  addPhrase(secret: Secret): Promise<Account>
  addKey(privateKey: Hex): Promise<Account>
  /** An account to look at. When its key comes, it stays where it is. */
  addWatched(address: Address): Promise<Account>
  /** Names an account, hides it (from sites too; one always stays in view), shows it again. */
  changeAccount(account: Address, changes: AccountChanges): Promise<void>
  /** `accounts` are all there are, hidden ones too. */
  orderAccounts(accounts: Address[]): Promise<void>
  /** With its key, where that came alone. The only account of a phrase goes with the phrase. */
  removeAccount(account: Address): Promise<void>
  /** With all its accounts. */
  removeSeed(seed: string): Promise<void>

  settings(): Promise<Settings>
  /** Changes what is named, and leaves alone what somebody else changed meanwhile. Throws `network-needed` for one that has to stay. */
  saveSettings(changes: SettingsChanges): Promise<void>
  /**
   * Keeps a change that needs a permission of the browser. Sent before the browser is asked, whose question closes a toolbar popup: the
   * worker carries the change out as soon as the permission is there.
   */
  keepChange(waiting: WaitingChange): Promise<void>
  /** Carries out the kept change, in one run for all that ask. Returns the chain of `find-chain`; throws why nothing was saved. */
  carryOutChange(id: string): Promise<number | undefined>
  /** Forgets a change that was refused, or whose outcome the user has read. */
  dropChange(id: string): Promise<void>
  /** The change whose outcome no view has shown. */
  unreadChange(): Promise<UnreadChange | undefined>
  /** The chain that a node says it serves, for a network to be. */
  chainAt(rpcUrl: string): Promise<number>
  /** Asks a network's node, spare node and service how they are; nobody that it does not name. */
  health(chainId: number): Promise<NetworkHealth>
  /**
   * Returns what a network's RPCs lack of all that the wallet can replace, by name: methods, EIP-1559,
   * Multicall3.
   */
  lacks(chainId: number): Promise<string[][]>
  draft(): Promise<Draft | undefined>
  saveDraft(draft: Draft): Promise<void>

  /** The service's list, also of twelve hours ago, and what the user added. */
  tokens(chainId: number): Promise<Token[]>
  /** Keeps a token that no list has, by its own contract's words, and answers it. */
  importToken(chainId: number, token: Address): Promise<Token>
  /** Lets go of what `importToken`, or a site, added. */
  forgetToken(chainId: number, token: Address): Promise<void>
  /** What the picker shows of them besides. */
  picks(chainId: number): Promise<TokenPreferences & { listedAt: number | undefined }>
  /** Answers what is kept of them by then. */
  changePicks(chainId: number, change: TokenPreferencesChange): Promise<TokenPreferences>
  /** A token as a list has it, or by its own contract's words. */
  token(chainId: number, address: Address): Promise<Token>
  balances(chainId: number, account: Address, tokens: Address[]): Promise<Balances>
  /** Asks the local world for test funds. */
  fund(chainId: number, account: Address): Promise<void>
  /** A view that asks on and on names itself: its next question, when it is another, aborts the one before. */
  quote(ask: QuoteRequest, view?: string): Promise<Quote>
  /**
   * By how much a quote that returns `returns` is worse than the middle price, in basis points, pools' fees included: what the way back
   * would lose, halved. Undefined when there is no way back. `view` as for `quote`.
   */
  impact(ask: QuoteRequest, returns: bigint, view?: string): Promise<number | undefined>
  /** What a trade would return at the market's price, read from the user's own RPC. Undefined where only the swap service knows one. */
  market(ask: QuoteRequest): Promise<MarketReturns | undefined>
  /** How much has to be sold now to get `returns`, found by quotes: the least that returns it, within 0.1 %. `view` as for `quote`. */
  sellFor(wanted: ExactOutputRequest, view?: string): Promise<bigint>
  /** What has to stay behind of the coin, in wei, so that a swap of so much gas (or a long one) can still be paid for. */
  reserve(chainId: number, gas?: bigint): Promise<bigint>
  /** Ids of the service's liquidity sources, with their titles. */
  sources(chainId: number): Promise<{ id: string; title: string }[]>
  review(ask: ReviewRequest): Promise<Review>
  /** Tries the reviewed transactions out again, on the newest block. Undefined when the worker does not remember that review. */
  recheck(id: string): Promise<SimulationVerdict | undefined>
  /** Idempotent by the intent's id. Answers once the intent is stored, not once it is done: `Events.swap` tells the rest. */
  swap(intent: SwapIntent): Promise<Swap>
  swaps(): Promise<Swap[]>
  /** What routers (and Permit2) may take of an account's tokens; nothing that is zero. */
  allowances(chainId: number, account: Address): Promise<Allowance[]>
  /** What `spender` may take of one token now. */
  allowance(chainId: number, account: Address, token: Address, spender: Address): Promise<bigint>
  /** What taking a permission back costs at most, in wei. */
  revokeFee(ask: RevokeRequest): Promise<bigint>
  /** Takes a permission back. Idempotent by `id`, and answers once it is stored. */
  revoke(ask: RevokeRequest & { id: string; feeCap: bigint }): Promise<CallBatch>
  /** What became of a `revoke`, or of any other calls. */
  sending(id: string): Promise<CallBatch | undefined>
  /** All that is no swap: transfers, permissions taken back, what pages asked for. The newest first. */
  sendings(): Promise<CallBatch[]>

  /** What a transfer would do, by the user's own node, and what it costs. Throws why it cannot be made. */
  previewTransfer(ask: TransferRequest): Promise<TransferPreview>
  /** Sends coins or tokens. Idempotent by `id`, and answers once it is stored. */
  send(ask: OwnTransfer): Promise<CallBatch>
  /** True for a contract; for who receives something (state/send/recipient.ts). */
  isContract(chainId: number, address: Address): Promise<boolean>
  /**
   * What a contract answers to a question that changes nothing, in the node's own words: for names (state/names.ts). Throws `node-answered`
   * where it refuses.
   */
  call(chainId: number, to: Address, data: Hex): Promise<unknown>

  /** What another transaction in the place of the one that waits would pay. `id` is a swap's or that of calls. */
  replacement(id: string, wish: ReplacementKind): Promise<Replacement>
  /** Puts it there. Answers once it is stored and the node was told. Throws `already-mined`, `underpriced`, `stale-review`. */
  replace(ask: ReplaceRequest): Promise<Swap | CallBatch>

  /** What pages ask and nobody has answered yet, the oldest first. */
  approvals(): Promise<Approval[]>
  /** What the calls of a `send` would do. */
  preview(id: string): Promise<CallPreview>
  /** Why the typed data of a request needs a second look, with what the node tells of balances and prices. */
  signRisks(id: string): Promise<Risk[]>
  /** Doubts about the recipients of a request, for which no node is asked. */
  recipientRisks(id: string): Promise<Risk[]>
  /** Carries out what was asked. The request stays open when it throws. Doing it twice is doing it once. */
  approve(id: string, decision: Decision): Promise<void>
  reject(id: string): Promise<void>
  rejectAll(): Promise<void>
  /** Opens the approval window, or brings it to the front. */
  showApprovals(): Promise<void>
  /** Sites that may see an account. */
  sites(): Promise<Site[]>
  /** Changes what a connected site sees. Throws `invalid-input` when it is not connected any more. */
  saveSite(site: Site): Promise<void>
  disconnect(origin: string): Promise<void>
}

/** What the worker tells every open view. */
export type WalletEvents = {
  status(status: Status): void
  settings(settings: Settings): void
  swap(swap: Swap): void
  sending(sending: CallBatch): void
  approvals(open: Approval[]): void
  sites(sites: Site[]): void
}

/** The name of the port between a page's relay and the worker. What crosses it is JSON text. */
export const pagePort = 'page'

/** Most bytes of a request's JSON text, as UTF-8. */
export const maxRequestBytes = 256_000
/** Longest request, in characters, that a relay sends unasked. A longer one it announces, and sends for the worker's credit. */
export const maxUnaskedLength = 2_000
/** Longest answer, in characters, that a relay does not acknowledge. */
export const maxUnacknowledgedLength = 64_000

/** True for a request that the wallet does not take. */
export function isTooLarge(text: string): boolean {
  // A character has one to three bytes: the length alone decides of most requests.
  const { length } = text
  if (length <= maxRequestBytes / 3 || length > maxRequestBytes) return length > maxRequestBytes
  return new TextEncoder().encode(text).length > maxRequestBytes
}

/** Notice of a relay: the length of a request it is about to send, in characters, or receipt of a long answer. */
export type RelayNotification = { id: number; length: number } | { id: number; received: true }

/** What a page's relay says to the worker. `id` is unique within the document, and the same when the request is sent again. */
export type PageRequest = { id: number; method: string; params?: unknown }

/** What the worker says to a page's relay: an answer, or an event of EIP-1193. */
export type ProviderMessage =
  | { id: number; result: unknown }
  | { id: number; error: ProviderError }
  /** The request that was announced under this id may be sent. */
  | { credit: number }
  | ProviderEvent
  /** How things stand, for a document that may have missed events. */
  | { view: { accounts: Address[]; chainId: Hex } }

/** Why there is no result. The provider turns the code into EIP-1193's number. */
export type ProviderError = { code: ErrorCode; message: string; facts: ErrorDetails }

export type ProviderEvent =
  | { event: 'accountsChanged'; data: Address[] }
  /** As EIP-695 writes it: hex without leading zeros. */
  | { event: 'chainChanged'; data: Hex }
  | { event: 'message'; data: { type: string; data: unknown } }

export type Status = { vault: 'none' } | { vault: 'locked' } | ({ vault: 'unlocked' } & UnlockedVault)

/**
 * `accounts` are all, in the user's order, hidden ones too. `backedUp`: every phrase is. `isRestored`: the backup copy stood in for a
 * vault that was damaged, and nobody read so yet.
 */
export type UnlockedVault = { accounts: OwnAccount[]; seeds: OwnSeed[]; backedUp: boolean; isRestored?: true }

/**
 * `id` is the intent's to be. `atLeast` lifts the floor to a number that was promised to somebody. `isAccepted`: the user
 * accepted it after the price moved, so that the minimum may be that number itself where a simulation pays no more. `unattended`: nobody
 * touched the wallet since it was asked before.
 */
export type ReviewRequest = SwapTerms & {
  id: string
  trade: Trade
  account: Address
  atLeast?: bigint
  isAccepted?: true
  unattended?: true
}

export type ExactOutputRequest = {
  chainId: number
  sell: Address
  buy: Address
  returns: bigint
  options?: RouteOptions
}

/** `via`: the allowance is one inside Permit2, which names the real spender. */
export type Allowance = { token: Token; spender: Address; amount: bigint; via?: 'permit2' }

export type RevokeRequest = {
  chainId: number
  account: Address
  token: Address
  spender: Address
  via?: 'permit2'
}

export type Account = { address: Address; name: string }

/**
 * The tokens of a network that the user marked, and the five that were picked last, the newest first. `listedAt` is when the service's list
 * was had, in milliseconds since 1970.
 */
export type TokenPreferences = { favourites: Address[]; recents: Address[] }

/** Tokens that are marked, each behind those that are; tokens that are marked no more; tokens that were picked, the last one first. */
export type TokenPreferencesChange = { marked?: Address[]; unmarked?: Address[]; used?: Address[] }

/** Base units by token address. */
export type Balances = Record<Address, bigint>

/** The swap form as it was left. The amount is what was typed. */
export type Draft = {
  chainId: number
  sell?: Address
  buy?: Address
  amount: string
  /** Whether the amount is one to sell or one to receive. */
  side: 'sell' | 'buy'
  /** The swap that was made of it. */
  swapId?: string
  /** `auto`: what fits the pair, whatever the settings say. */
  slippageBps?: number | 'auto'
  receiver?: Address
  /** Sources left out of this trade. */
  excluded?: string[]
  allowPartialFill?: boolean
}

export type { AccountChanges, NewKey, OwnAccount, OwnSeed, Secret, WrappedKey }
