import { parseAbi } from 'viem'
import { decodeExact } from '../../domain/abi/decodeStrict.ts'
import type { PartnerFee } from '../../domain/calldata/decodedCall.ts'
import type { DirectContracts } from '../../domain/network/swapSource.ts'
import { belowMinReturn } from '../../domain/swap/belowMinReturn.ts'
import { type OwnRoute, readOwnRoute } from '../../domain/swap/ownRoute.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import { stripReferralSuffix } from '../../domain/swap/routers.ts'
import type { CalldataTerms, SwapExpectations } from '../../domain/swap/simulationCheck.ts'
import {
  type Address,
  type Hex,
  isNative,
  nativeTokenAddress,
  zeroAddress,
} from '../../domain/token/token.ts'
import { once } from '../../lib/once.ts'
import type { Deadlines } from './deadlines.ts'
import { requireEqual, unsafeTransaction } from './unsafe.ts'
import { readDirectTerms } from './verifyDirect.ts'
import { requireRouterOnChain } from './verifyRouter.ts'

// Verifies calldata byte by byte; refuses what it cannot read. Of the route in `data`, only partner fee and
// deadline are verified: whatever the rest says, our router takes at most `amount` and pays at least
// `minReturnAmount`, or reverts (contracts/ISwapRouter.sol). So does the public router, whose executors may
// take a fee. A pinned router has only the simulation. Direct swaps are read whole (verifyDirect.ts).

/** Short entry points lack some. `isClosed`: see `readDirectTerms`. */
type Terms = {
  sell: string
  buy?: string
  amount: bigint
  floor: bigint
  receiver?: string
  flags?: bigint
  /** Only from our own router. */
  route?: OwnRoute
  deadline?: bigint
  isPermitted?: boolean
  isClosed?: boolean
}

// General entry point (`compatibility=true`), selector 0x07ed2379.
const swap = once(
  () =>
    parseAbi([
      'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
      'function swap(address executor, Description desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
    ])[0],
)
const swapSelector = '0x07ed2379'

/** All other bits are refused. */
const partialFill = 1n
const usePermit2 = 4n

/**
 * Short entry points of the public router (`unoswap`): words before the pools, and selectors for one to three
 * pools.
 */
const shortShapes = [
  { words: ['sell', 'amount', 'floor'], selectors: ['0x83800a8e', '0x8770ba91', '0x19367472'] },
  { words: ['receiver', 'sell', 'amount', 'floor'], selectors: ['0xe2c95c82', '0xea76dddf', '0xf7a70056'] },
  { words: ['floor'], selectors: ['0xa76dfc3b', '0x89af926a', '0x188ac35d'] },
  { words: ['receiver', 'floor'], selectors: ['0x175accdc', '0x0f449d71', '0x493189f0'] },
]

/**
 * Verifies calldata against the agreed terms. Unless `strict`, accepts short entry points, which do not name
 * the bought token. Non-binding calldata needs a simulation. Throws `below-floor`, or `unsafe-transaction`
 * with `facts.fact`.
 */
export function verifySwapCalldata(
  transaction: SwapTransaction,
  agreed: SwapExpectations,
  { strict, isBindingRouter, deadlines, direct }: VerifyDeps,
): CalldataTerms {
  const { account, trade, receiver = account } = agreed
  requireEqual('sender', transaction.from, account)
  checkTarget(transaction.to, agreed)

  const data = stripReferralSuffix(transaction.data.toLowerCase() as Hex, agreed.router, trade.chainId)
  const terms: Terms =
    agreed.router === direct?.router ? readDirectTerms(data, direct) : readTerms(data, transaction, strict)

  requireEqual('sell', terms.sell, trade.sell)
  if (terms.buy !== undefined) requireEqual('buy', terms.buy, trade.buy)
  const value = isNative(trade.sell) ? trade.amount : 0n
  requireEqual('value', transaction.value, value)
  requireEqual('amount', terms.amount, trade.amount)
  if (terms.flags !== undefined) {
    requireEqual('flags', terms.flags, getFlags(agreed))
  }
  requireEqual('receiver', terms.receiver ?? account, receiver)
  if (terms.route !== undefined) {
    requireEqual('fee', formatFee(terms.route.fee), getFee(agreed))
    checkDeadline(terms.route.deadline, deadlines)
  }
  if (terms.deadline !== undefined) checkDeadline(terms.deadline, deadlines)
  if (terms.isPermitted && agreed.permission?.via !== 'permit') throw unsafeTransaction('permit')
  if (terms.floor < agreed.floor) {
    throw belowMinReturn('The transaction promises', terms.floor, agreed.floor, 'you accepted')
  }
  return {
    floor: terms.floor,
    isBinding: terms.buy !== undefined && terms.isClosed !== false && isBindingRouter,
  }
}

export type VerifyDeps = {
  strict: boolean
  isBindingRouter: boolean
  deadlines: Deadlines
  /** Direct swaps of the network, whose router has functions of its own. */
  direct?: DirectContracts | undefined
}

function readTerms(data: Hex, transaction: SwapTransaction, strict: boolean): Terms {
  const terms = data.startsWith(swapSelector)
    ? readGeneral(data, transaction)
    : strict
      ? undefined
      : readShort(data, transaction)
  if (terms === undefined) throw unsafeTransaction('selector', swapSelector, data.slice(0, 10))
  return terms
}

function checkTarget(target: Address, { router: expected, trade }: SwapExpectations): void {
  if (target !== expected) requireRouterOnChain(target, trade.chainId, expected)
  requireEqual('router', target, expected)
}

function getFlags({ allowPartialFill, permission }: SwapExpectations): bigint {
  return (allowPartialFill ? partialFill : 0n) + (permission?.via === 'permit2' ? usePermit2 : 0n)
}

/** API in basis points, route in ppm. */
function getFee({ options: { feeBps = 0, referrer = zeroAddress } = {} }: SwapExpectations): string {
  return formatFee(feeBps === 0 ? undefined : { ppm: BigInt(feeBps) * 100n, taker: referrer })
}

function checkDeadline(deadline: bigint, { after, before }: Deadlines): void {
  if (deadline > after && deadline < before) return
  throw unsafeTransaction('deadline', `after ${after} and before ${before}`, String(deadline))
}

function formatFee(fee: PartnerFee | undefined): string {
  return fee === undefined ? 'none' : `${fee.ppm} ppm for ${fee.taker}`
}

function readGeneral(data: Hex, { to }: SwapTransaction): Terms {
  const [executor, desc, route] = decodeSwap(data)
  return {
    sell: desc.srcToken,
    buy: desc.dstToken,
    amount: desc.amount,
    floor: desc.minReturnAmount,
    // Zero means the sender.
    ...(desc.dstReceiver.toLowerCase() !== zeroAddress && { receiver: desc.dstReceiver }),
    flags: desc.flags,
    // Such a router is ours, or compatible.
    ...(executor.toLowerCase() === to.toLowerCase() && { route: routeIn(route) }),
  }
}

function routeIn(data: Hex): OwnRoute {
  const route = readOwnRoute(data)
  if (route === undefined) throw unsafeTransaction('fee')
  return route
}

function decodeSwap(data: Hex) {
  try {
    return decodeExact(swap().inputs, `0x${data.slice(10)}`)
  } catch (cause) {
    throw unsafeTransaction('encoding', undefined, undefined, cause)
  }
}

function readShort(data: Hex, { value }: SwapTransaction): Terms | undefined {
  const selector = data.slice(0, 10)
  const shape = shortShapes.find(({ selectors }) => selectors.includes(selector))
  if (shape === undefined) return undefined
  const pools = shape.selectors.indexOf(selector) + 1
  if (data.length !== 10 + 64 * (shape.words.length + pools)) {
    throw unsafeTransaction('encoding')
  }
  const word = (name: string): string | undefined => {
    const index = shape.words.indexOf(name)
    return index < 0 ? undefined : data.slice(10 + 64 * index, 74 + 64 * index)
  }
  const [sell, amount, receiver] = [word('sell'), word('amount'), word('receiver')]
  return {
    // Without a token, sells the native token.
    sell: sell === undefined ? nativeTokenAddress : addressIn(sell),
    amount: amount === undefined ? value : BigInt(`0x${amount}`),
    floor: BigInt(`0x${word('floor')}`),
    ...(receiver !== undefined && { receiver: addressIn(receiver) }),
  }
}

/** Dirty upper bytes stay and fail the comparison. */
function addressIn(word: string): string {
  return `0x${word.replace(/^0{24}/, '')}`
}
