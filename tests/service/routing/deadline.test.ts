import { expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, toRouteLimits } from '../../../bench/routing/trades.ts'
import { createGivenFeed, headerAt } from '../../../bench/soak/memoryFeed.ts'
import { createEngine } from '../../../service/engine.ts'

it('ends a search with its best route when its time is over, and says so', async () => {
  const { config, tokens, standings } = createSynthetic(300)
  const feed = createGivenFeed({ block: headerAt(1), tip: 0n, pools: standings })
  const engine = await createEngine(config, feed)
  const request = createTrades(tokens.slice(0, 5), toRouteLimits(config, 0n), 1_000_000, 1)()
  const whole = (await engine.route(request))!
  const early = (await engine.route(request, { searchMs: 0 }))!
  expect([whole.isCutShort, early.isCutShort]).toEqual([false, true])
  expect(early.returns).toBeGreaterThan(0n)
  expect(early.returns).toBeLessThan(whole.returns)
})
