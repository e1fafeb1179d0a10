import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/random.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import {
  createStableSwapStage,
  type StablePlan,
  type StableSale,
  type StagedStable,
  toStablePool,
} from '../../helpers/node/stableSwapStage.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: ReturnType<typeof createStableSwapStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createStableSwapStage(localnet)
})
afterAll(() => localnet.stop())

const plain = { form: 0, offpegMultiplier: 0n } as const
const ng = { form: 2, precision: 100 } as const

/** Per kind of pool: numbers of tokens, decimals, A from 1 to its maximum, fees from none to a half. */
const plans: Record<string, readonly StablePlan[]> = {
  "Curve's pools of 2020": [
    { ...plain, precision: 1, decimals: [18, 6, 6], amplification: 2_000n, fee: 1_000_000n },
    { ...plain, precision: 1, decimals: [8, 8], amplification: 100n, fee: 4_000_000n },
    { ...plain, precision: 1, decimals: [0, 18], amplification: 2n, fee: 5_000_000_000n },
  ],
  "Curve's pools before NG": [
    { ...plain, precision: 100, decimals: [18, 18], amplification: 40n, fee: 0n },
    { ...plain, precision: 100, decimals: [6, 18, 2], amplification: 200n, fee: 4_000_000n },
    { ...plain, precision: 100, decimals: [18, 6, 6, 18], amplification: 1_000_000n, fee: 30_000_000n },
  ],
  "Curve's NG pools": [
    { ...ng, decimals: [6, 18], amplification: 200n, fee: 1_000_000n, offpegMultiplier: 50_000_000_000n },
    { ...ng, decimals: [18, 18, 6], amplification: 1_000n, fee: 4_000_000n, offpegMultiplier: 10n ** 10n },
    {
      ...{ ...ng, decimals: [6, 6, 18, 18, 8, 18, 0, 18], amplification: 100n },
      ...{ fee: 100_000_000n, offpegMultiplier: 200_000_000_000n },
    },
    {
      ...ng,
      decimals: [18, 6, 18, 6, 18],
      amplification: 20_000n,
      fee: 0n,
      offpegMultiplier: 20_000_000_000n,
    },
  ],
  "PancakeSwap's pools": [
    {
      ...{ form: 1, precision: 1, decimals: [18, 18], amplification: 1_000n },
      ...{ fee: 4_000_000n, offpegMultiplier: 0n },
    },
    {
      ...{ form: 1, precision: 1, decimals: [18, 6, 18], amplification: 400n },
      ...{ fee: 10_000_000n, offpegMultiplier: 0n },
    },
  ],
}

describe.each(Object.entries(plans))('%s', (name, kinds) => {
  it('are quoted to the wei as the contract pays, for any balances, decimals, A, fee and amount', async () => {
    const random = createRandom(name.length)
    const seen = { paid: 0, refused: 0, nothing: 0 }
    for (const plan of kinds) {
      const pool = await stage.createPool(plan)
      for (let round = 0; round < 6; round++) {
        const balances = drawBalances(random, plan, round)
        const sales = Array.from({ length: 36 }, () => drawSale(random, balances))
        const ours = toStablePool(pool, balances)
        const outcomes = await stage.swap(pool, balances, sales)
        for (const [i, sale] of sales.entries()) {
          const outcome = outcomes[i]
          const told = `${plan.decimals} ${balances} ${JSON.stringify({ ...sale, amount: String(sale.amount) })}`
          expect(quoteOf(ours, pool, sale), told).toBe(outcome?.received ?? 0n)
          seen[outcome === undefined ? 'refused' : outcome.received > 0n ? 'paid' : 'nothing']++
          if (outcome === undefined || outcome.received === 0n) continue
          const after = ours.after?.(pool.tokens[sale.sell]!, pool.tokens[sale.buy]!, sale.amount)
          const same = toStablePool(pool, outcome.after)
          for (const back of [sale, { sell: sale.buy, buy: sale.sell, amount: 1n + outcome.received / 3n }]) {
            expect(quoteOf(after!, pool, back), told).toBe(quoteOf(same, pool, back))
          }
        }
      }
    }
    expect(seen.paid).toBeGreaterThan(200)
    expect(seen.refused).toBeGreaterThan(10)
  })

  it('answer in their own view what is quoted, or what 2020 rounds otherwise', async () => {
    const random = createRandom(name.length + 1)
    let same = 0
    let count = 0
    for (const plan of kinds) {
      const pool = await stage.createPool(plan)
      const balances = drawBalances(random, plan, 0)
      const sales = Array.from({ length: 100 }, () => drawSale(random, balances))
      const ours = toStablePool(pool, balances)
      for (const [i, answer] of (await stage.views(pool, balances, sales)).entries()) {
        const quote = quoteOf(ours, pool, sales[i]!)
        const difference = quote - (answer ?? 0n)
        count++
        if (difference === 0n) same++
        // The fee is rounded in base units there: one of them, or none.
        else expect(plan.precision === 1 && difference * difference === 1n, `${balances}`).toBe(true)
      }
    }
    expect(same).toBeGreaterThan(plans[name]![0]!.precision === 1 ? count / 4 : count - 1)
  })
})

describe('StableSwap pools', () => {
  it('quote nothing while killed or not understood, empty, or for nothing', async () => {
    const pool = await stage.createPool(plans["PancakeSwap's pools"]![0]!)
    const balances = [10n ** 24n, 10n ** 24n]
    const sale = { sell: 0, buy: 1, amount: 10n ** 18n }
    const dead = [toStablePool(pool, balances, { isUsable: false }), toStablePool(pool, [0n, 10n ** 24n])]
    for (const ours of [...dead, toStablePool(pool, [0n, 0n])]) {
      expect(quoteOf(ours, pool, sale)).toBe(0n)
      const curve = ours.curve(pool.tokens[0]!, pool.tokens[1]!)
      expect([curve.capacity, curve.most, curve.bought(1e18), curve.soldAt(1e-9)]).toEqual([0, 0, 0, 0])
    }
    const live = toStablePool(pool, balances)
    expect(quoteOf(live, pool, { ...sale, amount: 0n })).toBe(0n)
    expect(quoteOf(live, pool, sale)).toBeGreaterThan(0n)
  })

  it('encode form and indexes for the router', async () => {
    const pool = await stage.createPool(plans["Curve's NG pools"]![1]!)
    const ours = toStablePool(pool, [10n ** 24n, 10n ** 24n, 10n ** 12n])
    expect(ours.encode(pool.tokens[2]!, pool.tokens[1]!)).toEqual({
      ...{ kind: 6, fee: 0, detail: 0x020201n },
    })
  })
})

function quoteOf(ours: Pool, pool: StagedStable, { sell, buy, amount }: StableSale): bigint {
  return ours.quote(pool.tokens[sell]!, pool.tokens[buy]!, amount)
}

/** From dust to more than the arithmetic holds, the last rounds; unbalanced. */
function drawBalances(random: Random, { decimals }: StablePlan, round: number): bigint[] {
  const whole = 10 ** (round === 5 ? random.between(19, 24) : random.between(round === 4 ? -1 : 2, 10))
  return decimals.map((places) => {
    const part = whole * 10 ** (random.chance(0.2) ? random.between(-3, 3) : random.between(-0.7, 0.7))
    return BigInt(Math.round(part * 10 ** places)) + 1n
  })
}

function drawSale(random: Random, balances: readonly bigint[]): StableSale {
  const sell = Math.floor(random.between(0, balances.length))
  const buy = (sell + 1 + Math.floor(random.between(0, balances.length - 1))) % balances.length
  const size = Number(balances[sell]) * 10 ** random.between(-9, random.chance(0.1) ? 6 : 1)
  return { sell, buy, amount: BigInt(Math.round(size)) + 1n }
}
