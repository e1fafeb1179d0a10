import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QuoteRequest, Trade } from '../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../src/domain/token/token.ts'
import type { Draft, Status } from '../../src/protocol.ts'
import { createUnsavedEdits } from '../../src/state/drafts/unsavedEdits.ts'
import { swap as madeSwap, transfer } from '../helpers/samples/activitySamples.ts'
import { dai, local, quoteOf, settings, token, usdc } from '../helpers/state/fakes.ts'
import { account, open, own, popup, seeds } from '../helpers/state/popup.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('an opened popup', () => {
  it('offers the coin against the main stable when nothing was left behind', async () => {
    const { trade } = await popup()
    expect(trade.getState()).toMatchObject({ sell: { symbol: 'ETH' }, buy: usdc, text: '' })
  })

  it('offers to wrap the coin where a network names its node alone, and asks a price for nothing else', async () => {
    const weth = token('c', 'WETH', 18, false)
    const network = { ...local, serviceUrl: '', wrapped: weth.address }
    const asked: Trade[] = []
    const { trade, quote } = await popup({
      settings: async () => ({ ...settings, networks: [network] }),
      tokens: async () => [],
      token: async (_chainId, address) => (address === weth.address ? weth : usdc),
      async quote({ trade }) {
        asked.push(trade)
        return quoteOf(trade)
      },
    })
    expect(trade.getState()).toMatchObject({ sell: { symbol: 'ETH' }, buy: weth })
    trade.setText('1')
    await vi.advanceTimersByTimeAsync(300)
    expect(quote.getState().status).toBe('ready')
    trade.setBuy(usdc)
    await vi.advanceTimersByTimeAsync(300)
    expect(quote.getState().status).toBe('idle')
    expect(asked.map(({ buy }) => buy)).toEqual([weth.address])
  })

  it('opens its list again when the service speaks another version', async () => {
    let lists = 0
    const { settings: store } = await popup({
      async tokens() {
        lists += 1
        return [usdc, dai]
      },
    })
    await store.save({ networks: [{ ...local, serviceVersion: '3.0' }] })
    await vi.advanceTimersByTimeAsync(0)
    expect(lists).toBe(2)
  })

  it('knows while it is locked that a swap waits', async () => {
    const waiting = madeSwap({ outcome: { status: 'needs-unlock' } })
    const { swap } = await popup({
      status: async () => ({ vault: 'locked' }),
      swaps: async () => [waiting],
    })
    expect(swap.getState()).toEqual({ stage: { at: 'form' }, swaps: [waiting] })
  })

  it('finds the form as it was left', async () => {
    const draft: Draft = {
      chainId: local.chainId,
      sell: dai.address,
      buy: nativeTokenAddress,
      amount: '12.5',
      side: 'sell',
      slippageBps: 70,
    }
    const { trade, quote } = await popup({ draft: async () => draft })
    expect(trade.getState()).toMatchObject({
      sell: dai,
      buy: { symbol: 'ETH' },
      text: '12.5',
      slippageBps: 70,
    })
    await vi.advanceTimersByTimeAsync(300)
    expect(quote.getState()).toMatchObject({ status: 'ready', trade: { sell: dai.address } })
  })

  it('finds what was to be received, and what was chosen for that swap alone', async () => {
    const chosen = { receiver: account.address, excluded: ['A'], allowPartialFill: true }
    const draft: Draft = {
      chainId: local.chainId,
      sell: dai.address,
      buy: usdc.address,
      amount: '995',
      side: 'buy',
      ...chosen,
    }
    const searched: unknown[] = []
    const { trade, quote } = await popup({
      draft: async () => draft,
      async findSellAmount(wanted) {
        searched.push(wanted)
        return 7n
      },
    })
    expect(trade.getState()).toMatchObject({ text: '995', side: 'buy', ...chosen })
    await vi.advanceTimersByTimeAsync(300)
    expect(quote.getState()).toMatchObject({ status: 'ready', trade: { amount: 7n }, impactBps: 5 })
    expect(searched).toMatchObject([{ returns: 1_000_000_000n, options: { excludedProtocols: ['A'] } }])
  })

  it('asks again when the settings find routes another way', async () => {
    const asked: QuoteRequest[] = []
    const stores = await popup({
      async quote(ask) {
        asked.push(ask)
        return quoteOf(ask.trade)
      },
    })
    stores.trade.setText('1')
    await vi.advanceTimersByTimeAsync(300)
    await stores.settings.save({ networks: [{ ...local, options: { parts: 9 } }] })
    expect(stores.quote.getState().status).toBe('loading')
    await vi.advanceTimersByTimeAsync(300)
    expect(asked.map(({ options }) => options)).toEqual([undefined, { parts: 9 }])
    stores.stop()
  })

  it('asks a price for what the form says, and none after the lock', async () => {
    const asked: Trade[] = []
    let status: Status = open
    const stores = await popup({
      status: async () => status,
      async quote({ trade }) {
        asked.push(trade)
        return quoteOf(trade)
      },
    })
    stores.trade.setText('1')
    await vi.advanceTimersByTimeAsync(300)
    expect(stores.quote.getState().status).toBe('ready')
    status = { vault: 'locked' }
    stores.events.status(status)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
    status = open
    stores.events.status(open)
    await vi.advanceTimersByTimeAsync(300)
    expect(asked).toHaveLength(2)
    stores.stop()
  })

  it('keeps what is typed on later screens, until the lock', async () => {
    const stores = await popup()
    stores.get(createUnsavedEdits).edit('network-1', { serviceKey: 'secret' })
    stores.router.go('activity')
    stores.events.status(open)
    expect(stores.get(createUnsavedEdits).getState()).toEqual({ 'network-1': { serviceKey: 'secret' } })
    stores.events.status({ vault: 'locked' })
    expect(stores.get(createUnsavedEdits).getState()).toEqual({})
    stores.stop()
  })

  it('asks nobody on a network that names nobody', async () => {
    const bare = { ...local, chainId: 1, serviceUrl: '', rpcUrl: '' }
    const asked: string[] = []
    const stores = await popup({
      settings: async () => ({ ...settings, chainId: 1, networks: [bare] }),
      async tokens() {
        asked.push('tokens')
        return []
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
    stores.stop()
  })

  it('starts a fresh form when the network changes, and drops the old price', async () => {
    const other = { ...local, chainId: 5, stable: dai.address }
    const stores = await popup({ settings: async () => ({ ...settings, networks: [local, other] }) })
    stores.trade.setText('1')
    await vi.advanceTimersByTimeAsync(300)
    await stores.settings.save({ chainId: 5 })
    expect(stores.quote.getState()).toEqual({ status: 'idle' })
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.trade.getState()).toMatchObject({ chainId: 5, buy: dai, text: '' })
    stores.stop()
  })

  it('reads the balances again when calls are over, and shows all among the activity', async () => {
    let reads = 0
    const stores = await popup({
      swaps: async () => [],
      callBatches: async () => [],
      async balances() {
        reads += 1
        return {}
      },
    })
    await stores.activity.refresh()
    const before = reads
    stores.events.callBatch(transfer)
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toBe(before + 1)
    stores.events.swap(madeSwap())
    expect(stores.activity.getState().entries).toHaveLength(2)
    stores.stop()
  })

  it('reads the balances again when a swap is over', async () => {
    let reads = 0
    const stores = await popup({
      async balances() {
        reads += 1
        return {}
      },
    })
    const before = reads
    stores.events.swap({
      intent: {
        id: '1',
        account: account.address,
        trade: { chainId: local.chainId, sell: nativeTokenAddress, buy: usdc.address, amount: 1n },
        slippageBps: 50,
        floor: 1n,
        router: account.address,
        feeCap: 1n,
      },
      createdAt: 1,
      steps: [{ kind: 'swap', state: 'final' }],
      paid: 0n,
      outcome: { status: 'done', received: 1n },
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toBe(before + 1)
    stores.stop()
  })
})

describe('the account', () => {
  const second = { address: `0x${'2'.repeat(40)}`, name: 'Account 2', ...own } as const
  const two: Status = { vault: 'unlocked', accounts: [account, second], seeds, backedUp: true }

  it('is the one of the settings, and the balances are its own', async () => {
    const read: string[] = []
    const stores = await popup({
      status: async () => two,
      async balances(_chainId, owner) {
        read.push(owner)
        return { [nativeTokenAddress]: owner === second.address ? 2n : 1n }
      },
    })
    expect(stores.tokens.getState().balances[nativeTokenAddress]).toBe(1n)
    await stores.settings.save({ account: second.address })
    expect(stores.account.getState()).toMatchObject({ account: second })
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.tokens.getState().balances[nativeTokenAddress]).toBe(2n)
    expect(new Set(read)).toEqual(new Set([account.address, second.address]))
    stores.stop()
  })
})
