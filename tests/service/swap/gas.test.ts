import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawGasSamples } from '../../../bench/gasSamples.ts'
import { estimateGas } from '../../../service/swap/quote.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.stop())

describe('estimateGas', () => {
  it('is never below the gas of 300 random swaps of all kinds, and at most 15 % above', async () => {
    const { localnet, engine } = running
    const seen = { count: 0, least: Number.POSITIVE_INFINITY, most: 0, kinds: new Set<string>() }
    for await (const sample of drawGasSamples(localnet, engine, { seed: 22, warmUps: 600, draws: 800 })) {
      const { route, used, feePpm, isNewHolder } = sample
      const ratio = Number(estimateGas({ feePpm }, route, isNewHolder)) / used
      seen.least = Math.min(seen.least, ratio)
      seen.most = Math.max(seen.most, ratio)
      for (const { pool } of route.edges) seen.kinds.add(pool.source)
      if (route.branches.length > 1) seen.kinds.add('branches')
      if (route.edges.some(({ weight }) => weight > 0)) seen.kinds.add('split')
      if (route.edges.some(({ pool, from, sold }) => pool.steps?.(route.tokens[from]!, sold).crossed.length))
        seen.kinds.add('ticks')
      if (feePpm > 0) seen.kinds.add('fee')
      seen.count++
    }
    console.log('Quoted gas as a part of what is used:', seen)
    expect(seen.count).toBeGreaterThanOrEqual(300)
    for (const kind of [
      'UNISWAP_V2',
      'UNISWAP_V3',
      'BALANCER_V2_WEIGHTED',
      'BALANCER_V2_STABLE',
      'AERODROME_V2',
      'CURVE',
      'CURVE_STABLE_NG',
      'PANCAKESWAP_STABLE',
      'UNISWAP_V4',
      'ALGEBRA',
      'BALANCER_V3_WEIGHTED',
      'BALANCER_V3_STABLE',
      'AERODROME_SLIPSTREAM',
      'SAVINGS_DAI',
      'LIDO_WSTETH',
      'MAKER_PSM',
      'BALANCER_V2_COMPOSABLE_STABLE',
      'WETH',
    ]) {
      expect(seen.kinds).toContain(kind)
    }
    for (const kind of ['branches', 'split', 'ticks', 'fee']) expect(seen.kinds).toContain(kind)
    expect(seen.least).toBeGreaterThanOrEqual(1)
    expect(seen.most).toBeLessThanOrEqual(1.15)
  }, 300_000)
})
