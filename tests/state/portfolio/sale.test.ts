import { afterEach, describe, expect, it, vi } from 'vitest'
import { dollars } from '../../../src/domain/value/currency.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { WalletError } from '../../../src/errors.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { createSale, type SaleLine, sumSale, toLossBps } from '../../../src/state/portfolio/sale.ts'
import type { HoldingRow } from '../../../src/state/portfolio/summary.ts'
import { dai, eth, local, pending, quoteOf, standInWallet, token, usdc } from '../../helpers/state/fakes.ts'
import { account, open, popup } from '../../helpers/state/popup.ts'

const dollar = 100_000_000n
const link = token('1', 'LINK', 18)

function row(one: typeof dai, balance: bigint, usd: bigint, network = local): HoldingRow {
  return { network, token: one, balance, usd, isFresh: true, hasFailed: false }
}

const stablePrice: TokenPrice = { usd: 99_000_000n, per: 10n ** 6n, source: 'oracle' }

function start(methods: Partial<WalletApi> = {}) {
  const asked: string[] = []
  const views = new Set<string>()
  const sale = createSale(
    standInWallet({
      gasReserve: async () => 10n ** 17n,
      prices: async (_, [stable]) => ({ prices: stable ? { [stable]: stablePrice } : {}, rate: dollars }),
      token: async () => usdc,
      ...methods,
      async quote(request, view) {
        asked.push(request.trade.sell)
        views.add(`${view}`)
        return methods.quote?.(request, view) ?? quoteOf(request.trade, 50_000_000n)
      },
    }),
  )
  const statuses = () => sale.getState().lines.map(({ status }) => status)
  return { sale, asked, statuses, views }
}

afterEach(() => vi.useRealTimers())

describe('createSale', () => {
  it('quotes one token after the other, at the stablecoin’s price', async () => {
    const first = pending<ReturnType<typeof quoteOf>>()
    const { sale, asked, statuses } = start({
      quote: async ({ trade }) => (trade.sell === dai.address ? first.promise : quoteOf(trade, 20_000_000n)),
    })
    const done = sale.start([row(dai, 1n, 60n * dollar), row(link, 1n, 30n * dollar)])
    await Promise.resolve()
    expect(asked).toEqual([dai.address])
    expect(statuses()).toEqual(['asking', 'waiting'])
    first.resolve(quoteOf({ chainId: 1, sell: dai.address, buy: usdc.address, amount: 1n }, 50_000_000n))
    await done
    expect(sale.getState()).toMatchObject({
      isRunning: false,
      lines: [
        { status: 'quoted', returns: 4_950_000_000n },
        { status: 'quoted', returns: 1_980_000_000n },
      ],
    })
    expect(sumSale(sale.getState().lines)).toEqual({
      value: 90n * dollar,
      returns: 6_930_000_000n,
      unsold: 0,
    })
  })

  it('takes a stablecoin without a price as one dollar', async () => {
    const { sale } = start({ prices: async () => ({ prices: {}, rate: dollars }) })
    await sale.start([row(dai, 1n, 60n * dollar)])
    expect(sale.getState().lines[0]).toMatchObject({ returns: 50n * dollar })
  })

  it('keeps what pays network fees, and does not quote the stablecoin or what is worth less than a dollar', async () => {
    let sold = 0n
    const { sale, asked, statuses } = start({
      quote: async ({ trade }) => {
        sold = trade.amount
        return quoteOf(trade, 1_000_000n)
      },
    })
    await sale.start([
      row(eth, 10n ** 18n, 3_000n * dollar),
      row(usdc, 5_000_000n, 5n * dollar),
      row(dai, 1n, dollar - 1n),
    ])
    expect(asked).toEqual([eth.address])
    expect(sold).toBe(9n * 10n ** 17n)
    expect(statuses()).toEqual(['quoted', 'kept'])
    // A tenth is kept at its price.
    expect(sale.getState().lines[0]).toMatchObject({ returns: 300n * dollar + 99_000_000n })
    await sale.start([row(eth, 10n ** 16n, 30n * dollar)])
    expect(statuses()).toEqual(['reserved'])
  })

  it('names tokens without a route, a quote or a swap service, and does not count them', async () => {
    const { sale, statuses } = start({
      quote: async ({ trade }) => {
        throw new WalletError(trade.sell === dai.address ? 'no-route' : 'service-failed', 'No.')
      },
    })
    const { stable: _, ...withoutStable } = { ...local, chainId: 99 }
    await sale.start([
      row(dai, 1n, 5n * dollar),
      row(link, 1n, 5n * dollar),
      row(link, 1n, 5n * dollar, withoutStable),
    ])
    expect(statuses()).toEqual(['no-route', 'failed', 'no-service'])
    expect(sumSale(sale.getState().lines)).toEqual({ value: 0n, returns: 0n, unsold: 3 })
  })

  it('stops after the running quote, whose answer is dropped', async () => {
    const answer = pending<ReturnType<typeof quoteOf>>()
    const { sale, asked, statuses } = start({ quote: () => answer.promise })
    const done = sale.start([row(dai, 1n, 5n * dollar), row(link, 1n, 5n * dollar)])
    await Promise.resolve()
    sale.stop()
    answer.resolve(quoteOf({ chainId: 1, sell: dai.address, buy: usdc.address, amount: 1n }))
    await done
    expect(asked).toEqual([dai.address])
    expect(statuses()).toEqual(['waiting', 'waiting'])
    expect(sale.getState().isRunning).toBe(false)
  })

  it('quotes as a view of its own, so that popup and tab do not abort each other', async () => {
    const [one, other] = [start(), start()]
    const rows = [row(dai, 1n, 5n * dollar), row(link, 1n, 5n * dollar)]
    await Promise.all([one.sale.start(rows), other.sale.start(rows)])
    expect(one.views.size).toBe(1)
    expect(new Set([...one.views, ...other.views]).size).toBe(2)
  })

  it('forgets its lines with the lock, and drops the running quote', async () => {
    const answer = pending<ReturnType<typeof quoteOf>>()
    const { sale, asked } = start({ quote: () => answer.promise })
    const done = sale.start([row(dai, 1n, 5n * dollar), row(link, 1n, 5n * dollar)])
    await Promise.resolve()
    sale.lock()
    answer.resolve(quoteOf({ chainId: 1, sell: dai.address, buy: usdc.address, amount: 1n }))
    await done
    expect(asked).toEqual([dai.address])
    expect(sale.getState()).toEqual({ lines: [], isRunning: false })
  })

  it('forgets its lines when another account is opened', async () => {
    vi.useFakeTimers()
    const two = { ...account, address: `0x${'2'.repeat(40)}`, name: 'Account 2' } as const
    const stores = await popup({
      gasReserve: async () => 0n,
      prices: async () => ({ prices: {}, rate: dollars }),
      token: async () => usdc,
      status: async () => ({ ...open, accounts: [account, two] }),
    })
    const sale = stores.get(createSale)
    await sale.start([row(dai, 1n, 5n * dollar)])
    expect(sale.getState().lines).toHaveLength(1)
    stores.account.prefer(two.address)
    expect(stores.account.getState()).toMatchObject({ account: { address: two.address } })
    expect(sale.getState().lines).toEqual([])
    stores.stop()
  })
})

it('computes the loss against prices', () => {
  const line = (value: bigint, returns: bigint): SaleLine => ({
    row: row(dai, 1n, value),
    value,
    status: 'quoted',
    returns,
  })
  expect(toLossBps(sumSale([line(100n, 90n), line(100n, 104n)]))).toBe(300)
  expect(toLossBps({ value: 0n, returns: 0n })).toBe(0)
})
