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

/** What a call asks of a contract, read from its bytes alone. Nothing in it was said by the page in words. */
export type CallWords = Words & { warnings: Warning[] }

export type Words =
  | { kind: 'create'; bytes: number; value: bigint }
  /**
   * `from` when another's tokens are moved. For an ERC-721 collection, which has the same function, `amount`
   * is the item's number.
   */
  | { kind: 'transfer'; token: Address; to: Address; amount: bigint; from?: Address }
  /**
   * `adds`: on top of what may be taken already. For an ERC-721 collection `amount` is the item's number.
   * `until`: unix seconds.
   */
  | { kind: 'approve'; token: Address; spender: Address; amount: bigint; adds?: boolean; until?: bigint }
  /** Every item of a collection, now and later, or no longer. */
  | { kind: 'approve-all'; collection: Address; operator: Address; approved: boolean }
  /** `operator` may do with what `contract` keeps for the account as it likes, or no longer. */
  | { kind: 'operator'; contract: Address; operator: Address; approved: boolean }
  /** `delegatee` votes with what the account holds at `contract`, if that is a token with votes. */
  | { kind: 'delegate'; contract: Address; delegatee: Address }
  | { kind: 'transfer-items'; collection: Address; from: Address; to: Address; items: Item[] }
  /** An approval that `owner` signed (EIP-2612, or as DAI does it). */
  | { kind: 'permit'; token: Address; owner: Address; spender: Address; amount: bigint; until: bigint }
  /** Of the network's wrapped coin alone. */
  | { kind: 'wrap'; token: Address; amount: bigint }
  | { kind: 'unwrap'; token: Address; amount: bigint }
  | SwapWords
  /** A function the wallet does not know by more than its name, or bytes that it cannot read for sure. */
  | {
      kind: 'unknown'
      to: Address
      selector: Hex
      name?: string
      bytes: number
      value: bigint
      /** A vote: nothing changes and nothing should. */
      isVote?: boolean
      /** A known payment: what goes along is all that changes. */
      isPayment?: boolean
      /** Minimums of its swaps, where they are known. */
      exchange?: Exchange
      /** Accounts that a known payment pays. */
      payees?: Address[]
      /** The recipients of its payouts as far as its parts are known, without the account and `to`. */
      recipients?: Address[]
    }

export type SwapWords = {
  kind: 'swap'
  router: Address
  sell: Address
  /** Not every router's calldata says. */
  buy?: Address
  /** Sold, at most. */
  amount: bigint
  /** Bought, at least. */
  floor: bigint
  receiver: Address
  /** Coins sent along. */
  value: bigint
  flags?: bigint
  /** Taken from what is sold. */
  fee?: PartnerFee
}

/** One or several of a collection's item (EIP-1155), or the only one (EIP-721). */
export type Item = { id: bigint; amount: bigint }

export type Warning =
  /** The swap may pay next to nothing. */
  | 'no-floor'
  /** Something that it pays out goes to another account. */
  | 'foreign-receiver'
  /** It has the shape of a swap, but goes to a contract that is not known as a router. */
  | 'unknown-router'
  /** Somebody takes a part of what is sold. */
  | 'fee'
  /** The router may sell a part only. */
  | 'partial-fill'
  /** The approval is not for a known router. */
  | 'unknown-spender'
  /** Another account may use what the contract keeps for this one. */
  | 'operator'
  /** Coins go along with a function that has no use for them. */
  | 'coins-along'

export type Known = {
  account: Address
  chainId: number
  /** Contracts that the wallet swaps through. The well-known public ones are known in any case. */
  routers: readonly Address[]
  /** Known routers whose contract is not there. */
  missing?: readonly Address[]
  /** The network's wrapped coin, where it is known. */
  wrapped?: readonly Address[]
}

/**
 * Facts known on `chainId` before a call of `account` is read: routers and the wrapped token of
 * the network.
 */
export function knownOn(
  network: Pick<Network, 'router' | 'wrapped'> | undefined,
  { account, chainId }: Pick<Known, 'account' | 'chainId'>,
): Known & { wrapped: readonly Address[] } {
  const { router, wrapped } = network ?? {}
  return {
    account,
    chainId,
    routers: [...knownRouters(chainId), ...(router ? [router] : [])],
    wrapped: wrapped ? [wrapped] : [],
  }
}

/**
 * Says in words what `call` would do. Bytes that decode but do not encode back to themselves are `unknown`: a
 * contract may read
 * them in another way. Never throws.
 */
export function describeCall(call: Call, known: Known): CallWords {
  const { data, value } = call
  const to = call.to?.toLowerCase() as Address | undefined
  if (to === undefined) return { kind: 'create', bytes: bytesOf(data), value, warnings: [] }
  if (data === '0x') return { kind: 'transfer', token: nativeTokenAddress, to, amount: value, warnings: [] }
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const unknown = { kind: 'unknown', to, selector, bytes: bytesOf(data), value } as const
  try {
    // Made when the first call is read: importing a file does nothing.
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

/** The native tokens that a call has a use for, at most. */
function neededValue(words: Words, { payable }: CallDecoder): bigint {
  if (words.kind === 'unknown' || words.kind === 'create') return words.value
  const isUsed = words.kind === 'wrap' || (words.kind === 'swap' && words.sell === nativeTokenAddress)
  return payable && isUsed ? words.amount : 0n
}

/** With what its known parts tell of names and recipients. */
function unread(
  words: Extract<Words, { kind: 'unknown' }>,
  data: Hex,
  { account, chainId, wrapped = [] }: Known,
): CallWords {
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

function warningsOf(words: Words, { account, chainId, routers, missing }: Known): Warning[] {
  const isRouter = (address: Address) =>
    !missing?.includes(address) && (isPublicRouter(address, chainId) || routers.includes(address))
  const found: (Warning | false)[] = []
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
