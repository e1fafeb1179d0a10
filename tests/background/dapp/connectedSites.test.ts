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

describe('connected sites: view', () => {
  it('returns no accounts and the chain of the settings for an unconnected site', async () => {
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 31337 })
  })

  it('returns the accounts and the chain of a connected site, also after a restart', async () => {
    await sites.save(site)
    expect(await sites.view(origin)).toEqual({ accounts: [first], chainId: 8453 })
    expect(await create().view(origin)).toEqual({ accounts: [first], chainId: 8453 })
    expect(await sites.view('https://other.example')).toEqual({ accounts: [], chainId: 31337 })
  })

  it('returns no accounts while the wallet is locked', async () => {
    await sites.save(site)
    status = 'locked'
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 8453 })
  })

  it('keeps the order of accounts and omits those that the wallet no longer has', async () => {
    await sites.save({ ...site, accounts: [second, stranger, first] })
    expect((await sites.view(origin)).accounts).toEqual([second, first])
  })

  it('falls back to the chain of the settings when the site’s chain was removed', async () => {
    await sites.save({ ...site, chainId: 777 })
    const again = create()
    expect(await again.view(origin)).toEqual({ accounts: [first], chainId: 31337 })
    expect(await again.chain(origin)).toBe(31337)
  })

  it('does not access the vault for a chain or for a site without accounts', async () => {
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

describe('connected sites: change', () => {
  it('changes the accounts of a connected site and keeps connectedAt', async () => {
    await sites.save(site)
    await sites.change({ ...site, accounts: [second], connectedAt: 99 })
    expect(await sites.get(origin)).toEqual({ ...site, accounts: [second] })
  })

  it('rejects a site that is not connected any more', async () => {
    const refused = { code: 'invalid-input', message: 'This site is not connected any more.' }
    await expect(sites.change(site)).rejects.toMatchObject(refused)
    await sites.save(site)
    await sites.disconnect(origin)
    await expect(sites.change(site)).rejects.toMatchObject(refused)
    expect((await sites.view(origin)).accounts).toEqual([])
    expect(await sites.list()).toEqual([])
  })
})

describe('connected sites: permitted', () => {
  it('returns the account in lower case, locked or unlocked', async () => {
    await sites.save(site)
    expect(await sites.permitted(origin, first.toUpperCase().replace('0X', '0x'))).toBe(first)
    status = 'locked'
    expect(await sites.permitted(origin, first)).toBe(first)
  })

  it('rejects another account, another site and an invalid account without revealing addresses', async () => {
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

describe('connected sites: requireConnection', () => {
  it('accepts a connected site, locked or unlocked, and rejects any other', async () => {
    const refused = { code: 'not-connected', message: expect.stringContaining('eth_requestAccounts') }
    await expect(sites.requireConnection(origin)).rejects.toMatchObject(refused)
    await sites.save(site)
    await sites.requireConnection(origin)
    status = 'locked'
    await sites.requireConnection(origin)
    await sites.disconnect(origin)
    await expect(sites.requireConnection(origin)).rejects.toMatchObject(refused)
  })

  it('rejects a site whose accounts the wallet no longer has', async () => {
    await sites.save({ ...site, accounts: [stranger] })
    await expect(sites.requireConnection(origin)).rejects.toMatchObject({ code: 'not-connected' })
  })
})

describe('connected sites: updates', () => {
  it('stores a change before it reports the change', async () => {
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

  it('keeps all of fifty concurrent changes', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...site, origin: `https://s${index}.example` }))
    await Promise.all(many.map((each) => sites.save(each)))
    expect(await create().list()).toHaveLength(50)
    await Promise.all(many.map((each) => sites.disconnect(each.origin)))
    expect(await create().list()).toEqual([])
    expect(changes).toBe(100)
  })

  it('reports no update when nothing changes', async () => {
    await sites.disconnect(origin)
    await sites.setChain(origin, 1)
    await sites.setChain(origin, 1)
    await sites.disconnect(origin)
    expect(changes).toBe(1)
  })

  it('keeps the previous state when the storage fails', async () => {
    await sites.save(site)
    local.set = async () => {
      throw new WalletError('storage-failed', 'No room.')
    }
    await expect(sites.disconnect(origin)).rejects.toMatchObject({ code: 'storage-failed' })
    expect((await sites.view(origin)).accounts).toEqual([first])
    expect(changes).toBe(1)
  })
})

describe('connected sites: unconnected site', () => {
  it('stores a chain for an unconnected site without listing it', async () => {
    await sites.setChain(origin, 1)
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 1 })
    expect(await sites.list()).toEqual([])
    expect(await sites.get(origin)).toEqual({ origin, accounts: [], chainId: 1, connectedAt: 7 })
  })

  it('keeps the chain after a disconnect, and forgets a site on the default chain', async () => {
    await sites.save(site)
    await sites.disconnect(origin)
    expect(await sites.view(origin)).toEqual({ accounts: [], chainId: 8453 })
    await sites.save({ ...site, chainId: 31337 })
    await sites.disconnect(origin)
    expect(await sites.get(origin)).toBeUndefined()
  })
})

describe('connected sites: stored record', () => {
  it('sets a damaged record aside', async () => {
    await local.set({ sites: [{ ...site, accounts: ['0x12'] }] })
    expect(await sites.list()).toEqual([])
    await sites.save(site)
    expect(await sites.list()).toEqual([site])
    expect(await local.get('sites.damaged')).toEqual([{ ...site, accounts: ['0x12'] }])
  })

  it('rejects an invalid site', async () => {
    await expect(sites.save({ ...site, chainId: -1 })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(changes).toBe(0)
  })
})
