import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Approval } from '../../src/domain/approval.ts'
import type { Swap } from '../../src/domain/swap.ts'
import { native } from '../../src/domain/token.ts'
import type { PriceAsk, Trade } from '../../src/domain/trade.ts'
import { WalletError } from '../../src/errors.ts'
import type { Draft, Status, Wallet } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createStores, type Purpose } from '../../src/state/stores.ts'
import { blank } from '../../src/state/trade.ts'
import { swap as madeSwap, transfer } from '../domain/activitySamples.ts'
import { dai, local, pending, quoteOf, reviewOf, settings, standInWallet, token, usdc } from './standIns.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const own = { kind: 'seed', secret: '0x01', path: 'm', isHidden: false } as const
const account = { address: `0x${'1'.repeat(40)}`, name: 'Account 1', ...own } as const
const seeds = [{ id: '0x01', backedUp: true }]
const open: Status = { vault: 'unlocked', accounts: [account], seeds, backedUp: true }
const refuse = () => Promise.reject(new Error('No password is typed here.'))

async function popup(methods: Partial<Wallet> = {}, purpose: Purpose = 'form') {
  const stores = createStores(
    standInWallet({
      status: async () => open,
      settings: async () => settings,
      saveSettings: async () => {},
      draft: async () => undefined,
      saveDraft: async () => {},
      tokens: async () => [usdc, dai],
      balances: async () => ({ [native]: 5n }),
      swaps: async () => [],
      approvals: async () => [],
      lock: async () => {},
      quote: async ({ trade }) => quoteOf(trade),
      impact: async () => 5,
      ...methods,
    }),
    {
      clock: systemClock(),
      decimalMark: '.',
      askHost: async () => true,
      purpose,
      keys: {
        strength: refuse,
        createKey: refuse,
        tryWrap: refuse,
        changePassword: refuse,
        splitPhrase: refuse,
        suggestWords: refuse,
        readPrivateKey: refuse,
        openKeystore: refuse,
        upgrade: refuse,
        newSecret: refuse,
        readPhrase: refuse,
        showPhrase: refuse,
        unknownWords: refuse,
      },
    },
  )
  await stores.load()
  await vi.advanceTimersByTimeAsync(0)
  return stores
}

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

  it('finds the form as it was left', async () => {
    const draft: Draft = {
      chainId: local.chainId,
      sell: dai.address,
      buy: native,
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
      async sellFor(wanted) {
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
    const asked: PriceAsk[] = []
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
      sendings: async () => [],
      async balances() {
        reads += 1
        return {}
      },
    })
    await stores.activity.watch()
    const before = reads
    stores.events.sending(transfer)
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
        trade: { chainId: local.chainId, sell: native, buy: usdc.address, amount: 1n },
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

describe('the form of a swap', () => {
  const trade: Trade = { chainId: local.chainId, sell: native, buy: usdc.address, amount: 10n ** 18n }
  const done = { status: 'done', received: 1n } as const
  const swapOf = (id: string, outcome: Swap['outcome']): Swap => ({
    intent: {
      id,
      account: account.address,
      trade,
      slippageBps: 50,
      floor: 1n,
      router: account.address,
      feeCap: 1n,
    },
    createdAt: 1,
    steps: [{ kind: 'swap', state: 'sent' }],
    paid: 0n,
    outcome,
  })

  /** A popup whose form was filled and swapped, with what the worker keeps of it. */
  async function swapped() {
    const kept: { draft?: Draft; swap?: Swap } = {}
    const stores = await popup({
      async saveDraft(draft) {
        kept.draft = draft
      },
      review: async () => reviewOf(trade),
      async swap({ id }) {
        kept.swap = swapOf(id, { status: 'working' })
        return kept.swap
      },
    })
    stores.trade.setText('1')
    stores.trade.setReceiver(dai.address)
    await stores.swap.prepare({ account: account.address, trade, slippageBps: 50, receiver: dai.address })
    await stores.swap.confirm()
    return { stores, kept }
  }

  it('is cleared once it is done, receiver and all', async () => {
    const { stores, kept } = await swapped()
    expect(stores.trade.getState()).toMatchObject({ text: '1', receiver: dai.address })
    stores.events.swap({ ...kept.swap!, outcome: done })
    expect(stores.trade.getState()).toMatchObject({ buy: usdc, text: '', receiver: undefined })
    expect(kept.draft).not.toHaveProperty('receiver')
    stores.stop()
  })

  it('is cleared in a popup that opens after it was done', async () => {
    const { stores, kept } = await swapped()
    stores.stop()
    const later = await popup({
      draft: async () => kept.draft,
      swaps: async () => [{ ...kept.swap!, outcome: done }],
    })
    expect(later.trade.getState()).toMatchObject({ text: '', receiver: undefined })
    later.stop()
  })

  it('stays as it is when the swap fails, or another one is done', async () => {
    const { stores, kept } = await swapped()
    stores.events.swap(swapOf('another', done))
    const failed = { status: 'failed', code: 'reverted', message: 'No.', facts: {} } as const
    stores.events.swap({ ...kept.swap!, outcome: failed })
    expect(stores.trade.getState()).toMatchObject({ text: '1', receiver: dai.address })
    stores.stop()
  })
})

describe('a share of the balance', () => {
  it('of the coin leaves what the network takes: by the node, or by a guess', async () => {
    let reserve: () => Promise<bigint> = async () => 10n ** 17n
    const asked: number[] = []
    const stores = await popup({
      balances: async () => ({ [native]: 10n ** 18n }),
      reserve(chainId) {
        asked.push(chainId)
        return reserve()
      },
    })
    await stores.setShare(100)
    expect(stores.trade.getState()).toMatchObject({ text: '0.9', kept: 10n ** 17n })
    reserve = () => Promise.reject(new WalletError('node-timeout', 'No answer.'))
    await stores.setShare(100)
    expect(stores.trade.getState()).toMatchObject({ text: '0.99', kept: 10n ** 16n })
    expect(asked).toEqual([local.chainId, local.chainId])
    stores.stop()
  })

  it('of any other token is all of it, and asks nobody', async () => {
    const stores = await popup({ balances: async () => ({ [dai.address]: 5n * 10n ** 18n }) })
    stores.trade.setSell(dai)
    await stores.setShare(100)
    expect(stores.trade.getState()).toMatchObject({ text: '5', kept: undefined })
    stores.stop()
  })

  it('is reserved for by the gas of the price on the screen', async () => {
    const asked: unknown[] = []
    const stores = await popup({
      balances: async () => ({ [native]: 10n ** 18n }),
      async reserve(...of) {
        asked.push(of)
        return 1n
      },
    })
    stores.trade.setText('0.5')
    await stores.setShare(100)
    stores.trade.setText('0.5')
    await vi.advanceTimersByTimeAsync(300)
    await stores.setShare(100)
    expect(asked).toEqual([
      [local.chainId, undefined],
      [local.chainId, 150_000n],
    ])
    stores.stop()
  })

  it('that is known too late overwrites nothing that was typed', async () => {
    const slow = pending<bigint>()
    const stores = await popup({ balances: async () => ({ [native]: 5n }), reserve: () => slow.promise })
    const done = stores.setShare(100)
    stores.trade.setText('7')
    slow.resolve(1n)
    await done
    expect(stores.trade.getState().text).toBe('7')
    stores.stop()
  })

  it('is the one that was pressed last', async () => {
    const answers = [pending<bigint>(), pending<bigint>()]
    let asked = 0
    const stores = await popup({
      balances: async () => ({ [native]: 10n ** 18n }),
      reserve: () => answers[asked++]!.promise,
    })
    const both = [stores.setShare(100), stores.setShare(50)]
    answers[0]!.resolve(1n)
    await both[0]
    answers[1]!.resolve(1n)
    await both[1]
    expect(stores.trade.getState().text).toBe('0.5')
    stores.stop()
  })

  it('that is known too late changes nothing of another token', async () => {
    const slow = pending<bigint>()
    const stores = await popup({ balances: async () => ({ [native]: 5n }), reserve: () => slow.promise })
    const done = stores.setShare(100)
    stores.trade.setSell(dai)
    slow.resolve(1n)
    await done
    expect(stores.trade.getState().text).toBe('')
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
        return { [native]: owner === second.address ? 2n : 1n }
      },
    })
    expect(stores.tokens.getState().balances[native]).toBe(1n)
    await stores.settings.save({ account: second.address })
    expect(stores.account.getState()).toMatchObject({ account: second })
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.tokens.getState().balances[native]).toBe(2n)
    expect(new Set(read)).toEqual(new Set([account.address, second.address]))
    stores.stop()
  })
})

describe('the approval window', () => {
  const approval: Approval = {
    id: 'a',
    origin: 'https://app.example',
    chainId: local.chainId,
    createdAt: 1,
    expiresAt: 2,
    ask: { kind: 'switch-chain', to: 1 },
  }

  it('knows what waits, though the wallet is locked', async () => {
    const { approvals } = await popup(
      { status: async () => ({ vault: 'locked' }), approvals: async () => [approval] },
      'requests',
    )
    expect(approvals.getState().open).toEqual([approval])
  })

  it('leaves the form alone: no draft is read or written, and nobody is asked for prices', async () => {
    const asked: string[] = []
    const stores = await popup(
      {
        async draft() {
          asked.push('draft')
          return undefined
        },
        async saveDraft() {
          asked.push('saveDraft')
        },
        async tokens() {
          asked.push('tokens')
          return []
        },
        async balances() {
          asked.push('balances')
          return {}
        },
      },
      'requests',
    )
    stores.trade.start({ ...blank, chainId: local.chainId, sell: dai, buy: usdc })
    stores.trade.setText('1')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
    stores.stop()
  })

  it('does not begin with a swap that was made elsewhere', async () => {
    const running: Swap = {
      intent: {
        id: '1',
        account: account.address,
        trade: { chainId: local.chainId, sell: native, buy: usdc.address, amount: 1n },
        slippageBps: 50,
        floor: 1n,
        router: account.address,
        feeCap: 1n,
      },
      createdAt: 1,
      steps: [{ kind: 'swap', state: 'sent' }],
      paid: 0n,
      outcome: { status: 'working' },
    }
    const form = await popup({ swaps: async () => [running] })
    expect(form.swap.getState().stage).toEqual({ at: 'progress', id: '1' })
    const requests = await popup({ swaps: async () => [running] }, 'requests')
    expect(requests.swap.getState()).toMatchObject({ stage: { at: 'form' }, swaps: [running] })
    form.stop()
    requests.stop()
  })

  const request = { id: 'mine', type: 'sell', chainId: local.chainId, from: account.address } as const
  const asked = (id: string, createdAt: number): Approval => ({
    ...approval,
    id,
    createdAt,
    ask: { kind: 'swap', request },
  })
  const [first, second] = [asked('a', 1), asked('b', 2)]
  const trade: Trade = { chainId: local.chainId, sell: native, buy: usdc.address, amount: 1n }
  const plan = { account: account.address, trade, slippageBps: 50, request: { id: 'a', filled: 1n } }
  const review = async () => reviewOf(trade)

  it('prices an amount to receive with no more slippage than the page allows', async () => {
    const searched: bigint[] = []
    const stores = await popup(
      {
        async sellFor({ returns }) {
          searched.push(returns)
          return 7n
        },
      },
      'requests',
    )
    const modest = { ...request, token: dai.address, pairToken: usdc.address, slippageBps: 10 }
    await stores.proposal.open({ ...first, ask: { kind: 'swap', request: modest } }, modest, local, 50)
    stores.trade.setText('999', 'buy')
    await vi.advanceTimersByTimeAsync(300)
    expect(searched).toEqual([1_000_000_000n])
    stores.trade.setSlippage(5)
    await vi.advanceTimersByTimeAsync(300)
    expect(searched.at(-1)).toBe(999_499_750n)
    stores.stop()
  })

  it('reviews nothing for a request that is over', async () => {
    let reviews = 0
    const stores = await popup(
      {
        approvals: async () => [first, second],
        async review() {
          reviews += 1
          return review()
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    stores.events.approvals([first, second])
    expect(stores.swap.getState().stage.at).toBe('review')
    stores.events.approvals([second])
    expect(stores.swap.getState().stage).toEqual({ at: 'form' })
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: true })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reviews).toBe(1)
    expect(stores.approvals.getState()).toMatchObject({ shown: second, isOver: false })
    stores.stop()
  })

  it('shows the progress of a swap though another request waits', async () => {
    const slow = pending<void>()
    const said: unknown[] = []
    const stores = await popup(
      {
        approvals: async () => [first, second],
        review,
        approve(...args) {
          said.push(args)
          return slow.promise
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    const confirmed = stores.swap.confirm()
    stores.events.approvals([second])
    expect(stores.swap.getState().stage.at).toBe('confirming')
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: false })
    slow.resolve()
    await confirmed
    expect(stores.swap.getState().stage.at).toBe('progress')
    expect(stores.approvals.getState()).toMatchObject({ open: [second], shown: second, isOver: false })
    expect(said).toMatchObject([['a', { kind: 'swap', filled: 1n }]])
    stores.stop()
  })

  it('leaves a swap that was refused because its request is over', async () => {
    const stores = await popup(
      {
        approvals: async () => [first],
        review,
        async approve() {
          stores.events.approvals([])
          throw new WalletError('invalid-input', 'This request is no longer open.')
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    await stores.swap.confirm()
    expect(stores.swap.getState().stage).toEqual({ at: 'form' })
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: true })
    stores.stop()
  })

  it('reads the balances again after a lock', async () => {
    let reads = 0
    const stores = await popup(
      {
        async balances() {
          reads += 1
          return {}
        },
        lock: async () => {},
      },
      'requests',
    )
    stores.tokens.setAccount(account.address)
    await stores.tokens.open(local)
    stores.events.status({ vault: 'locked' })
    await vi.advanceTimersByTimeAsync(60_000)
    const before = reads
    stores.events.status(open)
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toBe(before + 1)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(reads).toBe(before + 2)
    stores.stop()
  })
})
