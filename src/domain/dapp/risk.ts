import type { Warning } from '../calldata/describeCall.ts'
import type { FeeDoubt } from '../network/feeLimits.ts'
import type { SiweError } from '../signing/siwe.ts'
import { type Address, nativeTokenAddress } from '../token/token.ts'

/** Reason to look at a request twice. A grave one has to be acknowledged: the worker refuses a decision without it. */
export type Risk = Reason & { isGrave: boolean }

type Reason =
  /** Of calldata by itself. */
  | { kind: 'call'; warning: Warning }
  /** More takes part than the simulation reads. */
  | { kind: 'unseen' }
  /** An undecoded call changes nothing visible. `isPaid`: beside the native token that it sends along. */
  | { kind: 'no-change'; isPaid?: true }
  /** The outcome depends on the block. */
  | { kind: 'unstable' }
  /** Contracts can tell the simulation from a real block. */
  | { kind: 'weak' }
  /**
   * `spender` may take more of `token` than the account holds afterwards. `balance` is absent where the node did not tell it.
   * `isHidden`: no call says so. `isCollection`: every item of `token`, now and later.
   */
  | {
      kind: 'beyond-balance'
      token: Address
      spender: Address
      balance?: bigint
      isHidden: boolean
      isCollection?: true
    }
  /** A swap's minimum is far below `expected`, by the simulation or by the market. Both in base units of `buy`. */
  | { kind: 'low-minimum'; buy: Address; promised: bigint; expected: bigint }
  /**
   * A decoded exchange brings less than it promises, in base units of `buy`. `buy` is absent where the
   * calldata does not name it, and then nothing arrives or `received` is the most of any token.
   */
  | { kind: 'below-minimum'; buy?: Address; received: bigint; promised: bigint }
  /** What arrives is worth far less than what leaves. Both in base units of `buy`. */
  | { kind: 'loss'; buy: Address; received: bigint; expected: bigint }
  /** After so many `calls` of a batch the account has sent `amount` without the return that all of them bring. */
  | { kind: 'unreturned'; calls: number; token: Address; nft?: bigint; amount: bigint }
  /** A payout goes to `recipient`, not to the account. Absent where the wallet cannot read all. */
  | { kind: 'foreign-recipient'; recipient?: Address }
  /** `address`, which receives or may take something, begins and ends as `of`, which the user knows. */
  | { kind: 'look-alike'; address: Address; of: Address }
  /** A transfer to the zero address, or to the contract of `token` itself. */
  | { kind: 'lost'; recipient: Address; token: Address }
  /** A call with data of `contract`, where no contract is. */
  | { kind: 'no-code'; contract: Address }
  /** A first transfer to `recipient`. */
  | { kind: 'new-recipient'; recipient: Address }
  /** `token`, which arrives for something, looks like `original`, a well-known one or the native token. */
  | { kind: 'imitation'; token: Address; original: Address }
  /** An undecoded call gives `token` for something, which is in no list and has no oracle's price. */
  | { kind: 'doubtful-token'; token: Address }
  /** The simulation fails. `value` in wei goes along if the calls do not. */
  | { kind: 'fails'; value: bigint }
  /** No simulation tells what the calls do. */
  | { kind: 'unchecked' }
  /** The fee, at most `fee` wei, is odd in itself or for what is moved. */
  | { kind: 'fee'; doubt: FeeDoubt['kind']; fee: bigint }
  /** Typed data that is not known to be harmless. */
  | { kind: 'typed-data' }
  /** A message that is, or may be, a hash, or bytes that are no text. */
  | { kind: 'message'; doubt: 'hash' | 'bytes' }
  /** A message to sign in with that does not fit the request. `domain` is the site that it names. */
  | { kind: 'sign-in'; fault: SiweError; domain?: string }
  /** Nothing independent tells what is exchanged for what. */
  | { kind: 'unpriced' }

/** What a decision carries for an acknowledged risk. It stays the same while amounts move a little, and changes when they move far. */
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
    // The decision's fee cap holds the amount.
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

/** Tokens that a risk names. */
export function tokensAtRisk(risk: Risk): Address[] {
  if (risk.kind === 'fee' || risk.kind === 'fails') return [nativeTokenAddress]
  if (risk.kind === 'imitation') return [risk.token, risk.original]
  if ('token' in risk) return [risk.token]
  return 'buy' in risk && risk.buy !== undefined ? [risk.buy] : []
}

/** Keys of what has to be acknowledged, each once. */
export function keysToAcknowledge(risks: Risk[]): string[] {
  return [...new Set(risks.filter(({ isGrave }) => isGrave).map(riskKey))]
}

/** True when less than 90 % of `expected` is certain. */
export function isFarBelow(amount: bigint, expected: bigint): boolean {
  return amount * 10n < expected * 9n
}

/** Lost share in whole tenths, of which more has to be acknowledged anew. */
function lostTenths(amount: bigint, expected: bigint): bigint {
  return ((expected - amount) * 10n) / expected
}
