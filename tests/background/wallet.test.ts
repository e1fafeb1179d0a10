import { beforeEach, describe, expect, it } from 'vitest'
import { createNetworks } from '../../src/background/networks/networks.ts'
import { createSettings } from '../../src/background/settings.ts'
import { createDrafts } from '../../src/background/swap/draft.ts'
import { createAssets } from '../../src/background/tokens/assets.ts'
import { createPicks } from '../../src/background/tokens/picks.ts'
import { createTokens } from '../../src/background/tokens/tokens.ts'
import { createWallet } from '../../src/background/wallet.ts'
import type { Chain } from '../../src/chain/client.ts'
import type { CallsIntent, Sending } from '../../src/domain/activity/calls.ts'
import type { Approval, Decision } from '../../src/domain/page/approval.ts'
import type { Site } from '../../src/domain/page/site.ts'
import { type Address, type Hex, native, type Token } from '../../src/domain/token/token.ts'
import { WalletError } from '../../src/errors.ts'
import type { Draft, ReviewAsk, Status, Wallet } from '../../src/protocol.ts'
import { newSecret } from '../../src/vault/phrase.ts'
import { createVault, type Vault } from '../../src/vault/vault.ts'
import { dai, reviewOf } from '../state/standIns.ts'
import { memoryArea } from './memory.ts'
import { dataKey, key } from './worker.ts'

const stranger: Address = `0x${'22'.repeat(20)}`
const open: Approval = {
  id: 'ab'.repeat(16),
  origin: 'https://a.example',
  chainId: 1,
  createdAt: 1,
  expiresAt: 2,
  ask: { kind: 'send', account: stranger, calls: [] },
}

let wallet: Wallet
let vault: Vault
let clock: number
let account: Address
/** What reached the parts behind the wallet. */
let calls: unknown[][]
let told: Status[]
/** What is at every address. */
let found: Token
/** Chains on which something is under way. */
let busy: number[]

const sent: CallsIntent = {
  id: 'cd'.repeat(16),
  account: stranger,
  chainId: 1,
  calls: [],
  feeCap: 1n,
  mayFail: false,
}
const sendingOf = (intent: CallsIntent): Sending => ({
  intent,
  createdAt: 1,
  steps: [],
  paid: 0n,
  outcome: { status: 'working' },
})

const call =
  (name: string) =>
  async (...args: unknown[]) => {
    calls.push([name, ...args])
  }

beforeEach(async () => {
  calls = []
  told = []
  busy = []
  clock = 1_000_000
  const [local, session] = [memoryArea(), memoryArea()]
  const backup = { read: async () => undefined, write: async () => undefined, clear: async () => undefined }
  vault = createVault({ local, session, backup, now: () => clock, autoLockMinutes: async () => 15 })
  const settings = createSettings(local)
  const never = () => expect.unreachable('asked the outside')
  // It may be there, and is not asked.
  const askable = {
    verify: async () => void calls.push(['verify']),
    pass: async (...args: unknown[]) => {
      calls.push(['pass', ...args])
      return '0x07'
    },
  }
  const neverChain = () => askable as unknown as Chain
  const networks = createNetworks(settings, { createChain: neverChain, createApi: never })
  wallet = createWallet({
    vault,
    settings,
    drafts: createDrafts({ session, local }),
    networks,
    tokens: createTokens(local, networks),
    listedAt: async () => 5,
    assets: createAssets(local),
    picks: createPicks(local),
    tokenOf: async () => found,
    quote: async (...args) => {
      calls.push(['quote', ...args])
      return { trade: args[0].trade, returns: 1n, gas: 1n, route: [] }
    },
    impact: async (...args) => {
      calls.push(['impact', ...args])
      return 7
    },
    sellFor: async (...args) => {
      calls.push(['sellFor', ...args])
      return args[0].returns * 2n
    },
    sources: async (id) => [{ id: `SOURCE_${id}`, title: 'Source' }],
    reviews: {
      async review(ask) {
        calls.push(['review', ask])
        return reviewOf(ask.trade)
      },
      recheck: async () => ({ status: 'unknown', reason: 'No node.' }),
    },
    previewTransfer: async (ask) => {
      calls.push(['previewTransfer', ask])
      throw new WalletError('not-enough-gas', 'No coins.')
    },
    allowances: async () => [],
    intents: {
      swap: async (wanted) => {
        calls.push(['swap', wanted])
        return { intent: wanted, createdAt: 1, steps: [], paid: 0n, outcome: { status: 'working' } }
      },
      send: async (wanted) => {
        calls.push(['send', wanted])
        return sendingOf(wanted)
      },
      find: async (id) => (id === sent.id ? sendingOf(sent) : undefined),
      list: async () => [],
      sendings: async () => [sendingOf(sent)],
      replacement: async (...args) => {
        calls.push(['replacement', ...args])
        const speed = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
        const speeds = { slow: speed, normal: speed, fast: speed }
        return { replaces: '0x', gas: 1n, l1Fee: 0n, least: speed, speeds }
      },
      replace: async (ask) => {
        calls.push(['replace', ask])
        return sendingOf(sent)
      },
      openChains: async () => busy,
      resume: async () => undefined,
    },
    approvals: {
      ask: never,
      checkFree: never,
      list: async () => [open],
      find: async (id) => (id === open.id ? open : undefined),
      approve: call('approve'),
      reject: call('reject'),
      rejectAll: call('rejectAll'),
      withdraw: never,
      withdrawSite: call('withdrawSite'),
      show: call('show'),
    },
    reset: vault.reset,
    sites: {
      forget: never,
      list: async () => [],
      get: never,
      view: never,
      chain: never,
      permitted: never,
      save: never,
      change: call('change'),
      setChain: never,
      disconnect: call('disconnect'),
    },
    preview: async ({ id }) => ({
      simulation: { status: 'unknown', reason: id },
      networkFee: 1n,
      feeCap: 2n,
    }),
    events: {
      status: (status) => told.push(status),
      settings: () => undefined,
      swap: () => undefined,
      sending: () => undefined,
      approvals: () => undefined,
      sites: () => undefined,
    },
  })
  await wallet.create(key, await newSecret(12))
  account = (await vault.accounts())[0]!.address
})

describe('accounts', () => {
  it('grow by one, and every view hears of it', async () => {
    const added = await wallet.addAccount()
    expect(added).toMatchObject({ name: 'Account 2' })
    expect(told.at(-1)).toMatchObject({ accounts: [{ address: account, name: 'Account 1' }, added] })
    await wallet.saveSite(site([added.address]))
    expect(calls).toEqual([['change', site([added.address])]])
  })
})

describe('accounts of all kinds', () => {
  const lone = `0x${'11'.repeat(32)}` as const
  const state = async () => {
    const status = await wallet.status()
    if (status.vault !== 'unlocked') throw new Error('It is locked.')
    return status
  }

  it('are told to every view after each change, by whoever made it', async () => {
    const [{ id }] = (await state()).seeds as [{ id: string; backedUp: boolean }]
    const imported = await wallet.addKey(lone)
    await wallet.addWatched(stranger)
    const derived = await wallet.addAccount(id)
    const phrase = await wallet.addSeed(await newSecret(12))
    const changes = [
      () => wallet.changeAccount(imported.address, { name: 'Savings' }),
      () => wallet.changeAccount(derived.address, { isHidden: true }),
      () => wallet.orderAccounts([stranger, derived.address, imported.address, account, phrase.address]),
      () => wallet.confirmBackup(id),
      () => wallet.removeAccount(stranger),
    ]
    for (const change of changes) {
      const before = told.length
      await change()
      expect(told.slice(before)).toEqual([await wallet.status()])
    }
    expect(await state()).toMatchObject({
      accounts: [
        { address: derived.address, kind: 'seed', secret: id, isHidden: true },
        { address: imported.address, kind: 'key', name: 'Savings', isHidden: false },
        { address: account, kind: 'seed' },
        { address: phrase.address, kind: 'seed' },
      ],
      seeds: [{ id, backedUp: true }, { backedUp: false }],
      backedUp: false,
    })
    await wallet.removeSeed((await state()).seeds[1]!.id)
    expect(await state()).toMatchObject({ seeds: [{ id }], backedUp: true })
  })

  it('are not for sites while they are hidden, nor while they are only watched', async () => {
    const hidden = (await wallet.addAccount()).address
    await wallet.changeAccount(hidden, { isHidden: true })
    await wallet.addWatched(stranger)
    for (const one of [hidden, stranger]) {
      const decision: Decision = { kind: 'connect', accounts: [account, one], chainId: 1 }
      await expect(wallet.approve(open.id, decision)).rejects.toMatchObject({ code: 'invalid-input' })
      await expect(wallet.saveSite(site([one]))).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(calls).toEqual([])
  })

  it('are reviewed for and revoked from only where their key is', async () => {
    await wallet.addWatched(stranger)
    const ask: ReviewAsk = { id: 'ab'.repeat(16), trade, account: stranger, slippageBps: 50 }
    const watchOnly = { code: 'watch-only' }
    await expect(wallet.review(ask)).rejects.toMatchObject(watchOnly)
    const permission = { chainId: 1, account: stranger, token: stranger, spender: stranger }
    await expect(wallet.revokeFee(permission)).rejects.toMatchObject(watchOnly)
    expect(calls).toEqual([])
  })

  it('are refused where what is said of them is nothing', async () => {
    const odd = [undefined, null, 7, '', '0x', {}, []] as never[]
    for (const one of odd) {
      for (const change of [
        () => wallet.addKey(one),
        () => wallet.addWatched(one),
        () => wallet.addPhrase(one),
        () => wallet.changeAccount(one, { name: 'Me' }),
        () => wallet.changeAccount(account, { name: typeof one === 'string' ? '' : (one ?? ('' as never)) }),
        () => wallet.removeAccount(one),
        () => wallet.removeSeed(one),
        () => wallet.revealKey(dataKey, one),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'invalid-input' })
      }
    }
    expect((await state()).accounts).toMatchObject([{ address: account, name: 'Account 1' }])
  })

  it('show their secrets to who proves the password', async () => {
    const imported = await wallet.addKey(lone)
    expect(await wallet.revealKey(dataKey, imported.address)).toBe(lone)
    const wrong = Buffer.alloc(32, 9).toString('base64')
    await expect(wallet.revealKey(wrong, imported.address)).rejects.toMatchObject({ code: 'wrong-password' })
  })

  it('are gone after a reset, locked or not, and every view hears of it', async () => {
    await wallet.lock()
    await wallet.reset()
    expect(told.at(-1)).toEqual({ vault: 'none' })
    await wallet.importKey(key, lone)
    expect(await state()).toMatchObject({ accounts: [{ kind: 'key' }], seeds: [], backedUp: true })
    await wallet.reset()
    await wallet.importWatched(key, stranger)
    expect(await state()).toMatchObject({ accounts: [{ address: stranger, kind: 'watched' }] })
  })
})

describe('what pages ask', () => {
  const refused = { code: 'invalid-input' }

  it('is listed, looked at ahead, and shown', async () => {
    expect(await wallet.approvals()).toEqual([open])
    expect(await wallet.preview(open.id)).toMatchObject({ simulation: { reason: open.id } })
    await expect(wallet.preview('cd'.repeat(16))).rejects.toMatchObject({
      ...refused,
      message: 'This request is no longer open.',
    })
    await wallet.showApprovals()
    expect(calls).toEqual([['show']])
  })

  it('is answered with a whole decision, for accounts of this wallet', async () => {
    const connect: Decision = { kind: 'connect', accounts: [account], chainId: 1 }
    await wallet.approve(open.id, connect)
    await wallet.approve(open.id, { kind: 'send', feeCap: 5n, mayFail: false })
    await wallet.reject(open.id)
    await wallet.rejectAll()
    const done = [
      ['approve', open.id, connect],
      ['approve', open.id, { kind: 'send', feeCap: 5n, mayFail: false }],
      ['reject', open.id],
      ['rejectAll'],
    ]
    expect(calls).toEqual(done)
    for (const odd of [
      undefined,
      { kind: 'send' },
      { kind: 'send', feeCap: 5n },
      { kind: 'send', feeCap: 5, mayFail: true },
      { kind: 'send', feeCap: -1n, mayFail: true },
      { kind: 'no such' },
      { kind: 'swap', intent: {} },
      { ...connect, accounts: [] },
      { ...connect, accounts: [account.toUpperCase()] },
      { ...connect, accounts: [account, stranger] },
    ]) {
      await expect(wallet.approve(open.id, odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.reject(7 as never)).rejects.toMatchObject(refused)
    expect(calls).toEqual(done)
  })

  it('is approved by nobody while the wallet is locked, and may be rejected', async () => {
    await wallet.lock()
    const locked = { code: 'locked' }
    await expect(wallet.approve(open.id, { kind: 'sign-message' })).rejects.toMatchObject(locked)
    await expect(wallet.saveSite(site([account]))).rejects.toMatchObject(locked)
    await wallet.reject(open.id)
    await wallet.disconnect('https://a.example')
    expect(calls).toEqual([
      ['reject', open.id],
      ['disconnect', 'https://a.example'],
      ['withdrawSite', 'https://a.example'],
    ])
  })

  it('keeps the wallet open longer when it is answered', async () => {
    const acts = [
      () => wallet.approve(open.id, { kind: 'sign-message' }),
      () => wallet.reject(open.id),
      () => wallet.rejectAll(),
      () => wallet.saveSite(site([account])),
      () => wallet.disconnect('https://a.example'),
      () => wallet.addAccount(),
    ]
    for (const act of acts) {
      clock += 14 * 60_000
      await act()
      expect((await wallet.status()).vault).toBe('unlocked')
    }
    clock += 15 * 60_000
    expect((await wallet.status()).vault).toBe('locked')
    await wallet.unlock(dataKey)
  })
})

describe('a site', () => {
  it('sees accounts of this wallet only', async () => {
    for (const odd of [site([stranger]), { ...site([account]), chainId: '1' }, undefined]) {
      await expect(wallet.saveSite(odd as never)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(calls).toEqual([])
  })
})

describe('tokens', () => {
  it('are the user’s own alone on a network without a service', async () => {
    expect(await wallet.tokens(1)).toEqual([])
  })
})

describe('selling for what is wanted', () => {
  it('asks for two tokens and an amount', async () => {
    const wanted = { chainId: 1, sell: native, buy: stranger, returns: 4n }
    expect(await wallet.sellFor(wanted, 'form')).toBe(8n)
    expect(calls).toEqual([['sellFor', wanted, 'form']])
    await expect(wallet.sellFor(wanted, 7 as never)).rejects.toMatchObject({ code: 'invalid-input' })
    for (const odd of [
      { ...wanted, buy: native },
      { ...wanted, returns: 0n },
      { ...wanted, chainId: 0 },
    ]) {
      await expect(wallet.sellFor(odd)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

const trade = { chainId: 1, sell: native, buy: stranger, amount: 4n }
const refused = { code: 'invalid-input' }

describe('prices', () => {
  it('are asked for with the way that routes are found, by who looks at them', async () => {
    const ask = { trade, options: { parts: 5, feeBps: 30, referrer: stranger } }
    await wallet.quote(ask, 'form')
    await wallet.quote({ trade })
    expect(await wallet.impact(ask, 8n, 'form')).toBe(7)
    expect(calls).toEqual([
      ['quote', ask, 'form'],
      ['quote', { trade }, undefined],
      ['impact', ask, 8n, 'form'],
    ])
    expect(await wallet.sources(5)).toEqual([{ id: 'SOURCE_5', title: 'Source' }])
  })

  it('are asked for nothing that is none', async () => {
    for (const odd of [
      trade,
      { trade: { ...trade, amount: 0n } },
      { trade: { ...trade, buy: native } },
      { trade, options: { parts: 51 } },
      { trade, options: { feeBps: 30 } },
      { trade, options: { protocols: ['A&x=1,B'] } },
    ]) {
      await expect(wallet.quote(odd as never)).rejects.toMatchObject(refused)
      await expect(wallet.impact(odd as never, 8n)).rejects.toMatchObject(refused)
    }
    await expect(wallet.impact({ trade }, 0n)).rejects.toMatchObject(refused)
    await expect(wallet.reserve(0)).rejects.toMatchObject(refused)
    await expect(wallet.reserve(31337, 0n)).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
  })
})

describe('a review', () => {
  const id = 'ab'.repeat(16)

  it('is made with all that was chosen, for an account of this wallet', async () => {
    const ask: ReviewAsk = {
      id,
      trade,
      account,
      slippageBps: 50,
      atLeast: 3n,
      options: { excludedProtocols: ['A'] },
      receiver: stranger,
      allowPartialFill: true,
      permission: { via: 'permit2', amount: 8n },
      speed: { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n },
    }
    await wallet.review(ask)
    expect(calls).toEqual([['review', ask]])
    for (const odd of [
      { ...ask, account: stranger },
      { ...ask, id: '../settings' },
      { ...ask, slippageBps: 0 },
      { ...ask, receiver: '0x12' },
      { ...ask, permission: { via: 'approve' } },
      { ...ask, permission: { via: 'trust' } },
      { ...ask, speed: 'warp' },
      { ...ask, speed: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n } },
    ]) {
      await expect(wallet.review(odd as never)).rejects.toMatchObject(refused)
    }
    expect(calls).toHaveLength(1)
  })

  it('is looked at again by its id, and keeps nobody’s wallet open', async () => {
    clock += 14 * 60_000
    expect(await wallet.recheck(id)).toMatchObject({ status: 'unknown' })
    await expect(wallet.recheck('7')).rejects.toMatchObject(refused)
    clock += 60_000
    expect((await wallet.status()).vault).toBe('locked')
  })
})

describe('a permission', () => {
  const ask = { chainId: 31337, account: stranger, token: native, spender: stranger }

  it('is taken back by one call, exactly as it was shown, and found again', async () => {
    const revocation = { ...ask, account, id: sent.id, feeCap: 9n }
    expect(await wallet.revoke({ ...revocation, via: 'permit2' })).toMatchObject({
      outcome: { status: 'working' },
    })
    expect(calls).toMatchObject([
      ['send', { id: sent.id, account, feeCap: 9n, mayFail: false, calls: [{ value: 0n }] }],
    ])
    expect(await wallet.sending(sent.id)).toEqual(sendingOf(sent))
    expect(await wallet.sending('ef'.repeat(16))).toBeUndefined()
    for (const odd of [
      { ...revocation, id: '1' },
      { ...revocation, feeCap: -1n },
      { ...revocation, via: 'trust' },
    ]) {
      await expect(wallet.revoke(odd as never)).rejects.toMatchObject(refused)
    }
  })

  it('of somebody else is nobody’s business', async () => {
    await expect(wallet.allowances(31337, stranger)).rejects.toMatchObject(refused)
    await expect(wallet.allowance(31337, stranger, native, stranger)).rejects.toMatchObject(refused)
    await expect(wallet.revokeFee(ask)).rejects.toMatchObject(refused)
    await wallet.lock()
    await expect(wallet.allowances(31337, account)).rejects.toMatchObject({ code: 'locked' })
    await expect(wallet.revokeFee({ ...ask, account })).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('a transfer', () => {
  const ask = { chainId: 31337, token: native, to: stranger, amount: 5n }

  it('is tried out, and sent as one call of an account of this wallet', async () => {
    const speed = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    await expect(wallet.previewTransfer({ ...ask, account })).rejects.toMatchObject({
      code: 'not-enough-gas',
    })
    await wallet.send({ ...ask, account, speed, id: sent.id, feeCap: 9n })
    const purpose = { kind: 'transfer', token: native, to: stranger, amount: 5n }
    expect(calls).toMatchObject([
      ['previewTransfer', { ...ask, account }],
      [
        'send',
        {
          id: sent.id,
          account,
          feeCap: 9n,
          speed,
          mayFail: false,
          purpose,
          calls: [{ to: stranger, value: 5n }],
        },
      ],
    ])
    expect(await wallet.sendings()).toEqual([sendingOf(sent)])
  })

  it('is nothing that is none, and nobody else’s', async () => {
    const whole = { ...ask, account, id: sent.id, feeCap: 9n }
    for (const odd of [
      { ...whole, amount: 0n },
      { ...whole, to: '0x12' },
      { ...whole, id: '7' },
      { ...whole, speed: 'warp' },
    ]) {
      await expect(wallet.send(odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.previewTransfer({ ...ask, account: stranger })).rejects.toMatchObject(refused)
    await expect(wallet.isContract(31337, '0x12' as never)).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
  })

  it('keeps no wallet open by being tried out again and again', async () => {
    for (let minutes = 0; minutes < 14; minutes++) {
      clock += 60_000
      await expect(wallet.previewTransfer({ ...ask, account })).rejects.toMatchObject({
        code: 'not-enough-gas',
      })
    }
    clock += 60_000
    expect(await vault.status()).toBe('locked')
  })

  it('asks a contract of the right chain what changes nothing', async () => {
    expect(await wallet.call(31337, stranger, '0x0178b8bf')).toBe('0x07')
    expect(calls).toEqual([
      ['verify'],
      ['pass', 'eth_call', [{ to: stranger, data: '0x0178b8bf' }, 'latest']],
    ])
    calls = []
    for (const [to, data] of [
      ['0x12', '0x'],
      [stranger, '0x1'],
      [stranger, 'call'],
    ]) {
      await expect(wallet.call(31337, to as never, data as never)).rejects.toMatchObject(refused)
    }
    expect(calls.filter(([what]) => what !== 'verify')).toEqual([])
  })

  it('that waits is replaced by what the user says', async () => {
    const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    const replaces: Hex = `0x${'ab'.repeat(32)}`
    const feeCap = 9n
    await wallet.replacement(sent.id, 'faster')
    await wallet.replace({ id: sent.id, wish: 'cancel', replaces, fees, feeCap })
    expect(calls).toEqual([
      ['replacement', sent.id, 'faster'],
      ['replace', { id: sent.id, wish: 'cancel', replaces, fees, feeCap }],
    ])
    for (const odd of [
      { id: sent.id, wish: 'slower', replaces, fees, feeCap },
      { id: sent.id, wish: 'cancel', replaces: '0x12', fees, feeCap },
      { id: sent.id, wish: 'cancel', replaces, fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }, feeCap },
      { id: sent.id, wish: 'cancel', replaces, fees },
    ]) {
      await expect(wallet.replace(odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.replacement(sent.id, 'slower' as never)).rejects.toMatchObject(refused)
  })
})

describe('networks', () => {
  const custom = {
    chainId: 777,
    name: 'Mine',
    coin: { symbol: 'MINE', name: 'Mine' },
    serviceUrl: '',
    rpcUrl: 'https://node.example',
    confirmations: 3,
    quoteEveryMs: 6_000,
  }
  const ids = async () => (await wallet.settings()).networks.map(({ chainId }) => chainId)

  it('come and go as the user likes', async () => {
    await wallet.saveSettings({ added: [custom] })
    expect(await ids()).toContain(777)
    await wallet.saveSettings({ chainId: 777 })
    await wallet.saveSettings({ chainId: 31337, removed: [777] })
    expect(await ids()).not.toContain(777)
  })

  it('stay while they are chosen, or something is under way on them', async () => {
    await wallet.saveSettings({ added: [custom], chainId: 777 })
    const needed = (why: string) => ({ code: 'network-needed', facts: { why } })
    await expect(wallet.saveSettings({ removed: [777] })).rejects.toMatchObject(needed('chosen'))
    busy = [777]
    await expect(wallet.saveSettings({ chainId: 1, removed: [777] })).rejects.toMatchObject(needed('busy'))
    expect((await wallet.settings()).chainId).toBe(777)
    expect(await ids()).toContain(777)
    busy = [1]
    await wallet.saveSettings({ chainId: 1, removed: [777] })
  })

  it('that came with the wallet stay, and can be left without anybody to ask', async () => {
    await expect(wallet.saveSettings({ removed: [56] })).rejects.toMatchObject({
      code: 'network-needed',
      facts: { why: 'built-in' },
    })
    await wallet.saveSettings({ chainId: 1 })
    const { networks } = await wallet.settings()
    const local = networks.find(({ chainId }) => chainId === 31337)!
    await wallet.saveSettings({ networks: [{ ...local, rpcUrl: '', serviceUrl: '' }] })
    expect((await wallet.settings()).networks[0]).toMatchObject({
      chainId: 31337,
      rpcUrl: '',
      serviceUrl: '',
    })
  })

  it('that name nobody are asked for nothing', async () => {
    expect(await wallet.health(1)).toEqual({ nodes: [], service: undefined })
    await expect(wallet.health(5)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('to be are asked only where it is safe', async () => {
    for (const url of ['http://node.example', 'ftp://node.example', 'node', '', 5]) {
      await expect(wallet.chainAt(url as never)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

describe('tokens that no list has', () => {
  const odd = { ...dai, address: stranger, symbol: 'ODD', listed: false }

  it('that no list has are kept until they are forgotten', async () => {
    found = odd
    expect(await wallet.importToken(1, stranger)).toEqual(odd)
    expect(await wallet.tokens(1)).toEqual([odd])
    await wallet.forgetToken(1, stranger)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('of the list, and the coin, are not kept twice', async () => {
    found = { ...odd, listed: true }
    await wallet.importToken(1, stranger)
    found = { ...odd, address: native }
    await wallet.importToken(1, native)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('are marked and picked by network', async () => {
    await wallet.changePicks(1, { marked: [stranger] })
    await wallet.changePicks(1, { used: [native] })
    expect(await wallet.picks(1)).toEqual({ favourites: [stranger], recents: [native], listedAt: 5 })
    for (const odd of [{ marked: ['0x1'] }, { used: stranger }, undefined]) {
      await expect(wallet.changePicks(1, odd as never)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

describe('the draft', () => {
  it('is that of the network that the settings are on', async () => {
    const draft: Draft = { chainId: 31337, sell: native, buy: stranger, amount: '5', side: 'buy' }
    await wallet.saveDraft(draft)
    expect(await wallet.draft()).toEqual(draft)
    await wallet.saveSettings({ chainId: 1 })
    expect(await wallet.draft()).toBeUndefined()
    await wallet.saveDraft({ ...draft, chainId: 1 })
    await wallet.saveSettings({ chainId: 31337 })
    expect(await wallet.draft()).toEqual({ ...draft, amount: '', side: 'sell' })
  })
})

function site(accounts: Address[]): Site {
  return { origin: 'https://a.example', accounts, chainId: 1, connectedAt: 5 }
}
