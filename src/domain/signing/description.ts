import type { Call } from '../activity/callBatch.ts'
import type { Address, Hex } from '../token/token.ts'
import type { SignedField } from './signedFields.ts'

/**
 * Meaning of typed data (EIP-712), as far as its types state it. Every kind but `sign-in` needs an explicit
 * acknowledgement: typed data is dangerous unless known to be harmless.
 */
export type TypedDataDescription = {
  contract?: Address
  network: SignedNetwork
  warnings: SignWarning[]
} & Reading

export type Reading =
  | Permit
  | Transfer
  | Cancellation
  | Authorization
  | OrderDescription
  | AccountCalls
  | SafeMessage
  | Unpriced

export type Priced = Permit | Transfer | OrderDescription

type Unpriced = Digest | SignIn | OtherDescription

/** `leaves` is the maximum from `owner`, `arrives` the minimum in return. */
export type Terms = {
  owner: Address
  leaves: SignedAsset[]
  /** Empty for permits and transfers. */
  arrives: SignedAsset[]
  fees: SignedAsset[]
  /** Absent when anyone may fill or submit. */
  spender?: Address
  /** Unix seconds; absent when it never ends. */
  until?: bigint
}

export type SignedAsset = {
  token: Address
  /** Base units; a count for NFTs. */
  amount: bigint | 'all'
  /** NFT id; 'any' if the taker chooses. */
  item?: bigint | 'any'
  /** If fixed by the signature. */
  to?: Address
}

/** Lets `terms.spender` take `terms.leaves`. */
export type Permit = {
  kind: 'permit'
  standard: 'EIP-2612' | 'DAI' | 'Permit2' | 'ERC-721' | 'ERC-721 for all' | 'Aave credit delegation'
  /** False for a single transfer. */
  isLasting: boolean
  /** `terms.until` limits only submission: the allowance stays until revoked. */
  isUntilRevoked: boolean
  witness?: SignedField
  terms: Terms
}

/** EIP-3009 transfer. */
export type Transfer = {
  kind: 'transfer'
  standard: 'EIP-3009'
  /** Only the recipient may submit it. */
  isPull: boolean
  /** Unix seconds; 0 is at once. */
  validAfter: bigint
  terms: Terms
}

/** Voids the transfer with this nonce. */
export type Cancellation = { kind: 'cancellation'; standard: 'EIP-3009'; owner: Address; nonce: Hex }

/** `manager` controls all positions until revoked. */
export type Authorization = {
  kind: 'authorization'
  protocol: 'Morpho Blue' | 'Compound III'
  owner: Address
  manager: Address
  /** False revokes. */
  isAllowed: boolean
  /** Submission deadline in Unix seconds. */
  until: bigint
}

export type Venue = '1inch' | 'CoW Protocol' | '0x' | 'UniswapX' | 'Seaport'

/** Trade that `terms.spender`, or anyone, may fill. */
export type OrderDescription = {
  kind: 'order'
  venue: Venue
  /** Exact side; the other is a limit. */
  side: 'sell' | 'buy'
  /** False if code outside the data decides what arrives. */
  isFloorCertain: boolean
  /** The sum, if several are signed at once. */
  terms: Terms
  /** Several orders of a tree; anyone may fill one alone. */
  orders?: Terms[]
}

export type AccountCalls = {
  kind: 'calls'
  standard: 'MetaTransaction' | 'ForwardRequest' | 'Safe' | 'ERC-4337' | '0x'
  sender: Address
  /** Absent for an unknown form. */
  calls?: Call[]
  data: Hex
  /** DELEGATECALL: the code fully controls `sender`. */
  isDelegate: boolean
  /** Paid to the relayer; may be a bound. */
  fee?: SignedAsset
  until?: bigint
}

/** EIP-1271 message, accepted wherever the Safe's signatures are. */
export type SafeMessage = { kind: 'safe-message'; message: Hex }

/** Digests or packed bytes without known meaning. */
export type Digest = { kind: 'digest' } & Named

/** Harmless data: only fields of a login, statement or vote, no contract, no other site. */
export type SignIn = { kind: 'sign-in' } & Named

/** `isForOtherSite`: a sign-in that names another site. */
export type OtherDescription = { kind: 'other'; isForOtherSite?: true } & Named

type Named = { name?: string; primaryType: string; fields: SignedField[] }

export type SignedNetwork =
  | { kind: 'chain'; chainId: bigint }
  /** Chain id in the domain's salt, as by tokens on Polygon. */
  | { kind: 'salt'; chainId: bigint; isCurrent: boolean }
  | { kind: 'any' }

export type SignWarning =
  | 'unlimited'
  /** Valid for over a day; an order, over a month. */
  | 'long-lived'
  | 'foreign-recipient'
  | 'foreign-owner'
  /** Not the well-known contract of these types. */
  | 'unknown-contract'
  | 'no-network'
  | 'other-network'
  /** A contract, chain or salt outside the domain type. */
  | 'unsigned-domain'
  | 'no-return'
  | 'price-by-code'
  | 'any-item'
  | 'full-control'
  | 'delegate-call'
  | 'unreadable-calls'
  /** Above the network's usual limit. */
  | 'large-fee'
  /** A smart account calls itself. */
  | 'self-call'
  | 'other-site'
