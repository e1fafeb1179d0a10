import { describe, expect, it } from 'vitest'
import type { Site } from '../../src/domain/dapp/site.ts'
import { WalletError } from '../../src/errors.ts'
import type { WalletApi } from '../../src/protocol.ts'
import { createSites } from '../../src/state/sites.ts'
import { standInWallet } from '../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const app: Site = { origin: 'https://app.example', accounts: [account], chainId: 1, connectedAt: 1 }
const shop: Site = { ...app, origin: 'https://shop.example' }

async function store(methods: Partial<WalletApi> = {}) {
  const one = createSites(standInWallet({ sites: async () => [app, shop], ...methods }))
  await one.load()
  return one
}

describe('connected sites', () => {
  it('lists the sites that the worker knows', async () => {
    const one = await store()
    expect(one.getState().sites).toEqual([app, shop])
    one.heard([shop])
    expect(one.getState().sites).toEqual([shop])
  })

  it('reports why the sites could not be read', async () => {
    const one = await store({ sites: () => Promise.reject(new WalletError('storage-failed', 'No.')) })
    expect(one.getState()).toMatchObject({ sites: undefined, error: { code: 'storage-failed' } })
  })

  it('updates one site and leaves the others unchanged', async () => {
    const saved: Site[] = []
    const one = await store({
      async updateSite(site) {
        saved.push(site)
      },
    })
    await one.save({ ...app, chainId: 137 })
    expect(saved).toEqual([{ ...app, chainId: 137 }])
    expect(one.getState().sites).toEqual([{ ...app, chainId: 137 }, shop])
  })

  it('keeps the sites when an update fails', async () => {
    const one = await store({ updateSite: () => Promise.reject(new WalletError('storage-failed', 'No.')) })
    await expect(one.save({ ...app, chainId: 137 })).rejects.toMatchObject({ code: 'storage-failed' })
    expect(one.getState().sites).toEqual([app, shop])
  })

  it('removes a disconnected site', async () => {
    const gone: string[] = []
    const one = await store({
      async disconnect(origin) {
        gone.push(origin)
      },
    })
    await one.disconnect(app.origin)
    expect(gone).toEqual([app.origin])
    expect(one.getState().sites).toEqual([shop])
  })
})
