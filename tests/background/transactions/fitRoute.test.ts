import { expect, it } from 'vitest'
import { fitRoute } from '../../../src/background/transactions/fitRoute.ts'
import { WalletError } from '../../../src/errors.ts'

type Step = { gas: bigint; routeGas?: { limit: bigint; used: bigint } }

/** Limits are 1.5 times the use, besides an approval of 50,000. */
const stepOf = (used: bigint): Step => {
  const limit = (used * 3n) / 2n
  return { gas: 50_000n + limit, routeGas: { limit, used } }
}

async function fitInto(newest: Step, room: bigint, options: { ownLimit?: number; error?: Error } = {}) {
  const asked: number[] = []
  const { built, total } = await fitRoute({
    newest,
    async build(limit): Promise<Step> {
      asked.push(limit)
      if (options.error) throw options.error
      return stepOf(BigInt(limit))
    },
    price: async ({ gas }) => ({ fee: gas * 7n, total: gas * 7n + 1_000n }),
    room,
    gasPrice: 7n,
    ownLimit: options.ownLimit,
  })
  return { built, total, asked }
}

const dear = stepOf(400_000n)
const room = 400_000n * 7n

it('keeps a step whose fee fits, without another request', async () => {
  const { built, asked } = await fitInto(dear, dear.gas * 7n + 1_000n)
  expect(built).toBe(dear)
  expect(asked).toEqual([])
})

it('requests a route whose fee fits, with little room to spare', async () => {
  const { asked, total } = await fitInto(dear, room)
  expect(asked).toHaveLength(1)
  expect(total).toBeLessThanOrEqual(room)
  expect(total).toBeGreaterThan((room * 9n) / 10n)
})

it('never raises the gas limit of the user', async () => {
  expect((await fitInto(dear, room, { ownLimit: 150_000 })).asked).toEqual([150_000])
})

it.each([
  ['no route could fit', dear, 200_000n],
  ['the account cannot even pay the value', dear, -1n],
  ['the step has no route', { gas: dear.gas }, room],
])('requests nothing if %s', async (_, step, wei) => {
  const { built, asked } = await fitInto(step, wei)
  expect(built).toBe(step)
  expect(asked).toEqual([])
})

it('keeps the newest step if there is no cheaper route, and repeats what may pass', async () => {
  const none = new WalletError('no-route', 'None.')
  expect((await fitInto(dear, room, { error: none })).built).toBe(dear)
  const busy = new WalletError('service-busy', 'Later.')
  await expect(fitInto(dear, room, { error: busy })).rejects.toBe(busy)
})
