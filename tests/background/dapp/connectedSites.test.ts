import { beforeEach, describe, expect, it } from 'vitest'
import { createConnectedSites, type Sites } from '../../../src/background/dapp/connectedSites.ts'
import { createSettings } from '../../../src/background/settings.ts'
import type { Site } from '../../../src/domain/dapp/site.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const first: Address = `0x${'a1'.repeat(20)}`
const second: Address = `0x${'b2'.repeat(20)}`
const stranger: Address = `0x${'c3'.repeat(20)}`
const origin = 'https://site.example'
const site: Site = { origin, accounts: [first], chainId: 8453, connectedAt: 5 }

let status: 'unlocked' | 'locked'
let local: ReturnType<typeof memoryArea>
let changes: number
let sites: Sites

function create(): Sites {
  return createConnectedSites({
    vault: {
      status: async () => status,
      accounts: async () => {
        if (status === 'locked') throw new WalletError('locked', 'The vault is locked.')
        return [first, second].map((address) => ({ address, name: 'One' }))
      },
    },
    settings: createSettings(local),
    local,
    onChange: async () => void changes++,
    now: () => 7,
  })
}

beforeEach(() => {
  status = 'unlocked'
  local = memoryArea()
  changes = 0
  sites = create()
})

describe('view', () => {
  it('shows a site that was not let in no account, and the chain of the settings', async () => {
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 31337 })
  })

  it('shows what the site was given, over a restart too', async () => {
    await sites.save(site)
    expect(await sites.view(origin)).toEqual({ accounts: [first], chainId: 8453 })
    expect(await create().view(origin)).toEqual({ accounts: [first], chainId: 8453 })
    expect(await sites.view('https://other.example')).toEqual({ accounts: [], chainId: 31337 })
  })

  it('shows no account while the wallet is locked', async () => {
    await sites.save(site)
    status = 'locked'
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 8453 })
  })

  it('keeps the order, and leaves out what the wallet has no more', async () => {
    await sites.save({ ...site, accounts: [second, stranger, first] })
    expect((await sites.view(origin)).accounts).toEqual([second, first])
  })

  it('falls back to the chain of the settings when the site is on one that was removed', async () => {
    await sites.save({ ...site, chainId: 777 })
    const again = create()
    expect(await again.view(origin)).toEqual({ accounts: [first], chainId: 31337 })
    expect(await again.chain(origin)).toBe(31337)
  })

  it('asks the vault nothing for a chain, or for a site without accounts', async () => {
    const silent = createConnectedSites({
      vault: { status: () => expect.fail('asked'), accounts: () => expect.fail('asked') },
      settings: createSettings(local),
      local,
      onChange: async () => undefined,
    })
    expect(await silent.view(origin)).toEqual({ accounts: [], chainId: 31337 })
    await silent.save(site)
    expect(await silent.chain(origin)).toBe(8453)
  })
})

describe('change', () => {
  it('changes what a connected site sees, and nothing of when it came', async () => {
    await sites.save(site)
    await sites.change({ ...site, accounts: [second], connectedAt: 99 })
    expect(await sites.get(origin)).toEqual({ ...site, accounts: [second] })
  })

  it('lets no site in that left', async () => {
    const refused = { code: 'invalid-input', message: 'This site is not connected any more.' }
    await expect(sites.change(site)).rejects.toMatchObject(refused)
    await sites.save(site)
    await sites.disconnect(origin)
    await expect(sites.change(site)).rejects.toMatchObject(refused)
    expect((await sites.view(origin)).accounts).toEqual([])
    expect(await sites.list()).toEqual([])
  })
})

describe('permitted', () => {
  it('answers the account in lower case, locked or not', async () => {
    await sites.save(site)
    expect(await sites.permitted(origin, first.toUpperCase().replace('0X', '0x'))).toBe(first)
    status = 'locked'
    expect(await sites.permitted(origin, first)).toBe(first)
  })

  it('refuses another account, another site, and what is no account, without naming any', async () => {
    await sites.save({ ...site, accounts: [first, stranger] })
    for (const [who, account] of [
      [origin, second],
      [origin, stranger],
      [origin, 'nothing'],
      ['https://other.example', first],
    ] as const) {
      const refusal = await sites.permitted(who, account).catch((error: WalletError) => error)
      expect(refusal).toMatchObject({ code: 'not-connected' })
      expect(JSON.stringify(refusal)).not.toMatch(/0x/)
    }
  })
})

describe('requireConnection', () => {
  it('lets a connected site pass, locked or not, and no other', async () => {
    const refused = { code: 'not-connected', message: expect.stringContaining('eth_requestAccounts') }
    await expect(sites.requireConnection(origin)).rejects.toMatchObject(refused)
    await sites.save(site)
    await sites.requireConnection(origin)
    status = 'locked'
    await sites.requireConnection(origin)
    await sites.disconnect(origin)
    await expect(sites.requireConnection(origin)).rejects.toMatchObject(refused)
  })

  it('does not count an account that the wallet does not have any more', async () => {
    await sites.save({ ...site, accounts: [stranger] })
    await expect(sites.requireConnection(origin)).rejects.toMatchObject({ code: 'not-connected' })
  })
})

describe('changes', () => {
  it('are stored before anybody hears of them', async () => {
    const seen: unknown[] = []
    const telling = createConnectedSites({
      vault: { status: async () => 'unlocked', accounts: async () => [{ address: first, name: 'One' }] },
      settings: createSettings(local),
      local,
      onChange: async () => void seen.push(JSON.parse(local.items.get('sites') ?? '[]')),
    })
    await telling.save(site)
    await telling.disconnect(origin)
    expect(seen).toEqual([[site], [{ ...site, accounts: [] }]])
  })

  it('lose nothing when fifty come at once', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...site, origin: `https://s${index}.example` }))
    await Promise.all(many.map((each) => sites.save(each)))
    expect(await create().list()).toHaveLength(50)
    await Promise.all(many.map((each) => sites.disconnect(each.origin)))
    expect(await create().list()).toEqual([])
    expect(changes).toBe(100)
  })

  it('that change nothing tell nobody', async () => {
    await sites.disconnect(origin)
    await sites.setChain(origin, 1)
    await sites.setChain(origin, 1)
    await sites.disconnect(origin)
    expect(changes).toBe(1)
  })

  it('leave nothing remembered when the storage refuses', async () => {
    await sites.save(site)
    local.set = async () => {
      throw new WalletError('storage-failed', 'No room.')
    }
    await expect(sites.disconnect(origin)).rejects.toMatchObject({ code: 'storage-failed' })
    expect((await sites.view(origin)).accounts).toEqual([first])
    expect(changes).toBe(1)
  })
})

describe('a site that is not let in', () => {
  it('has a chain of its own, and is not listed', async () => {
    await sites.setChain(origin, 1)
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 1 })
    expect(await sites.list()).toEqual([])
    expect(await sites.get(origin)).toEqual({ origin, accounts: [], chainId: 1, connectedAt: 7 })
  })

  it('stays on its chain after it was disconnected, and is forgotten when that is the usual one', async () => {
    await sites.save(site)
    await sites.disconnect(origin)
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 8453 })
    await sites.save({ ...site, chainId: 31337 })
    await sites.disconnect(origin)
    expect(await sites.get(origin)).toBeUndefined()
  })
})

describe('the stored record', () => {
  it('is set aside when it is damaged', async () => {
    await local.set({ sites: [{ ...site, accounts: ['0x12'] }] })
    expect(await sites.list()).toEqual([])
    await sites.save(site)
    expect(await sites.list()).toEqual([site])
    expect(await local.get('sites.damaged')).toEqual([{ ...site, accounts: ['0x12'] }])
  })

  it('takes no site that is none', async () => {
    await expect(sites.save({ ...site, chainId: -1 })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(changes).toBe(0)
  })
})
