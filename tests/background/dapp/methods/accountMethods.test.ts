import { beforeEach, describe, expect, it } from 'vitest'
import type { Requester } from '../../../../src/background/approvals/store.ts'
import { createConnectedSites, type Sites } from '../../../../src/background/dapp/connectedSites.ts'
import {
  type AccountMethods,
  createAccountMethods,
  createConnect,
} from '../../../../src/background/dapp/methods/accountMethods.ts'
import { createSettings } from '../../../../src/background/settings.ts'
import type { Approval, DappRequest, Decision } from '../../../../src/domain/dapp/approval.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const first: Address = `0x${'a1'.repeat(20)}`
const second: Address = `0x${'b2'.repeat(20)}`
const origin = 'https://site.example'
const asker: Requester = { origin, documentId: 'D', tabId: 1, requestId: 1 }
const yes: Decision = { kind: 'connect', accounts: [first], chainId: 8453 }
const wanted = [{ eth_accounts: {} }]

let locked: boolean
let clock: number
let sites: Sites
let withdrawn: string[]
let open: { approval: Approval; resolve: (value: unknown) => void }[]
let pages: AccountMethods
let connect: ReturnType<typeof createConnect>

beforeEach(() => {
  locked = false
  clock = 1
  open = []
  withdrawn = []
  const local = memoryArea()
  const settings = createSettings(local)
  const vault = {
    status: async () => (locked ? ('locked' as const) : ('unlocked' as const)),
    accounts: async () => {
      if (locked) throw new WalletError('locked', 'The vault is locked.')
      return [first, second].map((address) => ({ address, name: 'One' }))
    },
  }
  sites = createConnectedSites({ vault, settings, local, onChange: async () => undefined })
  connect = createConnect({ vault, settings, sites, now: () => clock++ })
  pages = createAccountMethods({
    sites,
    approvals: {
      ask: ({ origin }: Requester, ask: DappRequest, { chainId }) =>
        new Promise((resolve) => {
          const id = String(open.length)
          open.push({ approval: { id, origin, chainId, createdAt: 0, expiresAt: 1, ask }, resolve })
        }),
      list: async () => open.map(({ approval }) => approval),
      approve: async (id, decision) => {
        const found = open.find(({ approval }) => approval.id === id)!
        // The outcome is stored as JSON.
        found.resolve(JSON.parse(JSON.stringify(await connect(found.approval, decision))))
        open = open.filter((each) => each !== found)
      },
      withdrawSite: async (origin) => void withdrawn.push(origin),
    },
  })
})

function ask(method: string, params?: unknown): Promise<unknown> {
  return pages.methods[method]!(asker, params)
}

async function answer(decision: Decision): Promise<Approval> {
  await expect.poll(() => open).toHaveLength(1)
  const { approval, resolve } = open.shift()!
  resolve(await connect(approval, decision))
  return approval
}

describe('account methods', () => {
  it('returns no accounts before the user has chosen any', async () => {
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_coinbase')).toBeUndefined()
    expect(await ask('wallet_getPermissions')).toEqual([])
  })

  it('requests approval once and then returns the accounts', async () => {
    const asked = ask('eth_requestAccounts')
    const approval = await answer(yes)
    expect(approval).toMatchObject({ origin, chainId: 31337, ask: { kind: 'connect', accounts: [] } })
    expect(await asked).toEqual([first])
    expect(await ask('eth_requestAccounts')).toEqual([first])
    expect(await ask('eth_accounts')).toEqual([first])
    expect(await ask('eth_coinbase')).toBe(first)
    expect(open).toEqual([])
    expect(await sites.view(origin)).toEqual({ accounts: [first], chainId: 8453 })
  })

  it('returns no accounts while locked, and answers eth_requestAccounts after the unlock', async () => {
    await sites.save({ origin, accounts: [first], chainId: 8453, connectedAt: 1 })
    locked = true
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('wallet_getPermissions')).toEqual([])
    const asked = ask('eth_requestAccounts')
    await expect.poll(() => open).toHaveLength(1)
    expect(open[0]?.approval).toMatchObject({ chainId: 8453, ask: { accounts: [first] } })
    locked = false
    await pages.unlocked()
    expect(await asked).toEqual([first])
    expect(open).toEqual([])
  })

  it('keeps a request open after the unlock when the site has no accounts or requests permissions', async () => {
    const other = { ...asker, origin: 'https://other.example', requestId: 2 }
    await sites.save({ origin: other.origin, accounts: [first], chainId: 1, connectedAt: 1 })
    locked = true
    ask('eth_requestAccounts')
    pages.methods.wallet_requestPermissions!(other, wanted)
    await expect.poll(() => open).toHaveLength(2)
    locked = false
    await pages.unlocked()
    expect(open).toHaveLength(2)
  })
})

describe('permission methods', () => {
  const permission = (accounts: Address[]) => [
    {
      invoker: origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
      date: expect.any(Number),
    },
  ]

  it('returns permissions as EIP-2255 describes them', async () => {
    const asked = ask('wallet_requestPermissions', wanted)
    await answer(yes)
    expect(await asked).toEqual(permission([first]))
    expect(await ask('wallet_getPermissions')).toEqual(permission([first]))
  })

  it('requests approval again for a connected site to change its accounts', async () => {
    await sites.save({ origin, accounts: [first], chainId: 1, connectedAt: 1 })
    const asked = ask('wallet_requestPermissions', wanted)
    expect((await answer({ ...yes, accounts: [second, first] })).ask).toMatchObject({ accounts: [first] })
    expect(await asked).toEqual(permission([second, first]))
  })

  it('revokes permissions and withdraws the open requests of the site', async () => {
    await sites.save({ origin, accounts: [first], chainId: 1, connectedAt: 1 })
    expect(await ask('wallet_revokePermissions', wanted)).toBeNull()
    expect(await ask('eth_accounts')).toEqual([])
    expect(withdrawn).toEqual([origin])
    expect(await ask('wallet_revokePermissions', wanted)).toBeNull()
  })

  it.each([
    ['nothing', undefined, 'params'],
    ['an empty list', [], 'params'],
    ['no permission', [{}], 'eth_accounts'],
    ['another permission', [{ eth_accounts: {}, snap: {} }], 'snap'],
    ['a permission that is none', [{ eth_accounts: 1 }], 'eth_accounts'],
    ['an object', { eth_accounts: {} }, 'params'],
  ])('rejects params with %s', async (_what, params, field) => {
    for (const method of ['wallet_requestPermissions', 'wallet_revokePermissions']) {
      await expect(ask(method, params)).rejects.toMatchObject({
        code: 'invalid-params',
        message: expect.stringContaining(field),
      })
    }
    expect(open).toEqual([])
  })
})

describe('createConnect', () => {
  const approval: Approval = {
    id: '1',
    origin,
    chainId: 1,
    createdAt: 0,
    expiresAt: 1,
    ask: { kind: 'connect', accounts: [] },
  }

  it('stores the same connection when executed twice', async () => {
    const twice = { ...yes, accounts: [second, first, second] }
    expect(await connect(approval, twice)).toEqual([second, first])
    const site = await sites.get(origin)
    expect(await connect(approval, twice)).toEqual([second, first])
    expect(await sites.get(origin)).toEqual(site)
  })

  it.each([
    ['no account', { ...yes, accounts: [] }, 'invalid-input'],
    ["somebody else's account", { ...yes, accounts: [first, `0x${'c3'.repeat(20)}`] }, 'invalid-input'],
    ['a chain that nobody knows', { ...yes, chainId: 5 }, 'unknown-chain'],
    ['an answer to something else', { kind: 'switch-chain' }, 'invalid-input'],
  ] as [string, Decision, string][])('rejects a decision with %s', async (_what, decision, code) => {
    await expect(connect(approval, decision)).rejects.toMatchObject({ code })
    expect(await sites.get(origin)).toBeUndefined()
  })

  it('rejects a decision while the wallet is locked', async () => {
    locked = true
    await expect(connect(approval, yes)).rejects.toMatchObject({ code: 'locked' })
  })
})
