import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Balances, WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { isEmptyAccount } from '../../../src/state/tokens/liveTokens.ts'
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
      blockNumber: async () => 1n,
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

  it('reads balances again when the block changed, and asks for nothing else until then', async () => {
    const asked: string[] = []
    let block = 1n
    const store = opened({
      async blockNumber() {
        asked.push('block')
        return block
      },
      async balances() {
        asked.push('balances')
        return { [nativeTokenAddress]: block }
      },
    })
    await store.open(local)
    await vi.advanceTimersByTimeAsync(12_000)
    expect(asked).toEqual(['balances', 'block', 'block', 'block', 'block'])
    block = 2n
    await vi.advanceTimersByTimeAsync(3_000)
    expect(store.getState().balances[nativeTokenAddress]).toBe(2n)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(asked.slice(5)).toEqual(['block', 'balances', 'block'])
    store.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(8)
  })

  it('asks nothing while the view is hidden, whatever else reads balances', async () => {
    let asked = 0
    const store = opened({
      async blockNumber() {
        asked += 1
        return BigInt(asked)
      },
    })
    await store.open(local)
    store.setHidden(true)
    await store.refresh()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(0)
    store.setHidden(false)
    await store.refresh()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(asked).toBe(1)
    store.stop()
  })

  it('asks nothing after it was stopped, also by a poll under way or a touch', async () => {
    const slow = pending<bigint>()
    let asked = 0
    const store = opened({
      async blockNumber() {
        asked += 1
        return asked === 1 ? 1n : slow.promise
      },
    })
    await store.open(local)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(asked).toBe(2)
    store.stop()
    slow.resolve(2n)
    await vi.advanceTimersByTimeAsync(700_000)
    store.touch()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(2)
  })

  it('follows the pace of the network’s quotes, from 2 to 6 seconds', async () => {
    const paces: number[] = []
    for (const quoteEveryMs of [1_000, 6_000, 12_000, 600_000]) {
      let looks = 0
      const store = opened({
        async blockNumber() {
          looks += 1
          return 1n
        },
      })
      await store.open({ ...local, quoteEveryMs })
      await vi.advanceTimersByTimeAsync(24_000)
      store.stop()
      paces.push(24_000 / looks)
    }
    expect(paces).toEqual([2_000, 3_000, 6_000, 6_000])
  })

  it('polls only every 30 seconds after ten minutes without activity, until it is touched', async () => {
    let looks = 0
    const store = opened({
      async blockNumber() {
        looks += 1
        return BigInt(looks)
      },
    })
    await store.open(local)
    await vi.advanceTimersByTimeAsync(600_000)
    looks = 0
    await vi.advanceTimersByTimeAsync(300_000)
    expect(looks).toBeLessThanOrEqual(1)
    store.touch()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(looks).toBeGreaterThan(7)
    store.stop()
  })

  it('reads only native, held, added and well-known tokens of a long list with a block', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      ...usdc,
      address: `0x${String(index).padStart(40, '0')}` as Address,
    }))
    const base = { ...local, chainId: 8453 }
    const baseUsdc = { ...usdc, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' as const }
    const reads: { asked: Address[]; isComplete: boolean | undefined }[] = []
    let block = 1n
    const store = opened({
      tokens: async () => [...many, baseUsdc, strange],
      blockNumber: async () => block,
      async balances(_chainId, _account, asked, isComplete) {
        reads.push({ asked, isComplete })
        return Object.fromEntries(asked.map((address) => [address, address === many[7]!.address ? 1n : 0n]))
      },
    })
    await store.open(base)
    await vi.advanceTimersByTimeAsync(3_000)
    block = 2n
    await vi.advanceTimersByTimeAsync(3_000)
    await vi.dynamicImportSettled()
    expect(reads.map(({ asked, isComplete }) => [asked.length, isComplete])).toEqual([
      [303, true],
      [4, false],
    ])
    expect(reads[1]!.asked).toEqual([nativeTokenAddress, many[7]!.address, baseUsdc.address, strange.address])
    expect(Object.keys(store.getState().balances)).toHaveLength(303)
    store.stop()
  })

  it('knows an account without funds only once all tokens were read', async () => {
    const list = pending<Token[]>()
    const store = opened({
      tokens: () => list.promise,
      balances: async (_chainId, _account, asked) =>
        Object.fromEntries(asked.map((address) => [address, address === dai.address ? 1n : 0n])),
    })
    const opening = store.open(local)
    await store.refresh()
    expect(store.getState().balances).toEqual({ [nativeTokenAddress]: 0n })
    expect(isEmptyAccount(store.getState())).toBe(false)
    list.resolve([usdc])
    await list.promise
    expect(isEmptyAccount(store.getState())).toBe(false)
    await opening
    await vi.advanceTimersByTimeAsync(0)
    expect(isEmptyAccount(store.getState())).toBe(true)
    store.add(dai)
    await vi.advanceTimersByTimeAsync(0)
    expect(isEmptyAccount(store.getState())).toBe(false)
    store.stop()
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
