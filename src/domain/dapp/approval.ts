import type { Call, ShownOutcome } from '../activity/callBatch.ts'
import type { Network } from '../network/network.ts'
import type { TypedData } from '../signing/typedData.ts'
import type { SwapIntent } from '../swap/swap.ts'
import type { Address, Hex, Token } from '../token/token.ts'
import type { SwapRequest } from './swapRequest.ts'

/** Dapp request, until it is answered or expires. */
export type Approval = {
  /** 16 random bytes as hex. */
  id: string
  /** As the browser reports it, never from the page. */
  origin: string
  /** Of the site, or named by the request. */
  chainId: number
  /** Milliseconds since 1970. */
  createdAt: number
  expiresAt: number
  ask: DappRequest
}

export type DappRequest =
  /** `accounts`: already visible to the site. */
  | { kind: 'connect'; accounts: Address[] }
  | { kind: 'sign-message'; account: Address; message: Hex }
  | { kind: 'sign-typed-data'; account: Address; typedData: TypedData }
  /** `batch`: EIP-5792 id. */
  | { kind: 'send'; account: Address; calls: Call[]; batch?: string }
  | { kind: 'add-chain'; network: Network }
  | { kind: 'switch-chain'; to: number }
  /** Read from its contract. */
  | { kind: 'watch-asset'; token: Token }
  | { kind: 'swap'; request: SwapRequest }

export type Decision =
  | { kind: 'connect'; accounts: Address[]; chainId: number }
  | ({ kind: 'sign-message' } & Acknowledgement)
  | ({ kind: 'sign-typed-data' } & Acknowledgement)
  | SendDecision
  | { kind: 'add-chain' }
  | { kind: 'switch-chain' }
  | { kind: 'watch-asset' }
  /**
   * `filled`: sell amount that the form derived from a buy amount. While it stands, the page's minReturn
   * applies.
   */
  | { kind: 'swap'; intent: SwapIntent; filled?: bigint }

type SendDecision = {
  kind: 'send'
  feeCap: bigint
  /** True if the user was told that the calls fail, or are unknown. */
  mayFail: boolean
  /** Outcome shown. */
  expected?: ShownOutcome
  /** Replaces the amount of the only approval (`limitSpending`), in base units. */
  spendingLimit?: bigint
} & Acknowledgement

/** Keys of acknowledged risks (`riskKey`). Without all of them the worker rejects a decision. */
export type Acknowledgement = { acknowledged?: string[] }

export type RequestByKind<Kind extends DappRequest['kind']> = Extract<DappRequest, { kind: Kind }>
