import { accountDecoders } from '../abi/accountCalls.ts'
import { readPayment } from '../abi/paymentCalls.ts'
import { readRecipients } from '../abi/recipients.ts'
import type { Call } from '../activity/callBatch.ts'
import type { Network } from '../network/network.ts'
import { isPublicRouter, knownRouters, stripReferralSuffix } from '../swap/routers.ts'
import { type Address, type Hex, nativeTokenAddress } from '../token/token.ts'
import type { CallWarning, DecodedCall, DecodedTokenCall } from './decodedCall.ts'
import type { CallDecoder } from './decoder.ts'
import { swapDecoders } from './swapDecoders.ts'
import { tokenDecoders } from './tokenDecoders.ts'

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
  if (to === undefined) return { kind: 'create', bytes: toBytes(data), value, warnings: [] }
  if (data === '0x') return { kind: 'transfer', token: nativeTokenAddress, to, amount: value, warnings: [] }
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const unknown = { kind: 'unknown', to, selector, bytes: toBytes(data), value } as const
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
    return { ...words, warnings: [...toWarnings(words, known), ...(along ? (['coins-along'] as const) : [])] }
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
  const payment = readPayment(data, place)
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

function toWarnings(
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

function toBytes(data: Hex): number {
  return Math.max(0, Math.ceil((data.length - 2) / 2))
}
