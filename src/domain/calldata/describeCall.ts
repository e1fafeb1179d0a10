import { accountDecoders } from '../abi/accountCalls.ts'
import type { Exchange } from '../abi/exchange.ts'
import { readPayment } from '../abi/paymentCalls.ts'
import { readRecipients } from '../abi/recipients.ts'
import type { Call } from '../activity/callBatch.ts'
import type { Network } from '../network/network.ts'
import type { PartnerFee } from '../swap/ownRoute.ts'
import { isPublicRouter, knownRouters, stripReferralSuffix } from '../swap/routers.ts'
import { type Address, type Hex, nativeTokenAddress } from '../token/token.ts'
import type { CallDecoder } from './decoder.ts'
import { swapDecoders } from './swapDecoders.ts'
import { tokenDecoders } from './tokenDecoders.ts'

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

export type KnownContracts = {
  account: Address
  chainId: number
  /** Besides the well-known public ones. */
  routers: readonly Address[]
  /** Known routers without code. */
  missing?: readonly Address[]
  wrapped?: readonly Address[]
}

/** Returns the network's routers and wrapped token. */
export function knownOn(
  network: Pick<Network, 'router' | 'wrapped'> | undefined,
  { account, chainId }: Pick<KnownContracts, 'account' | 'chainId'>,
): KnownContracts & { wrapped: readonly Address[] } {
  const { router, wrapped } = network ?? {}
  return {
    account,
    chainId,
    routers: [...knownRouters(chainId), ...(router ? [router] : [])],
    wrapped: wrapped ? [wrapped] : [],
  }
}

/**
 * Describes a call; `unknown` unless its bytes encode back to themselves, as a contract may read them
 * differently. Never throws.
 */
export function describeCall(call: Call, known: KnownContracts): DecodedCall {
  const { data, value } = call
  const to = call.to?.toLowerCase() as Address | undefined
  if (to === undefined) return { kind: 'create', bytes: bytesOf(data), value, warnings: [] }
  if (data === '0x') return { kind: 'transfer', token: nativeTokenAddress, to, amount: value, warnings: [] }
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const unknown = { kind: 'unknown', to, selector, bytes: bytesOf(data), value } as const
  try {
    readers ??= new Map(
      [...tokenDecoders(), ...accountDecoders(), ...swapDecoders()].map((reader) => [
        reader.selector,
        reader,
      ]),
    )
    const reader = readers.get(selector)
    const words = reader?.read(stripReferralSuffix(data.toLowerCase() as Hex, to, known.chainId), {
      to,
      value,
      account: known.account,
      wrapped: known.wrapped ?? [],
    })
    if (reader === undefined || words === undefined) return unread(unknown, data, known)
    const along = value > neededValue(words, reader)
    return { ...words, warnings: [...warningsOf(words, known), ...(along ? (['coins-along'] as const) : [])] }
  } catch {
    return unread(unknown, data, known)
  }
}

/** Returns the maximum that the call uses. */
function neededValue(words: DecodedTokenCall, { payable }: CallDecoder): bigint {
  if (words.kind === 'unknown' || words.kind === 'create') return words.value
  const isUsed = words.kind === 'wrap' || (words.kind === 'swap' && words.sell === nativeTokenAddress)
  return payable && isUsed ? words.amount : 0n
}

function unread(
  words: Extract<DecodedTokenCall, { kind: 'unknown' }>,
  data: Hex,
  { account, chainId, wrapped = [] }: KnownContracts,
): DecodedCall {
  const place = { to: words.to, account, chainId, wrapped }
  const { names, foreign, isComplete, exchange, isRefunded } = readRecipients(data, place)
  const payment = readPayment(data, account)
  const [name = payment?.name, ...inner] = names
  return {
    ...words,
    ...(payment && { isPayment: true, ...(payment.payees.length > 0 && { payees: payment.payees }) }),
    ...(name !== undefined && { name: inner.length === 0 ? name : `${name}: ${inner.join(', ')}` }),
    ...(foreign.length > 0 && { recipients: foreign }),
    ...(exchange && { exchange }),
    warnings: [
      ...(foreign.length > 0 || !isComplete ? (['foreign-receiver'] as const) : []),
      ...(exchange && !isComplete ? (['no-floor'] as const) : []),
      ...(exchange && words.value > 0n && !isRefunded && !exchange.sold.includes(nativeTokenAddress)
        ? (['coins-along'] as const)
        : []),
    ],
  }
}

function warningsOf(
  words: DecodedTokenCall,
  { account, chainId, routers, missing }: KnownContracts,
): CallWarning[] {
  const isRouter = (address: Address) =>
    !missing?.includes(address) && (isPublicRouter(address, chainId) || routers.includes(address))
  const found: (CallWarning | false)[] = []
  if (words.kind === 'swap') {
    found.push(
      !isRouter(words.router) && 'unknown-router',
      words.floor === 0n && 'no-floor',
      words.receiver !== account && 'foreign-receiver',
      words.fee !== undefined && 'fee',
      words.flags !== undefined && (words.flags & 1n) === 1n && 'partial-fill',
    )
  }
  if ((words.kind === 'approve' || words.kind === 'permit') && words.amount > 0n) {
    found.push(!isRouter(words.spender) && 'unknown-spender')
  }
  if (words.kind === 'approve-all' && words.approved) {
    found.push(!isRouter(words.operator) && 'unknown-spender')
  }
  found.push(words.kind === 'operator' && words.approved && 'operator')
  return found.filter((warning) => warning !== false)
}

let readers: Map<Hex, CallDecoder> | undefined

function bytesOf(data: Hex): number {
  return Math.max(0, Math.ceil((data.length - 2) / 2))
}
