import { parseEther } from 'viem'
import { expect, it } from 'vitest'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Clock } from '../../../src/state/clock.ts'
import { createQuote } from '../../../src/state/swap/quote.ts'
import { useStage } from '../../helpers/background/worker.ts'

const stage = useStage()

/** Shortens only the 250 ms typing delay. */
const hurried: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms === 250 ? 5 : ms)
    return () => clearTimeout(timer)
  },
}

it('never shows a late quote of a real service after the trade changed', async () => {
  const { tokens } = stage.localnet
  const api = v6(createHttp({ baseUrl: stage.service.url, deadlineMs: 600_000 }), 31337)
  const answered: bigint[] = []
  let held: (() => void)[] = []
  const store = createQuote(
    {
      // Not aborted: every answer arrives.
      async quote({ trade }) {
        const mayArrive = new Promise<void>((resolve) => held.push(resolve))
        const [quote] = await Promise.all([api.quote(trade), mayArrive])
        answered.push(trade.amount)
        return quote
      },
      priceImpact: async () => undefined,
      marketReturns: async () => undefined,
      findSellAmount: () => Promise.reject(new Error('Not expected.')),
    },
    { clock: hurried, everyMs: () => 600_000, random: () => 0.5 },
  )
  const stale: unknown[] = []
  let watched: bigint | undefined
  store.subscribe((state) => {
    if (state.status !== 'ready') return
    const { trade, quote } = state
    if (trade.amount !== watched || quote.trade.amount !== watched) stale.push(state)
  })

  for (let round = 0; round < 6; round++) {
    let trade: Trade | undefined
    for (let index = 1; index <= 10; index++) {
      const amount = parseEther('0.01') + BigInt(10 * round + index)
      trade = { chainId: 31337, sell: nativeTokenAddress, buy: tokens.DAI, amount }
      watched = amount
      store.watch(trade)
      await expect.poll(() => held.length, { interval: 5 }).toBe(index)
    }
    for (const arrive of held.reverse()) {
      const before = answered.length
      arrive()
      await expect.poll(() => answered.length, { interval: 5 }).toBe(before + 1)
      await expect.poll(() => store.getState(), { interval: 5 }).toMatchObject({ status: 'ready', trade })
    }
    held = []
  }
  store.watch(undefined)

  const outOfOrder = answered.filter((amount, index) => amount < (answered[index - 1] ?? 0n))
  expect(outOfOrder).toHaveLength(54)
  expect(stale).toEqual([])
})
