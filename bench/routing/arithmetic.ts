import { createRequire } from 'node:module'
import { maxTick, minTick, sqrtPriceAtTick, swapStep } from '../../service/pools/math/sqrtPrice.ts'
import { createRandom } from '../random.ts'

// Its ES modules import folders, which Node rejects.
const load = createRequire(import.meta.url)
const { SwapMath, TickMath } = load('@uniswap/v3-sdk') as {
  SwapMath: { computeSwapStep(...given: unknown[]): [unknown, unknown, unknown, unknown] }
  TickMath: { getSqrtRatioAtTick(tick: number): unknown }
}
const jsbi = createRequire(load.resolve('@uniswap/v3-sdk'))('jsbi') as { BigInt(text: string): unknown }

export type ArithmeticFigures = ReturnType<typeof benchArithmetic>

const inputs = 10_000

/** Compares our v3 arithmetic with Uniswap's SDK. */
export function benchArithmetic() {
  const random = createRandom(3)
  const ticks = Array.from({ length: inputs }, () => Math.floor(random.between(minTick, maxTick + 1)))
  const steps = ticks.map((tick) => {
    const far = Math.round(random.between(-3_000, 3_000))
    return {
      price: sqrtPriceAtTick(tick),
      target: sqrtPriceAtTick(Math.min(maxTick, Math.max(minTick, tick + far))),
      liquidity: BigInt(Math.round(10 ** random.between(0, 26))),
      amount: BigInt(Math.round(10 ** random.between(0, 30))),
      fee: BigInt(random.pick([100, 500, 3_000, 10_000])),
    }
  })
  const theirSteps = steps.map(({ price, target, liquidity, amount, fee }) =>
    [price, target, liquidity, amount, fee].map((value) => jsbi.BigInt(String(value))),
  )

  const ourPrices = timed(ticks, sqrtPriceAtTick)
  const theirPrices = timed(ticks, TickMath.getSqrtRatioAtTick)
  const ourSteps = timed(steps, ({ price, target, liquidity, amount, fee }) =>
    swapStep(price, target, liquidity, amount, fee),
  )
  const theirAnswers = timed(theirSteps, (given) => SwapMath.computeSwapStep(...given))
  return {
    inputs,
    sqrtPriceAtTick: {
      equal: count((i) => String(ourPrices.answers[i]) === String(theirPrices.answers[i])),
      ourNs: ourPrices.ns,
      theirNs: theirPrices.ns,
    },
    swapStep: {
      equal: count((i) => {
        const { sqrtPrice, sold, bought } = ourSteps.answers[i]!
        const [price, input, output, fee] = theirAnswers.answers[i]!.map((value) => BigInt(String(value)))
        return sqrtPrice === price && sold === input! + fee! && bought === output
      }),
      ourNs: ourSteps.ns,
      theirNs: theirAnswers.ns,
    },
  }
}

function count(holds: (i: number) => boolean): number {
  let held = 0
  for (let i = 0; i < inputs; i++) if (holds(i)) held++
  return held
}

function timed<Input, Answer>(given: readonly Input[], call: (input: Input) => Answer) {
  const answers = given.map((input) => call(input))
  const started = performance.now()
  for (const input of given) call(input)
  return { answers, ns: (1e6 * (performance.now() - started)) / given.length }
}
