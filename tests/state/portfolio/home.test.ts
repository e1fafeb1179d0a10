import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { dollars } from '../../../src/domain/value/currency.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { WalletError } from '../../../src/errors.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { createHome } from '../../../src/state/portfolio/home.ts'
import { readLastKnown } from '../../../src/state/portfolio/lastKnown.ts'
import { local, settings, usdc } from '../../helpers/state/fakes.ts'
import { account, popup } from '../../helpers/state/popup.ts'

const other = { ...local, chainId: 10, name: 'Other' }
const unset = { ...local, chainId: 99, rpcUrl: '' }
const price: TokenPrice = { usd: 200_000_000n, per: 1n, source: 'oracle' }

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }))
afterEach(() => vi.useRealTimers())

async function open(methods: Partial<WalletApi> = {}) {
  const saved: unknown[][] = []
  const asked: number[] = []
  const stores = await popup({
    settings: async () => ({ ...settings, networks: [local, other, unset] }),
    tokens: async (chainId) => {
      asked.push(chainId)
      return []
    },
    balances: async () => ({ [nativeTokenAddress]: 5n }),
    blockNumber: async () => 1n,
    prices: async (_, tokens) => ({
      prices: Object.fromEntries(tokens.map((one) => [one, price])),
      rate: dollars,
    }),
    snapshots: async () => [],
    async addSnapshot(...given) {
      saved.push(given)
      return [{ at: Date.now(), usd: given[1], chains: given[2] }]
    },
    ...methods,
  })
  const home = stores.get(createHome)
  return { stores, home, saved, asked }
}

describe('createHome', () => {
  it('stores the total of all networks once both were read, once an hour', async () => {
    const { stores, home, saved, asked } = await open()
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(2_000)
    // Five units on each network, at two dollars.
    expect(saved).toEqual([[account.address, 20n * 100_000_000n, [10, 31_337]]])
    expect(home.getState().snapshots).toHaveLength(1)
    // A network without an RPC is never asked.
    expect(asked.toSorted()).toEqual([10, 31_337])
    await vi.advanceTimersByTimeAsync(50 * 60_000)
    expect(saved).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(11 * 60_000)
    expect(saved).toHaveLength(2)
    leave()
    stores.stop()
  })

  it.each<[string, Partial<WalletApi>]>([
    [
      'balances',
      {
        balances: async (chainId) => {
          if (chainId === 10) throw new WalletError('node-unreachable', 'No answer.')
          return { [nativeTokenAddress]: 5n }
        },
      },
    ],
    [
      'prices',
      {
        prices: async (chainId, tokens) => {
          if (chainId === 10) throw new WalletError('node-unreachable', 'No answer.')
          return { prices: Object.fromEntries(tokens.map((one) => [one, price])), rate: dollars }
        },
      },
    ],
  ])('stores no total while a network’s %s are missing', async (_, methods) => {
    const { stores, home, saved } = await open(methods)
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(saved).toEqual([])
    leave()
    stores.stop()
  })

  it('stores no total of the native token alone while prices of held tokens are on their way', async () => {
    const { stores, home, saved } = await open({
      settings: async () => settings,
      tokens: async () => [usdc],
      balances: async () => ({ [nativeTokenAddress]: 5n, [usdc.address]: 10n }),
      prices: async (_, tokens) => {
        if (tokens.includes(usdc.address)) await new Promise((resolve) => setTimeout(resolve, 5_000))
        return { prices: Object.fromEntries(tokens.map((one) => [one, price])), rate: dollars }
      },
    })
    stores.prices.track(31_337, [nativeTokenAddress])
    await vi.advanceTimersByTimeAsync(0)
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(stores.prices.price(31_337, nativeTokenAddress)).toEqual(price)
    expect(saved).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(saved.map(([, usd]) => usd)).toEqual([30n * 100_000_000n])
    leave()
    stores.stop()
  })

  it('stores a later total of the hour too, and tries again after a failure', async () => {
    let [isFailing, isLate] = [true, true]
    const totals: bigint[] = []
    const { stores, home } = await open({
      settings: async () => settings,
      tokens: async () => [usdc],
      balances: async () => ({ [nativeTokenAddress]: 5n, [usdc.address]: 10n }),
      // Pools price a few tokens per read.
      prices: async (_, tokens) => ({
        prices: Object.fromEntries(
          tokens.filter((one) => !isLate || one === nativeTokenAddress).map((one) => [one, price]),
        ),
        rate: dollars,
      }),
      async addSnapshot(_, usd) {
        if (isFailing) throw new WalletError('internal', 'Full.')
        totals.push(usd)
        return []
      },
    })
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(2_000)
    isFailing = false
    await vi.advanceTimersByTimeAsync(40_000)
    expect(totals).toEqual([10n * 100_000_000n])
    isLate = false
    await vi.advanceTimersByTimeAsync(70_000)
    expect(totals).toEqual([10n * 100_000_000n, 30n * 100_000_000n])
    leave()
    stores.stop()
  })

  it('counts prices as fresh for 90 seconds, however long ago home was opened', async () => {
    const { stores, home } = await open()
    const leave = home.watch(stores)
    const before = home.freshFrom()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(home.freshFrom() - before).toBe(60_000)
    leave()
    stores.stop()
  })

  it('keeps last known balances and prices for the session, and shows them at the next opening', async () => {
    const { stores, home } = await open()
    const leave = home.watch(stores)
    home.setFilter(10)
    await vi.advanceTimersByTimeAsync(2_000)
    leave()
    const { session } = stores.browserApi
    const known = await readLastKnown(session, account.address)
    expect(known).toMatchObject({
      filter: 10,
      networks: [{ chainId: 31_337, balances: { [nativeTokenAddress]: 5n } }, { chainId: 10 }],
      prices: { 10: { [nativeTokenAddress]: price } },
    })
    expect(await readLastKnown(session, `0x${'9'.repeat(40)}`)).toBeUndefined()
    stores.stop()

    const later = await open({
      balances: () => new Promise(() => undefined),
      prices: () => new Promise(() => undefined),
    })
    await later.stores.browserApi.session.set('holdings', await session.get('holdings'))
    later.home.watch(later.stores)
    await vi.advanceTimersByTimeAsync(0)
    const [first, second] = later.home.portfolio.getState().networks
    expect(first).toMatchObject({ balances: { [nativeTokenAddress]: 5n }, isRead: false })
    expect(second).toMatchObject({ balances: { [nativeTokenAddress]: 5n }, isRead: false })
    expect(later.stores.prices.getState().chains[10]?.old).toEqual({ [nativeTokenAddress]: price })
    expect(later.stores.prices.price(10, nativeTokenAddress)).toBeUndefined()
    expect(later.home.getState().filter).toBe(10)
    later.stores.stop()
  })

  it('writes last known numbers only when they changed, and at most every ten seconds', async () => {
    let balance = 5n
    let [isChanging, block] = [false, 1n]
    const { stores, home } = await open({
      blockNumber: async () => {
        block += 1n
        return block
      },
      balances: async () => {
        if (isChanging) balance += 1n
        return { [nativeTokenAddress]: balance }
      },
    })
    const set = vi.spyOn(stores.browserApi.session, 'set')
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(20_000)
    set.mockClear()
    // Blocks come, and nothing changes.
    await vi.advanceTimersByTimeAsync(30_000)
    expect(set).not.toHaveBeenCalled()
    isChanging = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(set.mock.calls.length).toBeGreaterThanOrEqual(5)
    expect(set.mock.calls.length).toBeLessThanOrEqual(7)
    set.mockClear()
    // The choice of a network and the newest numbers are not lost.
    home.setFilter(10)
    await vi.advanceTimersByTimeAsync(0)
    expect((await readLastKnown(stores.browserApi.session, account.address))?.filter).toBe(10)
    await vi.advanceTimersByTimeAsync(3_000)
    leave()
    const known = await readLastKnown(stores.browserApi.session, account.address)
    expect(known?.networks[0]?.balances[nativeTokenAddress]).toBe(
      home.portfolio.getState().networks[0]?.balances[nativeTokenAddress],
    )
    stores.stop()
  })

  it('keeps the record of an earlier opening when home is left before any answer', async () => {
    const { stores, home } = await open({
      balances: () => new Promise(() => undefined),
    })
    await stores.browserApi.session.set('holdings', 'earlier')
    const leave = home.watch(stores)
    leave()
    expect(await stores.browserApi.session.get('holdings')).toBe('earlier')
    stores.stop()
  })

  it.each(['', 'not json', '{"account":"0x1"}'])('ignores an unreadable record: %s', async (record) => {
    const { stores } = await open()
    await stores.browserApi.session.set('holdings', record)
    expect(await readLastKnown(stores.browserApi.session, account.address)).toBeUndefined()
    stores.stop()
  })

  it('forgets everything with the lock, and writes nothing after it', async () => {
    const { stores, home } = await open()
    home.watch(stores)
    await vi.advanceTimersByTimeAsync(2_000)
    stores.events.status({ vault: 'locked' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(home.portfolio.getState()).toEqual({ account: undefined, networks: [] })
    expect(home.getState().snapshots).toEqual([])
    expect(await stores.browserApi.session.get('holdings')).toBeUndefined()
    stores.stop()
  })

  it('reads nothing while the view is hidden, and all networks on return', async () => {
    const reads: number[] = []
    const { stores, home } = await open({
      balances: async (chainId) => {
        reads.push(chainId)
        return { [nativeTokenAddress]: 5n }
      },
    })
    const leave = home.watch(stores)
    await vi.advanceTimersByTimeAsync(1_000)
    stores.setHidden(true)
    reads.length = 0
    await vi.advanceTimersByTimeAsync(300_000)
    expect(reads).toEqual([])
    stores.setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toEqual([10])
    leave()
    stores.stop()
  })

  it('reads only while a screen shows it', async () => {
    const { stores, home, asked } = await open()
    const [one, two] = [home.watch(stores), home.watch(stores)]
    await vi.advanceTimersByTimeAsync(1_000)
    one()
    two()
    asked.length = 0
    const reads = vi.fn()
    home.portfolio.subscribe(reads)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(reads).not.toHaveBeenCalled()
    expect(asked).toEqual([])
    stores.stop()
  })
})
