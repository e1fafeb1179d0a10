import { parseAbi, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { openArea } from '../../src/background/storage.ts'
import { createJournal } from '../../src/background/transactions/journal.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import { knownRouters } from '../../src/domain/swap/routers.ts'
import type { Swap } from '../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { listen } from '../../src/messaging.ts'
import type { Draft, WalletEvents } from '../../src/protocol.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import {
  begin,
  onDisk,
  openBrowser,
  plant,
  setGate,
  shownBadge,
  wallet,
} from '../helpers/background/popup.ts'
import { accept, dataKey, key, until, useStage } from '../helpers/background/worker.ts'
import { swap } from '../helpers/samples/activitySamples.ts'
import { reviewOf } from '../helpers/state/fakes.ts'

/** Storage without the worker's gate. */
const disk = fakeBrowser.storage.local

beforeEach(openBrowser)
afterEach(() => {
  vi.useRealTimers()
})

function isHeard(event: object): boolean {
  return (event as { hasListeners(): boolean }).hasListeners()
}

describe('start', () => {
  it('registers every listener and the alarm in the first turn', async () => {
    begin()
    expect(isHeard(fakeBrowser.runtime.onMessage)).toBe(true)
    expect(isHeard(fakeBrowser.alarms.onAlarm)).toBe(true)
    expect(isHeard(fakeBrowser.runtime.onStartup)).toBe(true)
    expect(isHeard(fakeBrowser.runtime.onInstalled)).toBe(true)
    expect(await fakeBrowser.alarms.getAll()).toMatchObject([{ name: 'tick', periodInMinutes: 0.5 }])
  })

  it('opens onboarding in a tab once it is installed', async () => {
    begin()
    await fakeBrowser.runtime.onInstalled.trigger({ reason: 'install', temporary: false })
    const isOnboarding = ({ url = '' }) => url.endsWith('/popup.html#/begin')
    await expect.poll(async () => (await fakeBrowser.tabs.query({})).filter(isOnboarding)).toHaveLength(1)
  })

  it('counts the transactions that the last worker left pending on the badge, until a reset', async () => {
    const journal = createJournal(openArea(fakeBrowser.storage.local))
    const swapWith = ({ intent }: Swap, id: string, outcome: Swap['outcome']) =>
      journal.put({
        // A network that was removed: nothing goes on.
        intent: { ...intent, id: id.repeat(16), trade: { ...intent.trade, chainId: 424_242 } },
        createdAt: Date.now(),
        steps: [{ kind: 'swap', state: 'waiting' }],
        outcome,
      })
    await swapWith(swap(), '0a', { status: 'working' })
    await swapWith(swap(), '0b', { status: 'needs-unlock' })
    await swapWith(swap(), '0c', { status: 'done', received: 1n })
    begin()
    await expect.poll(() => shownBadge.text).toBe('2')
    await wallet.reset()
    await expect.poll(() => shownBadge.text).toBe('')
  })

  it('recreates the alarm at each start', async () => {
    begin()
    await fakeBrowser.alarms.clearAll()
    begin()
    expect(await fakeBrowser.alarms.getAll()).toHaveLength(1)
  })

  it('creates, locks and unlocks a vault, and notifies every view', async () => {
    begin()
    const told: string[] = []
    const view = () => listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    view()
    expect(await wallet.status()).toEqual({ vault: 'none' })
    const fresh = await newSecret(12)
    await wallet.create(key, fresh)
    const status = await wallet.status()
    const [seed] = status.vault === 'unlocked' ? status.seeds : []
    expect(status).toMatchObject({ vault: 'unlocked', seeds: [{ backedUp: false }], backedUp: false })
    expect(await wallet.reveal(dataKey)).toBe(fresh.entropy)
    await wallet.confirmBackup()
    expect(await wallet.status()).toEqual({ ...status, seeds: [{ ...seed, backedUp: true }], backedUp: true })
    await wallet.lock()
    expect(await wallet.status()).toEqual({ vault: 'locked' })
    begin()
    view()
    expect(await wallet.wrappedKey()).toEqual(key.wrap)
    await wallet.unlock(dataKey)
    expect(await wallet.status()).toEqual({ ...status, seeds: [{ ...seed, backedUp: true }], backedUp: true })
    expect(told).toEqual(['unlocked', 'unlocked', 'locked', 'unlocked'])
  })

  it('reports a vault restored from its backup to every view until the user confirms it', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    await wallet.lock()
    await plant('local', { vault: 'rotten' })
    begin()
    const told: unknown[] = []
    listen<WalletEvents>('events', { status: (status) => told.push(status) })
    await wallet.unlock(dataKey)
    expect(told).toMatchObject([{ vault: 'unlocked', isRestored: true }])
    expect(await onDisk()).toMatchObject({ 'vault.damaged': 'rotten' })
    await wallet.confirmRestored()
    begin()
    expect(await wallet.status()).not.toHaveProperty('isRestored')
    expect(told).toMatchObject([{}, { vault: 'unlocked' }])
    expect(told[1]).not.toHaveProperty('isRestored')
  })

  it('stays unlocked across a worker restart, and locks by the alarm after the auto-lock time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    begin()
    await wallet.create(key, await newSecret(12))
    begin()
    expect((await wallet.status()).vault).toBe('unlocked')
    const told: string[] = []
    listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    vi.setSystemTime(Date.now() + 15 * 60_000)
    await fakeBrowser.alarms.onAlarm.trigger({ name: 'tick', scheduledTime: Date.now() })
    expect(told).toEqual(['locked'])
    expect(await wallet.status()).toEqual({ vault: 'locked' })
  })

  it('notifies every view when a status request finds the session expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    begin()
    await wallet.create(key, await newSecret(12))
    const told: string[] = []
    listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    const over = Date.now() + 15 * 60_000
    // Between the deadline check and reading the key.
    setGate((_operation, perform) => {
      vi.setSystemTime(over)
      return perform()
    })
    expect(await wallet.status()).toEqual({ vault: 'locked' })
    expect(told).toEqual(['locked'])
    vi.setSystemTime(over - 1)
    expect(await wallet.status()).toEqual({ vault: 'locked' })
    await fakeBrowser.alarms.onAlarm.trigger({ name: 'tick', scheduledTime: Date.now() })
    expect(told).toEqual(['locked'])
  })

  it('locks and keeps answering when session storage rejects writes', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const told: string[] = []
    listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    const { set } = fakeBrowser.storage.session
    fakeBrowser.storage.session.set = async () => {
      throw new Error('QUOTA_BYTES quota exceeded')
    }
    try {
      await wallet.lock()
      expect(await wallet.status()).toEqual({ vault: 'locked' })
      fakeBrowser.storage.session.set = set
      await wallet.unlock(dataKey)
      fakeBrowser.storage.session.set = async () => {
        throw new Error('QUOTA_BYTES quota exceeded')
      }
      // A failed session write still locks.
      expect(await wallet.status()).toEqual({ vault: 'locked' })
      expect(await wallet.swaps()).toEqual([])
      expect(told).toEqual(['locked', 'locked', 'unlocked', 'locked'])
    } finally {
      fakeBrowser.storage.session.set = set
    }
  })

  it('locks after the auto-lock minutes in the settings', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    begin()
    await wallet.create(key, await newSecret(12))
    await wallet.saveSettings({ autoLockMinutes: 1 })
    vi.setSystemTime(Date.now() + 60_000)
    expect(await wallet.status()).toEqual({ vault: 'locked' })
  })

  it('locks at once and notifies every view when a shorter auto-lock time cannot be stored', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const told: string[] = []
    listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    const { session } = fakeBrowser.storage
    const { set } = session
    // The longer time is stored first.
    session.set = async (items) => {
      const { deadline } = (items as { unlocked: { deadline: number } }).unlocked
      if (deadline < Date.now() + 10 * 60_000) throw new Error('No room.')
      return set(items)
    }
    await wallet.saveSettings({ autoLockMinutes: 1 })
    session.set = set
    expect(told).toEqual(['locked'])
    expect(await wallet.status()).toEqual({ vault: 'locked' })
  })

  it('keeps settings and draft across a restart, and notifies views of new settings', async () => {
    begin()
    const told: number[] = []
    listen<WalletEvents>('events', { settings: ({ slippageBps }) => told.push(slippageBps ?? 0) })
    const before = await wallet.settings()
    const [local, ...others] = before.networks
    const options = { gasPrice: 7n, parts: 5 }
    const settings = { ...before, networks: [{ ...local!, options }, ...others], slippageBps: 77 }
    await wallet.saveSettings(settings)
    const draft: Draft = { ...trade(), amount: '1,5', side: 'buy' }
    await wallet.saveDraft(draft)
    begin()
    expect(await wallet.settings()).toEqual(settings)
    expect(await wallet.draft()).toEqual(draft)
    expect(told).toEqual([77])
  })

  it('rejects invalid arguments with invalid-input', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const odd = { ...trade(), amount: '5' } as unknown as Trade
    const settings = await wallet.settings()
    const account = await firstAccount()
    const refused: Record<string, () => Promise<unknown>> = {
      'an amount as text': () => wallet.quote({ trade: odd }),
      'no amount': () => wallet.quote({ trade: { ...trade(), amount: 0n } }),
      'a token for itself': () => wallet.quote({ trade: { ...trade(), buy: nativeTokenAddress } }),
      'no slippage': () => wallet.review({ id, trade: trade(), slippageBps: 0, account }),
      'too much slippage': () => wallet.review({ id, trade: trade(), slippageBps: 5_001, account }),
      'half an address': () => wallet.balances(31337, account, ['0x12'] as never),
      'an account of somebody else': () => wallet.balances(31337, stranger, [nativeTokenAddress]),
      'funds for somebody else': () => wallet.requestTestFunds(31337, stranger),
      'a review for somebody else': () =>
        wallet.review({ id, trade: trade(), slippageBps: 50, account: stranger }),
      'a key as an id': () =>
        wallet.swap({ ...accept(nativeTokenAddress, trade(), review), id: '../settings' }),
      'half a draft': () => wallet.saveDraft({ chainId: 1 } as never),
      'a network without a name': () =>
        wallet.saveSettings({ networks: [{ ...settings.networks[0]!, name: '' }] }),
      'networks that are none': () => wallet.saveSettings({ networks: 'none' } as never),
      'a faucet that is none': () => wallet.requestTestFunds(1, account),
    }
    for (const [name, call] of Object.entries(refused)) {
      const answer = await call().catch((error: unknown) => error)
      expect([name, answer]).toMatchObject([name, { code: 'invalid-input' }])
    }
  })

  it('rejects requests that need an RPC or service address while none is set', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const said = { code: 'invalid-input', message: expect.stringContaining('Set its address in Settings.') }
    await expect(wallet.quote({ trade: { ...trade(), chainId: 1 } })).rejects.toMatchObject(said)
    expect(await wallet.tokens(1)).toEqual([])
    const account = await firstAccount()
    await expect(wallet.balances(1, account, [nativeTokenAddress])).rejects.toMatchObject(said)
    const asked = { id, trade: { ...trade(), chainId: 1 }, slippageBps: 50, account }
    await expect(wallet.review(asked)).rejects.toMatchObject(said)
  })

  it('rejects requests that need a key or an account while locked', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const account = await firstAccount()
    await wallet.lock()
    const asked = { id, trade: trade(), slippageBps: 50, account }
    await expect(wallet.review(asked)).rejects.toMatchObject({ code: 'locked' })
    await expect(wallet.balances(31337, account, [nativeTokenAddress])).rejects.toMatchObject({
      code: 'locked',
    })
    const intent = accept(`0x${'22'.repeat(20)}`, trade(), review)
    await expect(wallet.swap(intent)).rejects.toMatchObject({ code: 'locked' })
  })
})

const id = 'ab'.repeat(16)
const stranger = `0x${'22'.repeat(20)}` as const

async function firstAccount(): Promise<Address> {
  const status = await wallet.status()
  if (status.vault !== 'unlocked') throw new Error('The wallet is locked.')
  return status.accounts[0]!.address
}

const trade = (): Trade => ({
  chainId: 31337,
  sell: nativeTokenAddress,
  buy: `0x${'11'.repeat(20)}`,
  amount: 1n,
})

const review = reviewOf(trade())

describe('popup messages', () => {
  const stage = useStage()

  it('quotes, reviews and swaps through messages, across a worker restart', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    await wallet.saveSettings({ networks: [stage.network] })
    const address = await firstAccount()
    await stage.localnet.fund(address)
    await stage.service.engine.refresh()

    const listed = await wallet.tokens(31337)
    const usdc = listed.find(({ symbol }) => symbol === 'USDC')!.address
    const dai = await wallet.token(31337, stage.localnet.tokens.DAI)
    expect(dai).toMatchObject({ symbol: 'DAI', decimals: 18, listed: true })
    const before = await wallet.balances(31337, address, [nativeTokenAddress, usdc])
    expect(before[nativeTokenAddress]).toBe(parseEther('10'))

    const wanted = { chainId: 31337, sell: nativeTokenAddress, buy: usdc, amount: parseEther('0.1') }
    const quote = await wallet.quote({ trade: wanted })
    // Pools take about 0.3% each way.
    expect(await wallet.priceImpact({ trade: wanted }, quote.returns)).toBeGreaterThan(0)
    expect(await wallet.liquiditySources(31337)).toContainEqual({
      id: expect.any(String),
      title: expect.any(String),
    })
    const shown = await wallet.review({ id, trade: wanted, slippageBps: 50, account: address })
    expect(shown.quote.returns).toBe(quote.returns)
    expect(shown.verdict.status).toBe('matches')
    expect(await wallet.resimulate(id)).toEqual(shown.verdict)
    // Covers an approval and a long route.
    expect(await wallet.gasReserve(31337)).toBeGreaterThan(shown.networkFee)
    const intent = accept(address, wanted, shown)
    await wallet.swap(intent)
    begin()
    const swap = await until(async () => {
      const [known] = await wallet.swaps()
      return known?.outcome.status === 'done' ? known : undefined
    }, 'the swap to be done')
    const after = await wallet.balances(31337, address, [nativeTokenAddress, usdc])
    expect(swap.outcome).toMatchObject({ status: 'done', received: after[usdc]! - before[usdc]! })
    expect(await wallet.resimulate(id)).toBeUndefined()
    expect(await stage.localnet.client.getTransactionCount({ address })).toBe(1)
  })

  it('loads all records at once, and polls pending transactions without a request', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const { WETH } = stage.localnet.tokens
    await wallet.saveSettings({ networks: [{ ...stage.network, wrapped: WETH }] })
    const account = await firstAccount()
    await stage.localnet.fund(account)
    const wrap = { chainId: 31337, sell: nativeTokenAddress, buy: WETH, amount: 5n }
    await stage.stopMining()
    await wallet.swap(
      accept(account, wrap, await wallet.review({ id, trade: wrap, slippageBps: 50, account })),
    )
    await until(
      async () => (await wallet.swaps())[0]?.steps[0]?.state === 'sent' || undefined,
      'it to be sent',
    )

    const reads = vi.spyOn(disk, 'get')
    begin()
    await wallet.status()
    // No record is read alone.
    expect(reads.mock.calls.map(([keys]) => keys)).toContain(null)
    reads.mockRestore()

    const asked: string[] = []
    setGate((operation, perform) => {
      asked.push(operation)
      return perform()
    })
    begin()
    await until(async () => asked.includes('chain.receipt') || undefined, 'its receipt to be asked for')
    await stage.startMining()
  })

  it('quotes and reviews a wrap without the service, and revokes an allowance exactly once', async () => {
    begin()
    await wallet.create(key, await newSecret(12))
    const { DAI, WETH } = stage.localnet.tokens
    await wallet.saveSettings({
      networks: [{ ...stage.network, wrapped: WETH, serviceUrl: 'http://127.0.0.1:1' }],
    })
    const account = await firstAccount()
    await stage.localnet.fund(account)
    const wrap = { chainId: 31337, sell: nativeTokenAddress, buy: WETH, amount: 5n }
    expect(await wallet.quote({ trade: wrap })).toMatchObject({ returns: 5n, gas: 50_000n })
    expect(await wallet.priceImpact({ trade: wrap }, 5n)).toBe(0)
    expect(await wallet.review({ id, trade: wrap, slippageBps: 50, account })).toMatchObject({
      steps: ['wrap'],
      floor: 5n,
    })

    const [spender] = knownRouters(31337)
    const allowance = () => wallet.allowance(31337, account, DAI, spender!)
    const ask = { chainId: 31337, account, token: DAI, spender: spender! }
    await stage.localnet.client.impersonateAccount({ address: account })
    await stage.localnet.client.writeContractSync({
      account,
      address: DAI,
      abi: parseAbi(['function approve(address spender, uint256 amount) returns (bool)']),
      functionName: 'approve',
      args: [spender!, 7n],
    })
    await stage.localnet.client.stopImpersonatingAccount({ address: account })
    expect(await allowance()).toBe(7n)
    // No list here: DAI is the user's own.
    expect(await wallet.allowances(31337, account)).toEqual([])
    const revocation = { ...ask, id, feeCap: (await wallet.revokeFee(ask)).feeCap }
    const sendings = await Promise.all([wallet.revoke(revocation), wallet.revoke(revocation)])
    expect(new Set(sendings.map(({ intent }) => intent.id)).size).toBe(1)
    await until(async () => {
      const sending = await wallet.callBatch(id)
      return sending?.outcome.status === 'done' || undefined
    }, 'the permission to be taken back')
    expect(await allowance()).toBe(0n)
    // One by the wallet, one by the test.
    expect(await stage.localnet.client.getTransactionCount({ address: account })).toBe(2)
  })
})
