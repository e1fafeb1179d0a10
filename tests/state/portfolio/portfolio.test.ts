import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Balances, TokensApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createPortfolio } from '../../../src/state/portfolio/portfolio.ts'
import type { TokensState } from '../../../src/state/tokens/tokens.ts'
import { dai, local, pending, token, usdc } from '../../helpers/state/fakes.ts'

const owner: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x2222222222222222222222222222222222222222'
const network = (chainId: number): Network => ({ ...local, chainId, name: `Chain ${chainId}` })
const [one, ten, base] = [network(1), network(10), network(8453)]

function start(methods: Partial<TokensApi> = {}) {
  const asked: unknown[][] = []
  const portfolio = createPortfolio(
    {
      async tokens(chainId) {
        asked.push(['tokens', chainId])
        return methods.tokens?.(chainId) ?? [usdc, dai]
      },
      async balances(chainId, account, tokens, isComplete) {
        asked.push(['balances', chainId, tokens, isComplete])
        const balances: Balances = { [nativeTokenAddress]: 5n, [usdc.address]: 7n, [dai.address]: 0n }
        return (
          methods.balances?.(chainId, account, tokens, isComplete) ??
          Object.fromEntries(tokens.map((address) => [address, balances[address] ?? 0n]))
        )
      },
    },
    systemClock(),
  )
  return { portfolio, asked }
}

function heard(changes: Partial<TokensState> = {}): TokensState {
  return {
    chainId: 1,
    account: owner,
    tokens: [usdc, dai],
    balances: { [nativeTokenAddress]: 1n, [usdc.address]: 0n, [dai.address]: 2n },
    isRead: true,
    readAt: 0,
    loading: false,
    listError: undefined,
    balanceError: undefined,
    ...changes,
  }
}

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)
const symbols = (portfolio: ReturnType<typeof createPortfolio>, at = 0) =>
  portfolio.getState().networks[at]?.tokens.map(({ symbol }) => symbol)

describe('createPortfolio', () => {
  it('reads the whole list of the other networks once, then every 30 seconds only what is held', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    expect(asked).toEqual([
      ['tokens', 10],
      ['balances', 10, [nativeTokenAddress, usdc.address, dai.address], true],
    ])
    expect(portfolio.getState().networks[1]).toMatchObject({
      balances: { [nativeTokenAddress]: 5n, [usdc.address]: 7n },
      readAt: 1_000_000,
      isRead: true,
      error: undefined,
    })
    expect(symbols(portfolio, 1)).toEqual(['ETH', 'USDC'])
    asked.length = 0
    await vi.advanceTimersByTimeAsync(29_999)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual([['balances', 10, [nativeTokenAddress, usdc.address], false]])
    portfolio.stop()
    asked.length = 0
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked).toEqual([])
  })

  it('takes over the network in use from the tokens store', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one], 1)
    portfolio.hear(heard({ isRead: false, balances: {} }), true)
    await settle()
    expect(portfolio.getState().networks[0]).toMatchObject({ isRead: false, readAt: undefined })
    portfolio.hear(heard(), true)
    expect(symbols(portfolio)).toEqual(['ETH', 'DAI'])
    expect(portfolio.getState().networks[0]).toMatchObject({ isRead: true, readAt: 1_000_000 })
    expect(asked).toEqual([])
  })

  it('does not take over another account or network', () => {
    const { portfolio } = start()
    portfolio.watch(owner, [one], 1)
    portfolio.hear(heard({ account: other }), true)
    portfolio.hear(heard({ chainId: 99 }), true)
    expect(portfolio.getState().networks).toMatchObject([{ chainId: 1, balances: {}, readAt: undefined }])
  })

  it('keeps last known balances and their time when a network fails, without harm to others', async () => {
    const failing = new Set<number>()
    const { portfolio } = start({
      async balances(chainId, _, tokens) {
        if (failing.has(chainId)) throw new WalletError('node-unreachable', 'No answer.')
        return Object.fromEntries(tokens.map((address) => [address, 3n]))
      },
    })
    portfolio.watch(owner, [one, ten, base], 1)
    await settle()
    failing.add(10)
    await vi.advanceTimersByTimeAsync(60_000)
    const [, failed, works] = portfolio.getState().networks
    expect(failed).toMatchObject({ readAt: 1_000_000, error: { code: 'node-unreachable' } })
    expect(failed?.balances[usdc.address]).toBe(3n)
    expect(works).toMatchObject({ readAt: 1_060_000, error: undefined })
    failing.clear()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(portfolio.getState().networks[1]).toMatchObject({ readAt: 1_090_000, error: undefined })
  })

  it('drops everything of the account before, also what is being read', async () => {
    const answer = pending<Balances>()
    let isSlow = true
    const { portfolio } = start({
      balances: async (_, __, tokens) =>
        isSlow ? answer.promise : Object.fromEntries(tokens.map((address) => [address, 1n])),
    })
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    isSlow = false
    portfolio.watch(other, [one, ten], 1)
    await settle()
    answer.resolve({ [nativeTokenAddress]: 99n })
    await settle()
    expect(portfolio.getState()).toMatchObject({ account: other })
    expect(portfolio.getState().networks[1]?.balances[nativeTokenAddress]).toBe(1n)
  })

  it('drops what another RPC said', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    asked.length = 0
    const answer = { ...ten, rpcUrl: 'https://other.example' }
    portfolio.watch(owner, [one, answer], 1)
    expect(portfolio.getState().networks[1]).toMatchObject({ readAt: undefined, balances: {} })
    await settle()
    expect(asked[0]).toEqual(['tokens', 10])
  })

  it('drops what another RPC is still being asked, and reads from the new one at once', async () => {
    const late = pending<Balances>()
    let isSlow = true
    const { portfolio } = start({
      balances: async (_, __, tokens) =>
        isSlow ? late.promise : Object.fromEntries(tokens.map((address) => [address, 1n])),
    })
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    isSlow = false
    portfolio.watch(owner, [one, { ...ten, rpcUrl: 'https://other.example' }], 1)
    await settle()
    expect(portfolio.getState().networks[1]?.balances[nativeTokenAddress]).toBe(1n)
    late.resolve({ [nativeTokenAddress]: 99n })
    await settle()
    expect(portfolio.getState().networks[1]?.balances[nativeTokenAddress]).toBe(1n)
  })

  it('takes nothing of another RPC of the network in use from the tokens store', async () => {
    const { portfolio } = start()
    portfolio.watch(owner, [one, ten], 1)
    portfolio.hear(heard(), true)
    portfolio.watch(owner, [{ ...one, rpcUrl: 'https://other.example' }, ten], 1)
    portfolio.hear(heard(), false)
    expect(portfolio.getState().networks[0]).toMatchObject({ balances: {}, isRead: false })
    portfolio.hear(heard({ balances: { [nativeTokenAddress]: 4n } }), true)
    expect(portfolio.getState().networks[0]).toMatchObject({
      balances: { [nativeTokenAddress]: 4n },
      isRead: true,
    })
  })

  it('drops the read of a network that comes into use meanwhile', async () => {
    const late = pending<Balances>()
    const { portfolio } = start({
      balances: async (chainId, _, tokens) =>
        chainId === 10 ? late.promise : Object.fromEntries(tokens.map((address) => [address, 1n])),
    })
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    portfolio.watch(owner, [one, ten], 10)
    const state = heard({ chainId: 10, balances: { [nativeTokenAddress]: 2n } })
    portfolio.hear(state, true)
    late.resolve({ [nativeTokenAddress]: 99n })
    await settle()
    expect(portfolio.getState().networks[1]?.balances[nativeTokenAddress]).toBe(2n)
    // The tokens store still has the network before.
    portfolio.hear(heard({ balances: { [nativeTokenAddress]: 77n } }), true)
    expect(portfolio.getState().networks[0]?.balances[nativeTokenAddress]).toBe(1n)
  })

  it('does not read a network that was removed, and forgets it', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    portfolio.watch(owner, [one], 1)
    asked.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(portfolio.getState().networks.map(({ chainId }) => chainId)).toEqual([1])
    expect(asked).toEqual([])
  })

  it('shows last known balances until they are read', async () => {
    const { portfolio } = start()
    const known = { chainId: 10, tokens: [dai], balances: { [dai.address]: 4n }, readAt: 5 }
    portfolio.watch(owner, [one, ten], 1)
    portfolio.restore(other, [known])
    expect(portfolio.getState().networks[1]?.readAt).toBeUndefined()
    portfolio.restore(owner, [known, { ...known, chainId: 1 }])
    expect(portfolio.getState().networks[1]).toMatchObject({ ...known, isRead: false })
    // The native balance alone is no complete read.
    portfolio.hear(heard({ isRead: false, balances: { [nativeTokenAddress]: 1n } }), true)
    expect(portfolio.getState().networks[0]).toMatchObject({ balances: known.balances, readAt: 5 })
    await settle()
    expect(portfolio.getState().networks[1]).toMatchObject({ readAt: 1_000_000, isRead: true })
  })

  it('splits long lists into requests of a thousand, the last of which completes the read', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => ({
      ...token('a', 'T', 18),
      address: `0x${String(index + 1).padStart(40, '0')}` as Address,
    }))
    const { portfolio, asked } = start({ tokens: async () => many })
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    const reads = asked.filter(([method]) => method === 'balances')
    expect(reads.map(([, , tokens, isComplete]) => [(tokens as Address[]).length, isComplete])).toEqual([
      [1_000, false],
      [501, true],
    ])
  })

  it('reads nothing while hidden, and at once when shown again', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    portfolio.setHidden(true)
    asked.length = 0
    await vi.advanceTimersByTimeAsync(120_000)
    // A change elsewhere must not start the poll.
    portfolio.watch(owner, [one, ten, base], 1)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked).toEqual([])
    portfolio.setHidden(false)
    await settle()
    expect(asked.map(([method, chainId]) => [method, chainId])).toContainEqual(['balances', 10])
    asked.length = 0
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).not.toEqual([])
    portfolio.stop()
    portfolio.setHidden(true)
    asked.length = 0
    portfolio.setHidden(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
  })

  it('reads every five minutes without user activity, and at once after it', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await vi.advanceTimersByTimeAsync(631_000)
    asked.length = 0
    await vi.advanceTimersByTimeAsync(250_000)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(50_000)
    expect(asked).not.toEqual([])
    asked.length = 0
    portfolio.touch()
    await settle()
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toHaveLength(2)
    portfolio.stop()
  })

  it('reads the whole list again every five minutes, which finds received tokens', async () => {
    let received = 0n
    const { portfolio } = start({
      balances: async (_, __, tokens) =>
        Object.fromEntries(tokens.map((one) => [one, one === dai.address ? received : 1n])),
    })
    portfolio.watch(owner, [one, ten], 1)
    await vi.advanceTimersByTimeAsync(60_000)
    received = 8n
    await vi.advanceTimersByTimeAsync(239_000)
    expect(symbols(portfolio, 1)).toEqual(['ETH', 'USDC'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(symbols(portfolio, 1)).toEqual(['ETH', 'USDC', 'DAI'])
    expect(portfolio.getState().networks[1]?.balances[dai.address]).toBe(8n)
    portfolio.stop()
  })

  it('keeps nothing after the lock', async () => {
    const { portfolio, asked } = start()
    portfolio.watch(owner, [one, ten], 1)
    await settle()
    portfolio.lock()
    expect(portfolio.getState()).toEqual({ account: undefined, networks: [] })
    asked.length = 0
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked).toEqual([])
  })
})
