import { builtInFeeLimits } from '../network/feeLimits.ts'
import { isUnlimited } from '../token/amount.ts'
import type { Address } from '../token/token.ts'
import type {
  AccountCalls,
  OrderDescription,
  Permit,
  Priced,
  Reading,
  SignedNetwork,
  SignWarning,
  Terms,
  TypedDataDescription,
} from './description.ts'
import { hasOnlyDigests } from './digest.ts'
import { readRelayedCalls } from './shapes/accountCalls.ts'
import { readAuthorization } from './shapes/authorization.ts'
import { isKnownContract } from './shapes/knownContracts.ts'
import { readLimitOrder } from './shapes/limitOrders.ts'
import { readPermit2 } from './shapes/permit2.ts'
import { readPermit } from './shapes/permits.ts'
import { readSafeMessage, readSafeTx } from './shapes/safe.ts'
import { readSeaport } from './shapes/seaport.ts'
import { isForOtherSite, isSignIn } from './shapes/signIn.ts'
import { readCancellation, readTransfer } from './shapes/transfer.ts'
import { readUniswapX } from './shapes/uniswapX.ts'
import { readUserOperation } from './shapes/userOperation.ts'
import { signedFields } from './signedFields.ts'
import type { TypedData } from './typedData.ts'

/** `now` in milliseconds since 1970; `origin` of the requesting site. */
export type SigningContext = { account: Address; chainId: number; now: number; origin: string }

/** Describes typed data. Recognizes a type only by its exact EIP-712 encoding. */
export function describeTypedData(typedData: TypedData, context: SigningContext): TypedDataDescription {
  const { account, chainId, now, origin } = context
  const contract = typedData.domain.verifyingContract
  const reading =
    readPermit(typedData, account) ??
    readUniswapX(typedData, account) ??
    readPermit2(typedData, account) ??
    readTransfer(typedData) ??
    readCancellation(typedData) ??
    readAuthorization(typedData) ??
    readLimitOrder(typedData, account) ??
    readSeaport(typedData) ??
    readRelayedCalls(typedData) ??
    readSafeTx(typedData) ??
    readSafeMessage(typedData) ??
    readUserOperation(typedData) ??
    readRest(typedData, account, origin)
  const network = toNetwork(typedData, chainId)
  const warnings = [
    ...domainWarnings(typedData, network),
    ...toWarnings(reading, contract, context, BigInt(Math.floor(now / 1_000))),
  ]
  return { ...(contract !== undefined && { contract }), network, ...reading, warnings }
}

function readRest(typedData: TypedData, account: Address, origin: string): Reading {
  const { domain, primaryType } = typedData
  const fields = signedFields(typedData)
  const isForLogin = isSignIn(typedData, fields, account)
  const isElsewhere = isForLogin && isForOtherSite(typedData, fields, origin)
  const named = { ...(domain.name !== undefined && { name: domain.name }), primaryType, fields }
  if (isElsewhere) return { kind: 'other', ...named, isForOtherSite: true }
  return { kind: isForLogin ? 'sign-in' : hasOnlyDigests(fields) ? 'digest' : 'other', ...named }
}

/** Larger salts are random bytes. */
const maxChainId = BigInt(Number.MAX_SAFE_INTEGER)

function toNetwork({ domain }: TypedData, active: number): SignedNetwork {
  if (domain.chainId !== undefined) return { kind: 'chain', chainId: domain.chainId }
  const salt = domain.salt === undefined ? 0n : BigInt(domain.salt)
  if (salt === 0n || salt > maxChainId) return { kind: 'any' }
  return { kind: 'salt', chainId: salt, isCurrent: salt === BigInt(active) }
}

function domainWarnings({ hasUnsignedDomain }: TypedData, network: SignedNetwork): SignWarning[] {
  return [
    ...(network.kind === 'any' ? (['no-network'] as const) : []),
    ...(network.kind === 'salt' && !network.isCurrent ? (['other-network'] as const) : []),
    ...(hasUnsignedDomain ? (['unsigned-domain'] as const) : []),
  ]
}

function toWarnings(
  reading: Reading,
  contract: Address | undefined,
  { account, chainId }: SigningContext,
  now: bigint,
): SignWarning[] {
  switch (reading.kind) {
    case 'permit':
    case 'transfer':
    case 'order':
      return [
        ...termWarnings(reading.terms, account, now + (reading.kind === 'order' ? 31n : 1n) * dayInSeconds),
        ...(reading.kind === 'order' ? orderWarnings(reading, account) : []),
        ...(isForKnownContract(reading, contract) ? [] : (['unknown-contract'] as const)),
      ]
    case 'authorization':
      return [
        ...(reading.isAllowed ? (['full-control'] as const) : []),
        ...(reading.owner === account ? [] : (['foreign-owner'] as const)),
      ]
    case 'calls':
      return callWarnings(reading, contract, account, chainId)
    case 'other':
      return reading.isForOtherSite ? ['other-site'] : []
    default:
      return []
  }
}

const dayInSeconds = 86_400n

/** `latest`: Unix seconds, beyond which it is long-lived (a day; a month for orders). */
function termWarnings({ owner, leaves, until }: Terms, account: Address, latest: bigint): SignWarning[] {
  const given = leaves.filter(({ amount }) => amount !== 0n)
  const isLong = given.length > 0 && (until === undefined || until > latest)
  return [
    ...(given.some(({ amount }) => isUnlimited(amount)) ? (['unlimited'] as const) : []),
    ...(given.some(({ item }) => item === 'any') ? (['any-item'] as const) : []),
    ...(isLong ? (['long-lived'] as const) : []),
    ...(owner === account ? [] : (['foreign-owner'] as const)),
  ]
}

function orderWarnings(
  { terms, orders = [terms], isFloorCertain }: OrderDescription,
  account: Address,
): SignWarning[] {
  const given = (assets: Terms['arrives']) => assets.filter(({ amount }) => amount !== 0n)
  const isGift = orders.some(({ leaves, arrives }) => leaves.length > 0 && given(arrives).length === 0)
  return [
    ...(isGift ? (['no-return'] as const) : []),
    ...(given(terms.arrives).some(({ to }) => to !== account) ? (['foreign-recipient'] as const) : []),
    ...(isFloorCertain ? [] : (['price-by-code'] as const)),
  ]
}

/** Only Permit2 and order venues have fixed addresses; tokens check their own permits. */
function isForKnownContract(reading: Priced, contract: Address | undefined): boolean {
  if (reading.kind === 'transfer') return true
  if (reading.kind === 'permit') return reading.standard !== 'Permit2' || isKnownContract('Permit2', contract)
  return isKnownContract(reading.venue === 'UniswapX' ? 'Permit2' : reading.venue, contract)
}

function callWarnings(
  { standard, sender, calls, isDelegate, fee }: AccountCalls,
  contract: Address | undefined,
  account: Address,
  chainId: number,
): SignWarning[] {
  // The sender is a smart account at another address.
  const isOwnerElsewhere = standard === 'Safe' || standard === 'ERC-4337'
  const isLargeFee =
    standard === 'ERC-4337' && typeof fee?.amount === 'bigint' && fee.amount > builtInFeeLimits(chainId).total
  // Owners, modules and guards of a smart account change by its own calls to itself.
  const isSelfCall = isOwnerElsewhere && calls?.some(({ to, data }) => to === sender && data !== '0x')
  const isKnown = standard === '0x' ? isKnownContract('0x', contract) : true
  return [
    ...(isDelegate ? (['delegate-call'] as const) : []),
    ...(calls === undefined ? (['unreadable-calls'] as const) : []),
    ...(fee !== undefined && isUnlimited(fee.amount) ? (['unlimited'] as const) : []),
    ...(isLargeFee ? (['large-fee'] as const) : []),
    ...(isSelfCall ? (['self-call'] as const) : []),
    ...(isOwnerElsewhere || sender === account ? [] : (['foreign-owner'] as const)),
    ...(isKnown ? [] : (['unknown-contract'] as const)),
  ]
}

/** False if it revokes. */
export function givesAllowance({ terms }: Permit): boolean {
  return terms.leaves.some(({ amount }) => amount !== 0n)
}
