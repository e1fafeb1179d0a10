import type { Exchange } from '../abi/routers/exchange.ts'
import type { Address, Hex } from '../token/token.ts'

/** Derived from the bytes alone, not from the page. */
export type DecodedCall = DecodedTokenCall & { warnings: CallWarning[] }

export type DecodedTokenCall =
  | { kind: 'create'; bytes: number; value: bigint }
  /** `from`: another owner. For ERC-721 `amount` is the token id. */
  | { kind: 'transfer'; token: Address; to: Address; amount: bigint; from?: Address }
  /** `adds`: on top of the allowance. For ERC-721 `amount` is the token id. `until`: Unix seconds. */
  | { kind: 'approve'; token: Address; spender: Address; amount: bigint; adds?: boolean; until?: bigint }
  | { kind: 'approve-all'; collection: Address; operator: Address; approved: boolean }
  /** Control over what `contract` keeps for the account. */
  | { kind: 'operator'; contract: Address; operator: Address; approved: boolean }
  /** Delegates votes, if `contract` is a votes token. */
  | { kind: 'delegate'; contract: Address; delegatee: Address }
  | { kind: 'transfer-items'; collection: Address; from: Address; to: Address; items: DecodedItem[] }
  /** Signed by `owner` (EIP-2612 or DAI). */
  | { kind: 'permit'; token: Address; owner: Address; spender: Address; amount: bigint; until: bigint }
  | { kind: 'wrap'; token: Address; amount: bigint }
  | { kind: 'unwrap'; token: Address; amount: bigint }
  | DecodedSwap
  /** Unknown function, or bytes without a reliable reading. */
  | {
      kind: 'unknown'
      to: Address
      selector: Hex
      name?: string
      bytes: number
      value: bigint
      /** Changes no balance. */
      isVote?: boolean
      /** Only the value sent changes. */
      isPayment?: boolean
      exchange?: Exchange
      payees?: Address[]
      /** Of known payouts, without the account and `to`. */
      recipients?: Address[]
    }

export type DecodedSwap = {
  kind: 'swap'
  router: Address
  sell: Address
  /** Absent if not in the calldata. */
  buy?: Address
  /** Maximum sold. */
  amount: bigint
  /** Minimum bought. */
  floor: bigint
  receiver: Address
  value: bigint
  flags?: bigint
  fee?: PartnerFee
}

/** `amount` is 1 for EIP-721. */
export type DecodedItem = { id: bigint; amount: bigint }

export type CallWarning =
  | 'no-floor'
  | 'foreign-receiver'
  /** Not a known router. */
  | 'unknown-router'
  | 'fee'
  | 'partial-fill'
  /** Not a known router. */
  | 'unknown-spender'
  /** Another account may control what the contract keeps for this one. */
  | 'operator'
  /** Native value without a use. */
  | 'coins-along'
/** `ppm`: millionths of the sold amount. */
export type PartnerFee = { ppm: bigint; taker: Address }
