import type { Call, ShownOutcome } from '../activity/callBatch.ts'
import type { Network } from '../network/network.ts'
import type { TypedData } from '../signing/typedData.ts'
import type { SwapIntent } from '../swap/swap.ts'
import type { Address, Hex, Token } from '../token/token.ts'
import type { SwapRequest } from './swapRequest.ts'

/** Something a page asks of the user. It waits in the approval window until it is answered, or until its time is over. */
export type Approval = {
  /** 16 random bytes as hex. */
  id: string
  /** As the browser reports it; never a word of the page. */
  origin: string
  /** The chain that the site is on, or that the request names. */
  chainId: number
  /** Milliseconds since 1970. */
  createdAt: number
  expiresAt: number
  ask: DappRequest
}

export type DappRequest =
  /** `accounts` are those it may see already. */
  | { kind: 'connect'; accounts: Address[] }
  /** The bytes of an EIP-191 personal message. */
  | { kind: 'sign-message'; account: Address; message: Hex }
  | { kind: 'sign-typed-data'; account: Address; typedData: TypedData }
  /** `batch` is the page's name for calls that it asked for together (EIP-5792). */
  | { kind: 'send'; account: Address; calls: Call[]; batch?: string }
  | { kind: 'add-chain'; network: Network }
  | { kind: 'switch-chain'; to: number }
  /** By its own contract's words. */
  | { kind: 'watch-asset'; token: Token }
  | { kind: 'swap'; request: SwapRequest }

/** A yes, with what belongs to it. It names the kind of what it answers. */
export type Decision =
  | { kind: 'connect'; accounts: Address[]; chainId: number }
  | ({ kind: 'sign-message' } & Acknowledgement)
  | ({ kind: 'sign-typed-data' } & Acknowledgement)
  /** `mayFail`: the user was told that it would fail, or that nobody knows. `expected` is the outcome on the screen. */
  | ({ kind: 'send'; feeCap: bigint; mayFail: boolean; expected?: ShownOutcome } & Acknowledgement)
  | { kind: 'add-chain' }
  | { kind: 'switch-chain' }
  | { kind: 'watch-asset' }
  /** `filled` is what the form was filled with to sell for an amount to buy: while that stands, the page's floor does. */
  | { kind: 'swap'; intent: SwapIntent; filled?: bigint }

/** Keys of the risks (page/risk.ts) that the user ticked. The worker refuses a decision while one is missing. */
export type Acknowledgement = { acknowledged?: string[] }

export type RequestOf<Kind extends DappRequest['kind']> = Extract<DappRequest, { kind: Kind }>
