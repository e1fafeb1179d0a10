import type { CallBatch, CallPreview } from './domain/activity/callBatch.ts'
import type { IncomingTransfer } from './domain/activity/incoming.ts'
import type { Replacement, ReplacementKind, ReplaceRequest } from './domain/activity/replacement.ts'
import type { SimulationVerdict } from './domain/activity/simulation.ts'
import type { OwnTransfer, TransferPreview, TransferRequest } from './domain/activity/transfer.ts'
import type { Approval, Decision } from './domain/dapp/approval.ts'
import type { Risk } from './domain/dapp/risks/risk.ts'
import type { Site } from './domain/dapp/site.ts'
import type { NetworkHealth, Settings, SettingsChanges } from './domain/network/network.ts'
import type { NetworkFee } from './domain/network/networkFee.ts'
import type { UnreadChange, WaitingChange } from './domain/network/permittedChange.ts'
import type { MarketReturns } from './domain/swap/market.ts'
import type { Quote, QuoteRequest, Trade } from './domain/swap/quote.ts'
import type { RouteOptions, SwapSource } from './domain/swap/routeOptions.ts'
import type { Review, Swap, SwapIntent, SwapTerms } from './domain/swap/swap.ts'
import type { Address, Hex, Token } from './domain/token/token.ts'
import type { PriceList } from './domain/value/price.ts'
import type { ValueSnapshot } from './domain/value/snapshots.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import type { AccountChanges, OwnAccount, OwnSeed } from './vault/storage/contents.ts'
import type { NewKey, Secret, WrappedKey } from './vault/storage/records.ts'

/** Methods that the extension's own pages call in the worker, by subject. A store names the parts it uses. */
export type WalletApi = VaultApi &
  AccountsApi &
  SettingsApi &
  NetworksApi &
  TokensApi &
  PricesApi &
  PortfolioApi &
  QuotesApi &
  SwapsApi &
  AllowancesApi &
  TransactionsApi &
  DappsApi

export type VaultApi = {
  status(): Promise<Status>
  /** Returns the encrypted data key, for a page to derive the password's key. */
  wrappedKey(): Promise<WrappedKey>
  create(key: NewKey, secret: Secret): Promise<void>
  importPhrase(key: NewKey, secret: Secret): Promise<void>
  /** Creates a wallet without a recovery phrase. */
  importKey(key: NewKey, privateKey: Hex): Promise<void>
  importWatchOnly(key: NewKey, address: Address): Promise<void>
  /** Throws `wrong-password`, or `too-many-tries` with the time to wait. */
  unlock(dataKey: string): Promise<void>
  /** Encrypts the data key again: stronger parameters, or another password. Throws as `unlock` does. */
  changeWrappedKey(key: NewKey): Promise<void>
  lock(): Promise<void>
  /** Deletes the wallet, locked or not. */
  reset(): Promise<void>
  /** Returns a phrase's entropy; the first phrase by default. Throws as `unlock` does. */
  reveal(dataKey: string, seed?: string): Promise<Hex>
  /** Throws as `unlock` does, and `watch-only`. */
  revealKey(dataKey: string, account: Address): Promise<Hex>
  confirmBackup(seed?: string): Promise<void>
  /** Dismisses the notice that the vault was restored from its copy. */
  confirmRestored(): Promise<void>
}

export type AccountsApi = {
  /** Derives the next account of a phrase; the first phrase by default. */
  addAccount(seed?: string): Promise<Account>
  /** Adds a phrase that the page generated, and its first account. */
  addSeed(secret: Secret): Promise<Account>
  /** Adds an existing phrase and its first account. */
  addPhrase(secret: Secret): Promise<Account>
  addKey(privateKey: Hex): Promise<Account>
  /** Adds an account without a key. Its key may be added later. */
  addWatchOnly(address: Address): Promise<Account>
  /** Names, hides or shows an account. A hidden one is hidden from sites too; one always stays visible. */
  changeAccount(account: Address, changes: AccountChanges): Promise<void>
  /** `accounts` are all accounts, including hidden ones. */
  reorderAccounts(accounts: Address[]): Promise<void>
  /** Removes an account, with its imported key or with its phrase when it is the phrase's only account. */
  removeAccount(account: Address): Promise<void>
  /** Removes a phrase and all its accounts. */
  removeSeed(seed: string): Promise<void>
}

export type SettingsApi = {
  settings(): Promise<Settings>
  /** Changes only the named fields. Throws `network-needed` for a network that cannot be removed. */
  saveSettings(changes: SettingsChanges): Promise<void>
  /** Stores a change before its host permission is asked for, since the browser's prompt closes the popup. */
  savePendingChange(waiting: WaitingChange): Promise<void>
  /** Single-flight. Returns the chain id of a `find-chain` change; throws why nothing was saved. */
  applyPendingChange(id: string): Promise<number | undefined>
  discardPendingChange(id: string): Promise<void>
  /** Returns the change whose outcome no view has shown. */
  getUnreadChange(): Promise<UnreadChange | undefined>
  draft(): Promise<Draft | undefined>
  saveDraft(draft: Draft): Promise<void>
}

export type NetworksApi = {
  /** Reads the chain id of an RPC that is not configured yet. */
  readChainId(rpcUrl: string): Promise<number>
  /** Checks a network's RPC, backup RPC and swap service. */
  health(chainId: number): Promise<NetworkHealth>
  /** Returns the optional features that a network's RPCs lack: methods, EIP-1559, Multicall3. */
  missingFeatures(chainId: number): Promise<string[][]>
  blockNumber(chainId: number): Promise<bigint>
  /** Returns the usual time between blocks in milliseconds, where there is one. */
  blockInterval(chainId: number): Promise<number | undefined>
  /** Asks the localnet's faucet. */
  requestTestFunds(chainId: number, account: Address): Promise<void>
}

export type TokensApi = {
  /** Returns the service's list (cached for at most twelve hours) and imported tokens. */
  tokens(chainId: number): Promise<Token[]>
  /** Stores an unlisted token with its contract's own metadata. */
  importToken(chainId: number, token: Address): Promise<Token>
  /** Removes a token that `importToken` or a site added. */
  removeToken(chainId: number, token: Address): Promise<void>
  tokenPreferences(chainId: number): Promise<TokenPreferences & { listedAt: number | undefined }>
  /** Returns the preferences after the change. */
  updateTokenPreferences(chainId: number, change: TokenPreferencesChange): Promise<TokenPreferences>
  /** Returns a token's listed metadata, or its contract's own. */
  token(chainId: number, address: Address): Promise<Token>
  /** Incoming transfers are derived from it. `isComplete`: completes a read of all tokens. */
  balances(chainId: number, account: Address, tokens: Address[], isComplete?: boolean): Promise<Balances>
}

export type PricesApi = {
  /** Reads prices of tokens through the network's RPC. Throws when the RPC does not answer. */
  prices(chainId: number, tokens: Address[]): Promise<PriceList>
}

export type PortfolioApi = {
  /** Returns an account's past totals, oldest first. */
  snapshots(account: Address): Promise<ValueSnapshot[]>
  /** Stores a complete total of `chains`, at most one per hour. Returns all snapshots. */
  addSnapshot(account: Address, usd: bigint, chains: number[]): Promise<ValueSnapshot[]>
}

/** `view` names a polling view: its next request aborts the one before. */
export type QuotesApi = {
  quote(request: QuoteRequest, view?: string): Promise<Quote>
  /** Aborts the quote of `view` unless others wait for it. */
  dropQuote(view: string): Promise<void>
  /**
   * Returns how much worse than the middle price `returns` is, in basis points including pool fees: half the
   * loss of a round trip. Undefined when there is no way back.
   */
  priceImpact(request: QuoteRequest, returns: bigint, view?: string): Promise<number | undefined>
  /** Reads the market price from the user's RPC. Undefined when only the swap service knows one. */
  marketReturns(request: QuoteRequest): Promise<MarketReturns | undefined>
  /** Finds the smallest input that returns `wanted.returns`, within 0.1 %. */
  findSellAmount(wanted: ExactOutputRequest, view?: string): Promise<bigint>
  /** Returns the native balance to keep for the fee of a swap with `gas` gas, in wei. */
  gasReserve(chainId: number, gas?: bigint): Promise<bigint>
  liquiditySources(chainId: number): Promise<{ id: string; title: string }[]>
}

export type SwapsApi = {
  review(request: ReviewRequest): Promise<Review>
  /** Simulates a review again on the newest block. Undefined for a review that the worker no longer has. */
  resimulate(id: string): Promise<SimulationVerdict | undefined>
  /** Idempotent by the intent's id. Resolves once it is stored; `WalletEvents.swap` reports progress. */
  swap(intent: SwapIntent): Promise<Swap>
  swaps(): Promise<Swap[]>
}

export type AllowancesApi = {
  /** Returns the nonzero allowances of known routers and Permit2. */
  allowances(chainId: number, account: Address): Promise<Allowance[]>
  allowance(chainId: number, account: Address, token: Address, spender: Address): Promise<bigint>
  revokeFee(request: RevokeRequest): Promise<NetworkFee>
  /** Idempotent by `id`. Resolves once it is stored. */
  revoke(request: RevokeRequest & { id: string; feeCap: bigint }): Promise<CallBatch>
}

/** Transactions other than swaps, and replacements of any. */
export type TransactionsApi = {
  callBatch(id: string): Promise<CallBatch | undefined>
  /** Returns transfers, revocations and dapp transactions, newest first. */
  callBatches(): Promise<CallBatch[]>
  /** Returns what others sent to any account, as far as seen, newest first. */
  incomingTransfers(): Promise<IncomingTransfer[]>
  /** Simulates a transfer and estimates its fee. Throws why it cannot be made. */
  previewTransfer(request: TransferRequest): Promise<TransferPreview>
  /** Transfers native or other tokens. Idempotent by `id`. Resolves once it is stored. */
  send(request: OwnTransfer): Promise<CallBatch>
  isContract(chainId: number, address: Address): Promise<boolean>
  /** `eth_call` for name resolution, as the RPC returned it. Throws `node-answered` with a revert. */
  call(chainId: number, to: Address, data: Hex): Promise<unknown>
  /** Returns the fees of a replacement. `id` is a swap's or a call batch's. */
  replacement(id: string, wish: ReplacementKind): Promise<Replacement>
  /** Resolves once it is stored and sent. Throws `already-mined`, `underpriced`, `stale-review`. */
  replace(request: ReplaceRequest): Promise<Swap | CallBatch>
}

export type DappsApi = {
  /** Returns pending dapp requests, oldest first. */
  approvals(): Promise<Approval[]>
  /** `spendingLimit` replaces the amount of the request's only approval. */
  previewCalls(id: string, spendingLimit?: bigint): Promise<CallPreview>
  /** Returns the risks of a request's typed data, by balances and prices on chain. */
  signRisks(id: string): Promise<Risk[]>
  /** Returns the risks of a request's recipients. Reads no RPC. */
  recipientRisks(id: string): Promise<Risk[]>
  /** Executes a request. Idempotent. The request stays pending when it throws. */
  approve(id: string, decision: Decision): Promise<void>
  reject(id: string): Promise<void>
  rejectAll(): Promise<void>
  /** Opens or focuses the approval window. */
  showApprovals(): Promise<void>
  /** Returns the connected sites. */
  sites(): Promise<Site[]>
  /** Throws `invalid-input` when the site is not connected. */
  updateSite(site: Site): Promise<void>
  disconnect(origin: string): Promise<void>
}

/** Events that the worker broadcasts to every open page of the extension. */
export type WalletEvents = {
  status(status: Status): void
  settings(settings: Settings): void
  swap(swap: Swap): void
  callBatch(sending: CallBatch): void
  incoming(transfer: IncomingTransfer): void
  approvals(open: Approval[]): void
  sites(sites: Site[]): void
}

const pagePort = 'page'

/** Names the port between a page's relay and the worker of the same version. Carries JSON text. */
export function getPagePortName(version: string): string {
  return `${pagePort} ${version}`
}

/** Holds for the relays of every version: one of a replaced version can still connect for a moment. */
export function isPagePort(name: string): boolean {
  return name.split(' ')[0] === pagePort
}

/** Limit of a request's JSON text, in UTF-8 bytes. */
export const maxRequestBytes = 256_000
/** Longest request a relay sends without credit, in characters. Longer ones are announced first. */
export const maxUnaskedLength = 2_000
/** Longest response without an acknowledgement, in characters. */
export const maxUnacknowledgedLength = 64_000

/** True for a request above `maxRequestBytes`. */
export function isTooLarge(text: string): boolean {
  // A UTF-16 unit takes one to three bytes, so the length decides most cases.
  const { length } = text
  if (length <= maxRequestBytes / 3 || length > maxRequestBytes) return length > maxRequestBytes
  return new TextEncoder().encode(text).length > maxRequestBytes
}

/** Announces a request's length in characters, or acknowledges a long response. */
export type RelayNotification = { id: number; length: number } | { id: number; received: true }

/** `id` is unique within the document, and the same when the request is sent again. */
export type PageRequest = { id: number; method: string; params?: unknown }

/** Message from the worker to a page's relay. */
export type ProviderMessage =
  | { id: number; result: unknown }
  | { id: number; error: ProviderError }
  /** Credit to send the announced request. */
  | { credit: number }
  | ProviderEvent
  /** Present state, for a document that may have missed events. */
  | { view: { accounts: Address[]; chainId: Hex } }

/** The provider maps the code to EIP-1193's number. */
export type ProviderError = { code: ErrorCode; message: string; facts: ErrorDetails }

export type ProviderEvent =
  | { event: 'accountsChanged'; data: Address[] }
  /** Hex without leading zeros (EIP-695). */
  | { event: 'chainChanged'; data: Hex }
  | { event: 'message'; data: { type: string; data: unknown } }

export type Status = { vault: 'none' } | { vault: 'locked' } | ({ vault: 'unlocked' } & UnlockedVault)

/**
 * `accounts` in the user's order, including hidden ones. `backedUp`: every phrase is. `isRestored`: the vault
 * was damaged and restored from its copy, and the notice is still open.
 */
export type UnlockedVault = { accounts: OwnAccount[]; seeds: OwnSeed[]; backedUp: boolean; isRestored?: true }

/**
 * `id` becomes the intent's. `atLeast` raises the minimum to a promised amount. `isAccepted`: the user
 * accepted a new price, so the minimum may equal the simulated return. `unattended`: renewed without user
 * activity.
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

/** `via`: an allowance inside Permit2, which names the spender. */
export type Allowance = { token: Token; spender: Address; amount: bigint; via?: 'permit2' }

export type RevokeRequest = {
  chainId: number
  account: Address
  token: Address
  spender: Address
  via?: 'permit2'
}

export type Account = { address: Address; name: string }

/** Favourites, and the five most recently used tokens, newest first. */
export type TokenPreferences = { favourites: Address[]; recents: Address[] }

/** Favourites to add, each behind the present ones; favourites to remove; used tokens, latest first. */
export type TokenPreferencesChange = { marked?: Address[]; unmarked?: Address[]; used?: Address[] }

/** Base units by token address. */
export type Balances = Record<Address, bigint>

/** The swap form's saved input. `amount` is the text. */
export type Draft = {
  chainId: number
  sell?: Address
  buy?: Address
  amount: string
  /** Side of the amount. */
  side: 'sell' | 'buy'
  /** Id of the swap made from it. */
  swapId?: string
  /** `auto` overrides the default of the settings. */
  slippageBps?: number | 'auto'
  receiver?: Address
  /** Excluded liquidity sources. */
  excluded?: string[]
  allowPartialFill?: boolean
  source?: SwapSource
}

export type { AccountChanges, NewKey, OwnAccount, OwnSeed, Secret, WrappedKey }
