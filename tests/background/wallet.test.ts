import { beforeEach, describe, expect, it } from 'vitest'
import { createDrafts } from '../../src/background/draft.ts'
import { createNetworks } from '../../src/background/networks.ts'
import { createSettings } from '../../src/background/settings.ts'
import { createTokens } from '../../src/background/tokens.ts'
import { createWallet } from '../../src/background/wallet.ts'
import type { Approval, Decision } from '../../src/domain/approval.ts'
import type { Site } from '../../src/domain/site.ts'
import { type Address, native } from '../../src/domain/token.ts'
import type { Status, Wallet } from '../../src/protocol.ts'
import { newSecret } from '../../src/vault/phrase.ts'
import { createVault, type Vault } from '../../src/vault/vault.ts'
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

const call =
  (name: string) =>
  async (...args: unknown[]) => {
    calls.push([name, ...args])
  }

beforeEach(async () => {
  calls = []
  told = []
  clock = 1_000_000
  const [local, session] = [memoryArea(), memoryArea()]
  const backup = { read: async () => undefined, write: async () => undefined }
  vault = createVault({ local, session, backup, now: () => clock })
  const settings = createSettings(local)
  const never = () => expect.unreachable('asked the outside')
  wallet = createWallet({
    vault,
    settings,
    drafts: createDrafts(session),
    networks: createNetworks(settings, { createChain: never, createApi: never }),
    tokens: createTokens(local),
    assets: { list: async () => [] },
    tokenOf: never,
    quote: never,
    sellFor: async ({ returns }) => returns * 2n,
    swaps: { swap: never, list: async () => [], resume: async () => undefined },
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
    sites: {
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

describe('selling for what is wanted', () => {
  it('asks for two tokens and an amount', async () => {
    const wanted = { chainId: 1, sell: native, buy: stranger, returns: 4n }
    expect(await wallet.sellFor(wanted)).toBe(8n)
    for (const odd of [
      { ...wanted, buy: native },
      { ...wanted, returns: 0n },
      { ...wanted, chainId: 0 },
    ]) {
      await expect(wallet.sellFor(odd)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

function site(accounts: Address[]): Site {
  return { origin: 'https://a.example', accounts, chainId: 1, connectedAt: 5 }
}
