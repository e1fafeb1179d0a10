import type { CallWarning } from '../../calldata/decodedCall.ts'
import type { FeeDoubt } from '../../network/feeLimits.ts'
import type { SiweError } from '../../signing/siwe.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'

/** Reason for a review. A grave one must be acknowledged, or the worker rejects the decision. */
export type Risk = Reason & { isGrave: boolean }

type Reason =
  | { kind: 'call'; warning: CallWarning }
  /** More changes than the simulation reads. */
  | { kind: 'unseen' }
  /** Undecoded call. `isPaid`: besides the value sent. */
  | { kind: 'no-change'; isPaid?: true }
  | { kind: 'unstable' }
  /** Contracts can detect the simulation. */
  | { kind: 'weak' }
  /**
   * `spender` may take more than the account holds afterwards. `balance` is absent if unknown. `isHidden`:
   * not stated by a call. `isCollection`: all present and future items.
   */
  | {
      kind: 'beyond-balance'
      token: Address
      spender: Address
      balance?: bigint
      isHidden: boolean
      isCollection?: true
    }
  /** Far below `expected`, in base units of `buy`. */
  | { kind: 'low-minimum'; buy: Address; promised: bigint; expected: bigint }
  /** In base units of `buy`. If the calldata does not name it, `received` is the largest gain or 0. */
  | { kind: 'below-minimum'; buy?: Address; received: bigint; promised: bigint }
  /** In base units of `buy`. */
  | { kind: 'loss'; buy: Address; received: bigint; expected: bigint }
  /** After the first `calls` of a batch, without the return of the whole. */
  | { kind: 'unreturned'; calls: number; token: Address; nft?: bigint; amount: bigint }
  /** Instead of the account; absent if unreadable. */
  | { kind: 'foreign-recipient'; recipient?: Address }
  /** Recipient or spender with the same ends as `of`, a known address. */
  | { kind: 'look-alike'; address: Address; of: Address }
  /** Transfer to the zero address or the contract of `token`. */
  | { kind: 'lost'; recipient: Address; token: Address }
  /** Call with data to an address without code. */
  | { kind: 'no-code'; contract: Address }
  | { kind: 'new-recipient'; recipient: Address }
  /** `token`, received in exchange, imitates `original`. */
  | { kind: 'imitation'; token: Address; original: Address }
  /** Unlisted and without an oracle price, from an undecoded call. */
  | { kind: 'doubtful-token'; token: Address }
  /** `value` in wei is sent if the calls do not fail. */
  | { kind: 'fails'; value: bigint }
  | { kind: 'unchecked' }
  /** Unusual in itself or for the value moved; `fee` in wei. */
  | { kind: 'fee'; doubt: FeeDoubt['kind']; fee: bigint }
  | { kind: 'typed-data' }
  | { kind: 'message'; doubt: 'hash' | 'bytes' }
  /** Does not match the request; `domain` is the site named. */
  | { kind: 'sign-in'; fault: SiweError; domain?: string }
  | { kind: 'unpriced' }

/** Returns the acknowledgement's key: stable while amounts move a little, different after large moves. */
export function riskKey(risk: Risk): string {
  switch (risk.kind) {
    case 'call':
      return risk.warning
    case 'unseen':
    case 'no-change':
    case 'unstable':
    case 'weak':
    case 'typed-data':
    case 'unpriced':
    case 'fails':
    case 'unchecked':
      return risk.kind
    case 'foreign-recipient':
    case 'new-recipient':
      return [risk.kind, risk.recipient].join(' ')
    case 'message':
      return [risk.kind, risk.doubt].join(' ')
    case 'sign-in':
      return [risk.kind, risk.fault].join(' ')
    case 'look-alike':
      return [risk.kind, risk.address, risk.of].join(' ')
    case 'lost':
      return [risk.kind, risk.recipient, risk.token].join(' ')
    case 'no-code':
      return [risk.kind, risk.contract].join(' ')
    case 'imitation':
    case 'doubtful-token':
      return [risk.kind, risk.token].join(' ')
    // Bounded by the decision's fee cap.
    case 'fee':
      return [risk.kind, risk.doubt].join(' ')
    case 'beyond-balance':
      return [risk.kind, risk.token, risk.spender, risk.isHidden].join(' ')
    case 'below-minimum':
      return [risk.kind, risk.buy].join(' ')
    case 'low-minimum':
      return [risk.kind, risk.buy, lostTenths(risk.promised, risk.expected)].join(' ')
    case 'unreturned':
      return [risk.kind, risk.calls, risk.token, risk.nft].join(' ')
    case 'loss':
      return [risk.kind, risk.buy, lostTenths(risk.received, risk.expected)].join(' ')
  }
}

export function tokensAtRisk(risk: Risk): Address[] {
  if (risk.kind === 'fee' || risk.kind === 'fails') return [nativeTokenAddress]
  if (risk.kind === 'imitation') return [risk.token, risk.original]
  if ('token' in risk) return [risk.token]
  return 'buy' in risk && risk.buy !== undefined ? [risk.buy] : []
}

export function keysToAcknowledge(risks: Risk[]): string[] {
  return [...new Set(risks.filter(({ isGrave }) => isGrave).map(riskKey))]
}

/** True when `amount` is below 90 % of `expected`. */
export function isFarBelow(amount: bigint, expected: bigint): boolean {
  return amount * 10n < expected * 9n
}

/** In tenths: a larger loss needs a new acknowledgement. */
function lostTenths(amount: bigint, expected: bigint): bigint {
  return ((expected - amount) * 10n) / expected
}
