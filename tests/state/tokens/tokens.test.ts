import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Balances, WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createTokens } from '../../../src/state/tokens/tokens.ts'
import { dai, eth, local, pending, standInWallet, token, usdc } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const strange = token('c', 'ODD', 8, false)

const mine = `0x${'1'.repeat(40)}` as const
const other = `0x${'2'.repeat(40)}` as const

function opened(methods: Partial<WalletApi> = {}) {
  const store = createTokens(
    standInWallet({
      tokens: async () => [usdc, dai],
      balances: async () => ({ [nativeTokenAddress]: 5n, [usdc.address]: 7n }),
      token: async () => strange,
      ...methods,
    }),
    systemClock(),
  )
  store.setAccount(mine)
  return store
}

describe('token list', () => {
  it('includes the native token even when the service does not list it', async () => {
    const store = opened()
    await store.open(local)
    expect(store.getState().tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC', 'DAI'])
  })

  it('names the native token as the network does', async () => {
    const store = opened({ tokens: async () => [{ ...eth, symbol: 'WRONG' }, usdc] })
    await store.open(local)
    expect(store.getState().tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
  })

  it('reports why the list could not be loaded and still offers the native token', async () => {
    const store = opened({
      tokens: () => Promise.reject(new WalletError('service-unreachable', 'Nobody there.')),
    })
    await store.open(local)
    expect(store.getState()).toMatchObject({
      loading: false,
      listError: { code: 'service-unreachable' },
      tokens: [{ address: nativeTokenAddress }],
    })
  })

  it('ignores a late list of a network that was left', async () => {
    const slow = pending<Token[]>()
    const store = opened({ tokens: async (chainId) => (chainId === local.chainId ? slow.promise : [dai]) })
    const first = store.open(local)
    await store.open({ ...local, chainId: 1 })
    slow.resolve([usdc])
    await first
    expect(store.getState().tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'DAI'])
  })

  it('stays loading until the last request is answered', async () => {
    const first = pending<Token[]>()
    const second = pending<Token[]>()
    const answers = [first.promise, second.promise]
    const store = opened({ tokens: () => answers.shift() ?? Promise.resolve([]) })
    const opening = [store.open(local), store.open(local)]
    first.reject(new WalletError('service-unreachable', 'Nobody there.'))
    await opening[0]
    expect(store.getState()).toMatchObject({ loading: true, listError: undefined })
    second.resolve([usdc])
    await opening[1]
    expect(store.getState()).toMatchObject({ loading: false, listError: undefined })
  })

  it('keeps the list of the latest request, in any order of answers', async () => {
    const first = pending<Token[]>()
    const answers = [first.promise, Promise.resolve([usdc])]
    const store = opened({ tokens: () => answers.shift() ?? Promise.resolve([]) })
    const opening = [store.open(local), store.open(local)]
    await opening[1]
    first.resolve([dai])
    await opening[0]
    expect(store.getState().tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
  })

  it('keeps an imported token across a refresh', async () => {
    const store = opened()
    await store.open(local)
    expect(await store.read(local.chainId, strange.address)).toEqual(strange)
    await store.open(local)
    expect(store.getState().tokens).toContainEqual(strange)
  })
})

describe('balances', () => {
  it('reads the balances at once and then every 30 seconds until it is stopped', async () => {
    let reads = 0
    const store = opened({
      async balances() {
        reads += 1
        return { [nativeTokenAddress]: BigInt(reads) }
      },
    })
    await store.open(local)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reads).toBe(3)
    expect(store.getState().balances[nativeTokenAddress]).toBe(3n)
    store.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(reads).toBe(3)
  })

  it('reads thousands of balances in batches of at most 1,000 and shows them together', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      ...usdc,
      address: `0x${String(index).padStart(40, '0')}` as Address,
    }))
    const sizes: number[] = []
    const store = opened({
      tokens: async () => many,
      async balances(_chainId, _account, asked) {
        sizes.push(asked.length)
        return Object.fromEntries(asked.map((address) => [address, 1n]))
      },
    })
    const shown: number[] = []
    store.subscribe(({ balances }) => shown.push(Object.keys(balances).length))
    await store.open(local)
    await vi.advanceTimersByTimeAsync(0)
    expect(sizes.slice(-3)).toEqual([1_000, 1_000, 501])
    expect(new Set(shown)).toEqual(new Set([0, 2_501]))
  })

  it('keeps the last balances when a read fails, and reports the error', async () => {
    let works = true
    const store = opened({
      async balances() {
        if (works) return { [nativeTokenAddress]: 5n }
        throw new WalletError('node-unreachable', 'Nobody there.')
      },
    })
    await store.open(local)
    await vi.advanceTimersByTimeAsync(0)
    works = false
    await store.refresh()
    expect(store.getState()).toMatchObject({
      balances: { [nativeTokenAddress]: 5n },
      balanceError: { code: 'node-unreachable' },
    })
    const { readAt } = store.getState()
    await vi.advanceTimersByTimeAsync(1_000)
    works = true
    await store.refresh()
    expect(store.getState().readAt).toBe(readAt + 1_000)
  })

  it('does not show the balances of a network that was left', async () => {
    const slow = pending<Balances>()
    const list = pending<Token[]>()
    const store = opened({
      tokens: async (chainId) => (chainId === local.chainId ? [usdc] : list.promise),
      balances: () => slow.promise,
    })
    await store.open(local)
    void store.open({ ...local, chainId: 1 })
    slow.resolve({ [nativeTokenAddress]: 5n })
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState()).toMatchObject({ chainId: 1, balances: {} })
  })

  it('shows the balances of the latest read', async () => {
    const slow = pending<Balances>()
    const answers: Promise<Balances>[] = [slow.promise, Promise.resolve({ [nativeTokenAddress]: 2n })]
    const store = opened({ balances: () => answers.shift() ?? Promise.resolve({}) })
    await store.open(local)
    await store.refresh()
    slow.resolve({ [nativeTokenAddress]: 1n })
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().balances[nativeTokenAddress]).toBe(2n)
  })

  it('reads the balances of a new account and never shows those of the previous one', async () => {
    const slow = pending<Balances>()
    const store = opened({
      balances: async (_chainId, account) => (account === mine ? slow.promise : { [nativeTokenAddress]: 2n }),
    })
    await store.open(local)
    store.setAccount(other)
    expect(store.getState()).toMatchObject({ account: other, balances: {} })
    slow.resolve({ [nativeTokenAddress]: 1n })
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().balances[nativeTokenAddress]).toBe(2n)
    store.setAccount(mine)
    expect(store.getState().balances).toEqual({})
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().balances[nativeTokenAddress]).toBe(1n)
    store.stop()
  })
})
