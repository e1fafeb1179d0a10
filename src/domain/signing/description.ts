import type { Call } from '../activity/callBatch.ts'
import type { Address, Hex } from '../token/token.ts'
import type { SignedField } from './signedFields.ts'

/**
 * Meaning of typed data (EIP-712), as far as its types state it exactly. Every kind but `sign-in` takes an explicit tick: typed
 * data is dangerous unless it is positively known to be harmless.
 */
export type Description = {
  /** The domain's verifying contract. */
  contract?: Address
  network: SignedNetwork
  warnings: SignWarning[]
} & Reading

export type Reading =
  | Permit
  | Transfer
  | Cancellation
  | Authorization
  | Order
  | AccountCalls
  | SafeMessage
  | Unpriced

/** Kinds whose terms state assets. */
export type Priced = Permit | Transfer | Order

type Unpriced = Digest | SignIn | Other

/**
 * What a signature allows, in one form for every kind that states assets. Bounds: `leaves` is the most that may leave `owner`,
 * `arrives` the least that must come in return.
 */
export type Terms = {
  owner: Address
  leaves: SignedAsset[]
  /** In return, to `to`. Empty for permits and transfers. */
  arrives: SignedAsset[]
  /** Parts of the trade that go to others, such as a marketplace fee or a royalty. */
  fees: SignedAsset[]
  /** Account that may take what leaves; absent when anyone may fill the order or submit the signature. */
  spender?: Address
  /** Unix time in seconds; absent when it never ends. */
  until?: bigint
}

export type SignedAsset = {
  /** `native` for the network's native token; the collection for an NFT. */
  token: Address
  /** In base units; the number of pieces for an NFT. */
  amount: bigint | 'all'
  /** Token id of an NFT; 'any' when the taker may choose it. */
  item?: bigint | 'any'
  /** Recipient, where the signature fixes it. */
  to?: Address
}

/** `terms.spender` may take `terms.leaves`. */
export type Permit = {
  kind: 'permit'
  standard: 'EIP-2612' | 'DAI' | 'Permit2' | 'ERC-721' | 'ERC-721 for all' | 'Aave credit delegation'
  /** True when the spender may take again until `terms.until`; false for a single transfer. */
  isLasting: boolean
  /** True when `terms.until` only ends the time to submit the signature: the allowance stays until it is revoked. */
  isUntilRevoked: boolean
  /** Data of the spender's own contract that is signed along. */
  witness?: SignedField
  terms: Terms
}

/** EIP-3009: moves `terms.leaves` to their recipient without another question. */
export type Transfer = {
  kind: 'transfer'
  standard: 'EIP-3009'
  /** True when only the recipient may submit it. */
  isPull: boolean
  /** Unix time in seconds from which it can be submitted; 0 is at once. */
  validAfter: bigint
  terms: Terms
}

/** Makes the transfer with this nonce void; moves nothing. */
export type Cancellation = { kind: 'cancellation'; standard: 'EIP-3009'; owner: Address; nonce: Hex }

/** `manager` controls all positions of `owner` at the contract, until it is revoked. */
export type Authorization = {
  kind: 'authorization'
  protocol: 'Morpho Blue' | 'Compound III'
  owner: Address
  manager: Address
  /** False revokes. */
  isAllowed: boolean
  /** Last moment to submit the signature, unix seconds. */
  until: bigint
}

export type Venue = '1inch' | 'CoW Protocol' | '0x' | 'UniswapX' | 'Seaport'

/** Trade that anyone, or the named taker, may fill. */
export type Order = {
  kind: 'order'
  venue: Venue
  /** Exact side: the other one is a limit. */
  side: 'sell' | 'buy'
  /** False when contract code that the data does not show decides what arrives. */
  isFloorCertain: boolean
  terms: Terms
}

/** Calls that are made in the name of `sender`, without another question. */
export type AccountCalls = {
  kind: 'calls'
  standard: 'MetaTransaction' | 'ForwardRequest' | 'Safe' | 'ERC-4337' | '0x'
  sender: Address
  /** Absent when the inner calldata has no known form. */
  calls?: Call[]
  /** The undecoded inner calldata. */
  data: Hex
  /** True when the code runs with full control over `sender` (DELEGATECALL). */
  isDelegate: boolean
  /** Refund or fee that `sender` pays to the relayer on top; its amount may be a bound. */
  fee?: SignedAsset
  until?: bigint
}

/** Message in the name of a Safe (EIP-1271): whatever accepts signatures of the Safe accepts it. */
export type SafeMessage = { kind: 'safe-message'; message: Hex }

/** Nothing but digests or packed bytes: their meaning cannot be seen. */
export type Digest = { kind: 'digest' } & Named

/** Harmless: no contract, only fields of a login, a statement or a vote, and no site named but the one that asks. */
export type SignIn = { kind: 'sign-in' } & Named

/** `isForOtherSite`: a sign-in in all else, that names a site other than the one that asks. */
export type Other = { kind: 'other'; isForOtherSite?: true } & Named

type Named = { name?: string; primaryType: string; fields: SignedField[] }

/** Networks on which the signature is valid. */
export type SignedNetwork =
  | { kind: 'chain'; chainId: bigint }
  /** The domain's salt encodes the chain, as tokens on Polygon do. */
  | { kind: 'salt'; chainId: bigint; isCurrent: boolean }
  | { kind: 'any' }

export type SignWarning =
  /** More than anyone has. */
  | 'unlimited'
  /** In force for more than a day, an order for more than a month. */
  | 'long-lived'
  /** What arrives goes to another account. */
  | 'foreign-recipient'
  /** The owner is not the account that signs. */
  | 'foreign-owner'
  /** Types of a well-known contract, for another contract. */
  | 'unknown-contract'
  /** Neither a chain id nor a salt binds it to a network. */
  | 'no-network'
  /** The salt encodes another chain than the active one. */
  | 'other-network'
  /** The page names a contract, a chain or a salt that the domain's type leaves out. */
  | 'unsigned-domain'
  /** An order for which nothing arrives. */
  | 'no-return'
  | 'price-by-code'
  /** The taker chooses which NFTs of a collection leave. */
  | 'any-item'
  | 'full-control'
  | 'delegate-call'
  | 'unreadable-calls'
  /** A sign-in for another site than the one that asks. */
  | 'other-site'
