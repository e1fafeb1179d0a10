import type { Settings } from './domain/network.ts'
import type { Review, Swap, SwapIntent } from './domain/swap.ts'
import type { Address, Token } from './domain/token.ts'
import type { Quote, Trade } from './domain/trade.ts'
import type { NewKey, PasswordWrap } from './vault/records.ts'

/** What the popup may ask of the worker. */
export type Wallet = {
  status(): Promise<Status>

  /** The public half of the password lock, for the page that asks for the password to open. */
  passwordWrap(): Promise<PasswordWrap>
  /** Makes a seed, seals it, and answers the phrase to write down. */
  create(key: NewKey, words: 12 | 24): Promise<string>
  importPhrase(key: NewKey, phrase: string): Promise<void>
  unlock(dataKey: string): Promise<void>
  /** Replaces the password lock by one with stronger parameters, after an unlock. */
  rewrap(key: NewKey): Promise<void>
  lock(): Promise<void>
  /** The phrase again, for somebody who just proved the password. */
  reveal(dataKey: string): Promise<string>
  confirmBackup(): Promise<void>

  settings(): Promise<Settings>
  saveSettings(settings: Settings): Promise<void>
  draft(): Promise<Draft | undefined>
  saveDraft(draft: Draft): Promise<void>

  tokens(chainId: number): Promise<Token[]>
  /** A token read from its own contract. */
  token(chainId: number, address: Address): Promise<Token>
  balances(chainId: number, tokens: Address[]): Promise<Balances>
  /** Asks the local world for test funds. */
  fund(chainId: number): Promise<void>
  quote(trade: Trade): Promise<Quote>
  review(trade: Trade, slippageBps: number): Promise<Review>
  /** Idempotent by the intent's id. Answers once the intent is stored, not once it is done: `Events.swap` tells the rest. */
  swap(intent: SwapIntent): Promise<Swap>
  swaps(): Promise<Swap[]>
}

/** What the worker tells every open view. */
export type Events = {
  status(status: Status): void
  settings(settings: Settings): void
  swap(swap: Swap): void
}

export type Status =
  | { vault: 'none' }
  | { vault: 'locked' }
  | { vault: 'unlocked'; accounts: Account[]; backedUp: boolean }

export type Account = { address: Address; name: string }

/** Base units by token address. */
export type Balances = Record<Address, bigint>

/** The swap form as it was left. The amount is what was typed. */
export type Draft = { chainId: number; sell: Address; buy: Address; amount: string; slippageBps?: number }

export type { NewKey, PasswordWrap }
