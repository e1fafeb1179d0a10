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

describe('popup stores', () => {
  it('selects the native token and the main stablecoin without a draft', async () => {
    const { trade } = await popup()
    expect(trade.getState()).toMatchObject({ sell: { symbol: 'ETH' }, buy: usdc, text: '' })
  })

  it('offers wrapping on a network without a swap service, and requests no other quotes', async () => {
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

  it('loads the token list again when the service version changes', async () => {
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

  it('shows a swap that needs an unlock while the wallet is locked', async () => {
    const waiting = madeSwap({ outcome: { status: 'needs-unlock' } })
    const { swap } = await popup({
      status: async () => ({ vault: 'locked' }),
      swaps: async () => [waiting],
    })
    expect(swap.getState()).toEqual({ stage: { at: 'form' }, swaps: [waiting] })
  })

  it('restores the form from the draft', async () => {
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

  it('restores an amount to receive and the options of that swap', async () => {
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

  it('requests a new quote when the route options of the settings change', async () => {
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

  it('requests a quote for the form, none while locked, and one again after unlocking', async () => {
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

  it('keeps unsaved edits across routes, until the lock', async () => {
    const stores = await popup()
    stores.get(createUnsavedEdits).edit('network-1', { serviceKey: 'secret' })
    stores.router.go('activity')
    stores.events.status(open)
    expect(stores.get(createUnsavedEdits).getState()).toEqual({ 'network-1': { serviceKey: 'secret' } })
    stores.events.status({ vault: 'locked' })
    expect(stores.get(createUnsavedEdits).getState()).toEqual({})
    stores.stop()
  })

  it('requests no token list on a network without endpoints', async () => {
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

  it('resets the form and drops the quote when the network changes', async () => {
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

  it('reads the balances again after a call batch, and lists it among the activity', async () => {
    let reads = 0
    const stores = await popup({
      swaps: async () => [],
      callBatches: async () => [],
      incomingTransfers: async () => [],
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

  it('reads the balances again after a swap', async () => {
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

describe('account selection', () => {
  const second = { address: `0x${'2'.repeat(40)}`, name: 'Account 2', ...own } as const
  const two: Status = { vault: 'unlocked', accounts: [account, second], seeds, backedUp: true }

  it('uses the account of the settings and loads its balances', async () => {
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
