import { toFunctionSelector } from 'viem'
import type { Address } from '../token/token.ts'

/** `input` extends to the end of the calldata: contracts read beyond a short one. */
export type Step = { code: number; input: string; bytes(): string }

/** Numbers that stand for the account or the called contract: none, 0, or 1 and 2. */
export type Constants = 'none' | 'zero' | 'numbered'

/** Without `recipient` the sender receives. */
export type SwapTerms = {
  sell?: Address
  buy?: Address
  min: bigint
  recipient?: bigint | undefined
  constants?: Constants
}

export type PayoutTerms = {
  token: Address
  min: bigint
  recipient?: bigint | undefined
  constants?: Constants
}

/** Collects what functions, commands and actions name. */
export type Visitor = {
  call(hex: string): void
  steps(kind: 'universal' | 'v4', hex: string): void
  recipient(word: bigint, constants?: Constants): void
  /** `share` in units of 10^-18. */
  fee(share: bigint, recipient: bigint, constants?: Constants): void
  swap(terms: SwapTerms): void
  payout(terms: PayoutTerms): void
  spends(token: Address): void
  refunds(): void
  unread(): void
  /** V2 pair that the called router sells from. */
  pairOf(one: Address, other: Address): Address | undefined
}

export type KnownFunction = {
  name: string
  /** True if its arguments are calls of the same contract. */
  isList: boolean
  read(args: string, visitor: Visitor): void
}

/** Defines a function; `signature` is without the word `function`. */
export function defineKnownFunction(
  signature: string,
  read: KnownFunction['read'],
  isList = false,
): KnownFunction & { selector: string } {
  const [name = ''] = signature.split('(')
  return { selector: toFunctionSelector(`function ${signature}`).slice(2), name, isList, read }
}
