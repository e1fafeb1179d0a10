import type { Hex } from 'viem'
import { view, words } from '../../indexer/abiWords.ts'
import type { BlockRef, Call, Chain } from '../../indexer/chain.ts'
import type { PoolInfo } from '../poolType.ts'
import { type StableSwapNumbers, viewExchange } from './stableSwapMath.ts'
import { isStableSwap, ngForm, type StableSwapInfo, type StableSwapState } from './stableSwapPool.ts'

/**
 * Reads the states of pools at a block, with two answers of each pool's own view. A pool is usable only if
 * our arithmetic gives the same: implementations differ, and not all are known.
 */
export async function readStableSwaps(
  chain: Chain,
  block: BlockRef,
  pools: readonly PoolInfo<StableSwapInfo>[],
): Promise<StableSwapState[]> {
  const addresses = pools.map(({ address }) => address)
  const answers = await chain.readIsolated(pools.map(questionsOf), block, addresses)
  return pools.map((pool, i) => toState(pool, answers[i] as Hex[]))
}

const balances = view('function balances(uint256)')
const A = view('function A()')
const preciseA = view('function A_precise()')
const futureA = view('function future_A()')
const getFee = view('function fee()')
const getAdminFee = view('function admin_fee()')
const offpegFeeMultiplier = view('function offpeg_fee_multiplier()')
const getKilled = view('function is_killed()')
const storedRates = view('function stored_rates()')
const getDy = view('function get_dy(int128, int128, uint256)')
const getDyUnsigned = view('function get_dy(uint256, uint256, uint256)')

/** Digits that show roundings. */
const probes = [1_234_567n, 12_345_678_901n] as const
const probeScale = 1_000_000n

type Probe = { sell: number; buy: number; amount: bigint }

/** The first token sold for the second, and the last for the first. */
function probesOf({ decimals }: StableSwapInfo): Probe[] {
  const last = decimals.length - 1
  const sides = [
    { sell: 0, buy: 1 },
    { sell: last, buy: 0 },
  ]
  return sides.map(({ sell, buy }, i) => {
    const amount = ((probes[i] as bigint) * 10n ** BigInt(decimals[sell] as number)) / probeScale
    return { sell, buy, amount: amount > 0n ? amount : 1n }
  })
}

function questionsOf({ address: to, fixed }: PoolInfo<StableSwapInfo>): Call[] {
  const { form, precision, decimals, hasRates } = fixed
  const asked = [
    ...decimals.map((_, i) => balances(i)),
    precision === 1 ? A() : preciseA(),
    ...[futureA(), getFee(), getAdminFee(), offpegFeeMultiplier(), getKilled()],
    ...probesOf(fixed).map(({ sell, buy, amount }) => {
      return (form === 1 ? getDyUnsigned : getDy)(sell, buy, `0x${amount.toString(16)}`)
    }),
    ...(hasRates ? [storedRates()] : []),
  ]
  return asked.map((data) => ({ to, data }))
}

function toState({ tokens, fixed }: PoolInfo<StableSwapInfo>, answers: readonly Hex[]): StableSwapState {
  const count = tokens.length
  const answer = (i: number) => words(answers[i] ?? '0x')[0]
  const [amplification, future, fee, adminFee] = [0, 1, 2, 3].map((i) => answer(count + i))
  const rates = fixed.hasRates
    ? words(answers.at(-1) ?? '0x').slice(-count)
    : fixed.decimals.map((places) => 10n ** BigInt(36 - places))
  const numbers = {
    amplification: amplification ?? 0n,
    balances: tokens.map((_, i) => answer(i) ?? 0n),
    rates,
    fee: fee ?? 0n,
    adminFee: adminFee ?? 0n,
    offpegMultiplier: answer(count + 4) ?? 0n,
  }
  const isMoving = fixed.isFloating || (future !== undefined && future !== amplification)
  const isKilled = (answer(count + 5) ?? 0n) !== 0n
  const state = { ...numbers, isJoint: fixed.form === ngForm, isUsable: true, isMoving }
  const needed = [amplification, fee, adminFee, ...tokens.map((_, i) => answer(i))]
  const isCut = needed.includes(undefined) || rates.length < count
  // No event tells when a pool answers again that used up its gas, or is left out for it.
  if (isCut) return { ...unreadable(count), isMoving: true }
  if (!isStableSwap(count, fixed, state)) return { ...unreadable(count), isMoving: fixed.isFloating }
  const views = probesOf(fixed).map((probe, i) => ({ ...probe, answer: answer(count + 6 + i) }))
  const form = formsOf(state, fixed).find((one) => answersAlike({ ...state, ...one }, fixed, views))
  return { ...state, isJoint: form?.isJoint ?? state.isJoint, isUsable: !isKilled && form !== undefined }
}

type View = Probe & { answer: bigint | undefined }

/** The forms of D and of `get_dy` that contracts have; NG has one. */
function formsOf({ isJoint }: StableSwapState, { form }: StableSwapInfo) {
  if (form === ngForm) return [{ isJoint, isLate: false }]
  return [false, true].flatMap((isJoint) => [false, true].map((isLate) => ({ isJoint, isLate })))
}

function answersAlike(
  { isLate, ...state }: StableSwapState & { isLate: boolean },
  { form, precision }: StableSwapInfo,
  views: readonly View[],
): boolean {
  const numbers: StableSwapNumbers = { ...state, isNg: form === ngForm, precision: BigInt(precision) }
  return views.every(({ sell, buy, amount, answer }) => {
    try {
      return answer !== undefined && viewExchange(numbers, sell, buy, amount, isLate) === answer
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
  })
}

function unreadable(count: number): StableSwapState {
  return {
    ...{ amplification: 1n, fee: 0n, adminFee: 0n, offpegMultiplier: 0n },
    ...{ balances: Array(count).fill(0n), rates: Array(count).fill(1n) },
    ...{ isJoint: false, isUsable: false, isMoving: false },
  }
}
