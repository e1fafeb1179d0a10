import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { planSwap } from '../../../src/background/swap/plannedSwap.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import { knownRouters } from '../../../src/domain/swap/routers.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import type { ReviewRequest } from '../../../src/protocol.ts'
import { local } from '../../helpers/state/fakes.ts'

const [ours, aggregator] = knownRouters(8453) as [Address, Address]
const stranger: Address = `0x${'5'.repeat(40)}`
const account: Address = `0x${'a'.repeat(40)}`
const sell: Address = `0x${'c'.repeat(40)}`
const buy: Address = `0x${'d'.repeat(40)}`
const ask: ReviewRequest = {
  id: '1'.repeat(32),
  account,
  trade: { chainId: 8453, sell, buy, amount: 1_000n },
  slippageBps: 50,
}

type Scene = {
  target?: Address
  named?: Address
  pinned?: Address
  last?: Address
  balance?: bigint
  fails?: WalletError
  chainId?: number
}

function planned({
  target = ours,
  named = ours,
  pinned,
  last,
  balance = 5_000n,
  fails,
  chainId = 8453,
}: Scene) {
  const asked: string[] = []
  const planned: Address[] = []
  const api = {
    permitKinds: [],
    async spender() {
      asked.push('spender')
      return named
    },
    async swap(trade: ReviewRequest['trade']): Promise<SwapTransaction> {
      asked.push('swap')
      if (fails) throw fails
      return { trade, returns: 3_000n, from: account, to: target, data: '0x', value: 0n, gas: 1n, route: [] }
    },
  } satisfies Partial<SwapApi> as unknown as SwapApi
  const chain = {
    async position(_owner: Address, _token: Address, spender: Address) {
      planned.push(spender)
      return { balance, allowance: spender === aggregator ? 2_000n : 0n, native: 9n }
    },
    needsReset: async () => false,
    // Our router is not deployed.
    codeHash: async (address: Address) => (address === ours ? undefined : (`0x${'1'.repeat(64)}` as const)),
  } as unknown as Chain
  const network: Network = { ...local, chainId, ...(pinned && { router: pinned }) }
  const trade = { ...ask.trade, chainId }
  const settings = { accessLists: false }
  const plan = planSwap(
    { network, settings, api, chain, hasPermit: false, lastRouter: last },
    { ...ask, trade },
  )
  return { asked, planned, plan }
}

describe('planSwap', () => {
  it('plans for the known router that the swap names, though another one was expected and has no code', async () => {
    const { plan, asked, planned: spenders } = planned({ target: aggregator })
    expect(await plan).toMatchObject({
      router: aggregator,
      isBindingRouter: false,
      floor: 2_985n,
      way: { steps: ['swap'], spender: aggregator, allowed: 2_000n },
    })
    expect(asked).toEqual(['swap'])
    expect(spenders).toEqual([ours, aggregator])
  })

  it('plans once for the router of the last review', async () => {
    const { plan, asked, planned: spenders } = planned({ target: aggregator, last: aggregator })
    expect((await plan).router).toBe(aggregator)
    expect([asked, spenders]).toEqual([['swap'], [aggregator]])
  })

  it('ignores a last router that is not known', async () => {
    const { plan, planned: spenders } = planned({ target: aggregator, last: stranger })
    await plan
    expect(spenders).not.toContain(stranger)
  })

  it('plans only for the pinned router, whatever the swap names', async () => {
    const { plan, asked, planned: spenders } = planned({ target: aggregator, pinned: stranger, last: ours })
    expect(await plan).toMatchObject({ router: stranger, transaction: { to: aggregator } })
    expect([asked, spenders]).toEqual([['swap'], [stranger]])
  })

  it('rejects the expected router without code when the swap names it', async () => {
    await expect(planned({ target: ours }).plan).rejects.toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'code' },
    })
  })

  it('asks for the spender when the swap names an unknown router, and rejects an unknown one', async () => {
    const { plan, asked } = planned({ target: stranger, named: stranger })
    await expect(plan).rejects.toMatchObject({ code: 'unknown-router', facts: { router: stranger } })
    expect(asked).toEqual(['swap', 'spender'])
  })

  it('does not plan for an unknown target that the service denies', async () => {
    const { plan, planned: spenders } = planned({ target: stranger, named: aggregator })
    expect((await plan).router).toBe(aggregator)
    expect(spenders).not.toContain(stranger)
  })

  it('asks for the spender before the swap on a chain without known routers', async () => {
    const { plan, asked } = planned({ chainId: 5_000, named: stranger })
    await expect(plan).rejects.toMatchObject({ code: 'unknown-router' })
    expect(asked).toEqual(['spender'])
  })

  it('reports a missing balance rather than the service’s refusal', async () => {
    const fails = new WalletError('would-fail', 'No.')
    await expect(planned({ fails, balance: 999n, last: aggregator }).plan).rejects.toMatchObject({
      code: 'not-enough-balance',
    })
    await expect(planned({ fails }).plan).rejects.toBe(fails)
  })
})
