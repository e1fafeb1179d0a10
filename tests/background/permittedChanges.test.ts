import { beforeEach, describe, expect, it } from 'vitest'
import { createPermittedChanges, waitsForMs } from '../../src/background/permittedChanges.ts'
import { createSettings } from '../../src/background/settings.ts'
import { createTokenPreferenceStore } from '../../src/background/tokens/favourites.ts'
import { builtInNetworks } from '../../src/config.ts'
import { decode } from '../../src/domain/json.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { hostPattern, type PermittedChange } from '../../src/domain/network/permittedChange.ts'
import { WalletError } from '../../src/errors.ts'
import { memoryArea } from '../helpers/background/memoryArea.ts'

const service = 'https://swap.example/v6'
const rpc = 'https://rpc.example/key'
const [mainnet] = builtInNetworks().filter(({ chainId }) => chainId === 1)
const mine: Network = { ...mainnet!, chainId: 777, name: 'Mine', rpcUrl: rpc }
const id = '0'.repeat(32)

const editNetwork = (edits: object, isChecked = true) =>
  ({ kind: 'edit-network', chainId: 1, edits, isChecked }) as const
const edit: (edits: object, isChecked?: boolean) => PermittedChange = editNetwork

function createStage() {
  const session = memoryArea()
  const local = memoryArea()
  const settings = createSettings(local)
  const stage = {
    session,
    settings,
    picks: createTokenPreferenceStore(local),
    given: new Set<string>(),
    chains: {} as Record<string, number>,
    asked: [] as string[],
    /** Runs during an RPC request. */
    meanwhile: async () => {},
    clock: 1_000,
    begin: () =>
      createPermittedChanges({
        session,
        settings,
        picks: createTokenPreferenceStore(local),
        async chainAt(url) {
          stage.asked.push(url)
          await stage.meanwhile()
          const found = stage.chains[url]
          if (found === undefined) throw new WalletError('node-timeout', 'No answer.')
          return found
        },
        hasPermissions: async ({ origins, permissions }) =>
          [...origins, ...permissions].every((one) => stage.given.has(one)),
        now: () => stage.clock,
      }),
    network: async (chainId = 1) => (await settings.get()).networks.find((one) => one.chainId === chainId),
  }
  return stage
}

let stage = createStage()
let changes = stage.begin()
beforeEach(() => {
  stage = createStage()
  changes = stage.begin()
})

const keep = (change: PermittedChange, urls: string[] = [service], name = id) =>
  changes.keep({ id: name, urls, change })
const allow = (...urls: string[]) => {
  for (const url of urls) stage.given.add(url.includes(':') ? hostPattern(url) : url)
}

describe('pending changes', () => {
  it('saves a change after the browser grants the permission, and reports it to the next view', async () => {
    await keep(edit({ serviceUrl: service, serviceKey: 'k' }))
    expect(await changes.unread()).toMatchObject({ id, isPermitted: false })
    await changes.resume()
    expect(await stage.network()).toEqual(mainnet)
    allow(service)
    await changes.resume()
    expect(await stage.network()).toMatchObject({ serviceUrl: service, serviceKey: 'k' })
    expect(await changes.unread()).toMatchObject({ id, outcome: { isDone: true } })
    await changes.drop(id)
    expect(await changes.unread()).toBeUndefined()
    expect(stage.session.items.size).toBe(0)
  })

  it('lets another worker save a change after the first was stopped', async () => {
    await keep(edit({ serviceUrl: service }))
    allow(service)
    await stage.begin().resume()
    expect(await stage.network()).toMatchObject({ serviceUrl: service })
  })

  it('makes a network the current one together with its RPC, and not if that serves another chain', async () => {
    const choose: PermittedChange = { ...editNetwork({ rpcUrl: rpc }), isChosen: true }
    const chosen = async () => (await stage.settings.get()).chainId
    const before = await chosen()
    stage.chains = { [rpc]: 10 }
    allow(rpc)
    await keep(choose, [rpc])
    await expect(changes.carryOut(id)).rejects.toMatchObject({ code: 'wrong-chain' })
    expect([await chosen(), await stage.network()]).toEqual([before, mainnet])

    stage.chains = { [rpc]: 1 }
    await keep(choose, [rpc], '1'.repeat(32))
    await stage.begin().resume()
    expect(before).not.toBe(1)
    expect([await chosen(), await stage.network()]).toEqual([1, { ...mainnet, rpcUrl: rpc }])
  })

  it('saves a change once, and shares the outcome among concurrent calls', async () => {
    stage.chains = { [rpc]: 1 }
    await keep(edit({ rpcUrl: rpc }), [rpc])
    allow(rpc)
    await Promise.all([changes.resume(), changes.carryOut(id), changes.carryOut(id)])
    await changes.carryOut(id)
    expect(stage.asked).toEqual([rpc])
    expect(await stage.network()).toMatchObject({ rpcUrl: rpc })
  })

  it('saves nothing without the permission, even at the request of a view', async () => {
    await keep(edit({ serviceUrl: service }))
    await expect(changes.carryOut(id)).rejects.toMatchObject({ facts: { why: 'not-allowed' } })
    allow(service)
    await changes.resume()
    expect(await stage.network()).toEqual(mainnet)
  })

  it.each([
    ['was dropped', () => changes.drop(id)],
    ['was given up by the lock, which empties the session', () => stage.session.clear()],
    ['made room for the next', () => keep(edit({ name: 'Next' }), [rpc], '1'.repeat(32))],
    ['cannot be read', () => stage.session.set({ change: '{"id":1}' })],
  ])('discards a change that %s', async (_why, happens) => {
    await keep(edit({ serviceUrl: service }))
    await happens()
    allow(service)
    await changes.resume()
    await expect(changes.carryOut(id)).rejects.toMatchObject({ code: 'aborted' })
    expect(await stage.network()).toEqual(mainnet)
  })

  it('saves nothing when the permission comes after five minutes, and reports that to the next view', async () => {
    await keep(edit({ serviceUrl: service }))
    stage.clock += waitsForMs + 1
    expect(await changes.unread()).toBeUndefined()
    allow(service)
    await changes.resume()
    expect(await stage.network()).toEqual(mainnet)
    const outcome = { isDone: false, code: 'invalid-input', facts: { why: 'too-late' } }
    expect(await changes.unread()).toMatchObject({ id, isPermitted: true, outcome })
    await expect(changes.carryOut(id)).rejects.toMatchObject({ facts: { why: 'too-late' } })
    expect(await stage.network()).toEqual(mainnet)
    await changes.drop(id)
    expect(await changes.unread()).toBeUndefined()
  })

  it.each([
    ['dropped', () => changes.drop(id)],
    ['locked away', () => stage.session.clear()],
    [
      'forgotten by a reset',
      async () => {
        changes.forget()
        await stage.session.clear()
      },
    ],
  ])('saves nothing when the change is %s during the RPC request', async (_how, happens) => {
    stage.chains = { [rpc]: 1 }
    stage.meanwhile = happens
    await keep(edit({ rpcUrl: rpc }), [rpc])
    allow(rpc)
    await expect(changes.carryOut(id)).rejects.toMatchObject({ code: 'aborted' })
    expect(await stage.network()).toEqual(mainnet)
    expect(stage.session.items.size).toBe(0)
  })

  it('reports the error and the edits of a failed change to the waiting view and the next one', async () => {
    stage.chains = { [rpc]: 5 }
    const edits = { rpcUrl: rpc, spareRpcUrl: 'https://spare.example' }
    await keep(edit(edits), [rpc])
    allow(rpc)
    const wrong = { code: 'wrong-chain', facts: { field: 'rpcUrl', found: '5', expected: '1' } }
    await expect(changes.carryOut(id)).rejects.toMatchObject(wrong)
    expect(await changes.unread()).toMatchObject({ change: { edits }, outcome: { isDone: false, ...wrong } })
    expect(await stage.network()).toEqual(mainnet)
  })

  it('names the RPC that does not answer, and does not check an RPC already in use', async () => {
    stage.chains = { [rpc]: 1 }
    await keep(edit({ rpcUrl: rpc }), [rpc])
    allow(rpc, 'https://spare.example')
    await changes.carryOut(id)
    await keep(edit({ spareRpcUrl: 'https://spare.example' }), [rpc, 'https://spare.example'])
    await expect(changes.carryOut(id)).rejects.toMatchObject({
      code: 'node-timeout',
      facts: { field: 'spareRpcUrl' },
    })
    expect(stage.asked).toEqual([rpc, 'https://spare.example'])
    await keep(edit({ spareRpcUrl: 'https://spare.example' }, false), [rpc, 'https://spare.example'])
    await changes.carryOut(id)
    expect(stage.asked).toHaveLength(2)
    expect(await stage.network()).toMatchObject({ spareRpcUrl: 'https://spare.example' })
  })

  it('keeps settings saved by another window in the meantime', async () => {
    await keep(edit({ serviceUrl: service }))
    await stage.settings.update((before) => ({ ...before, networks: [{ ...mainnet!, spareRpcUrl: rpc }] }))
    allow(service)
    await changes.resume()
    expect(await stage.network()).toMatchObject({ serviceUrl: service, spareRpcUrl: rpc })
  })

  it('rejects a change with a host outside the requested permissions', async () => {
    await keep(edit({ serviceUrl: service, rpcUrl: rpc }, false), [service])
    allow(service)
    await expect(changes.carryOut(id)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await stage.network()).toEqual(mainnet)
  })

  it.each([
    { id: 'short', urls: [service], change: edit({}) },
    { id, urls: ['http://swap.example'], change: edit({}) },
    { id, urls: ['javascript:alert(1)'], change: edit({}) },
    { id, urls: [service], change: { kind: 'other' } },
    { id, urls: [service], change: edit({ serviceUrl: 7 }) },
    { id, urls: [service], change: { kind: 'add-network', network: { ...mine, rpcUrl: 'ftp://a' } } },
    undefined,
  ])('rejects an invalid change: %j', async (asked) => {
    await expect(changes.keep(asked)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(stage.session.items.size).toBe(0)
  })
})

describe('kinds of pending changes', () => {
  it('adds a network only once', async () => {
    stage.chains = { [rpc]: 777 }
    await keep({ kind: 'add-network', network: mine }, [rpc])
    allow(rpc)
    await changes.carryOut(id)
    expect(await stage.network(777)).toMatchObject({ name: 'Mine', rpcUrl: rpc })
    // The worker stopped before reporting success.
    await keep({ kind: 'add-network', network: (await stage.network(777))! }, [rpc])
    await changes.carryOut(id)
    await keep({ kind: 'add-network', network: { ...mine, name: 'Other' } }, [rpc])
    await expect(changes.carryOut(id)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('returns the chain ID of an RPC, and saves nothing', async () => {
    stage.chains = { [rpc]: 777 }
    const before = await stage.settings.get()
    await keep({ kind: 'find-chain', rpcUrl: rpc }, [rpc])
    allow(rpc)
    expect(await changes.carryOut(id)).toBe(777)
    expect(await changes.unread()).toMatchObject({ outcome: { isDone: true, chainId: 777 } })
    expect(await stage.settings.get()).toEqual(before)
  })

  it('enables notifications after their own permission is granted', async () => {
    const notices = { done: 'Done.', failed: 'Failed.', 'needs-unlock': 'Unlock.' }
    await keep({ kind: 'set-notices', notices }, [])
    await changes.resume()
    expect(await stage.settings.get()).not.toHaveProperty('notices')
    allow('notifications')
    await changes.resume()
    expect(await stage.settings.get()).toMatchObject({ notices })
  })

  it('sets route options with bigint values, and resets a network', async () => {
    const options = { parts: 3, gasPrice: 5_000_000_000n }
    await keep({ kind: 'set-route-options', chainId: 1, options }, [])
    expect(decode(JSON.parse(stage.session.items.get('change')!))).toMatchObject({ change: { options } })
    await changes.resume()
    expect(await stage.network()).toMatchObject({ options })
    await keep({ kind: 'set-route-options', chainId: 1, options: {} }, [])
    await changes.resume()
    expect(await stage.network()).not.toHaveProperty('options')
    await stage.settings.update((before) => ({ ...before, networks: [{ ...mainnet!, rpcUrl: rpc }] }))
    await keep({ kind: 'reset-network', chainId: 1 }, [])
    await changes.resume()
    expect(await stage.network()).toEqual(mainnet)
  })

  it('imports settings as shown, unless a network has changed in the meantime', async () => {
    const token = `0x${'a'.repeat(40)}` as const
    const change: PermittedChange = {
      kind: 'import',
      changes: { theme: 'dark', networks: [{ ...mainnet!, serviceUrl: service }], added: [mine] },
      before: [mainnet!],
      favourites: [{ chainId: 1, tokens: [token] }],
    }
    allow(service, rpc)
    await keep(change, [service, rpc])
    await stage.settings.update((before) => ({ ...before, networks: [{ ...mainnet!, spareRpcUrl: rpc }] }))
    await expect(changes.carryOut(id)).rejects.toMatchObject({ facts: { why: 'other-settings' } })
    expect(await stage.settings.get()).toMatchObject({ theme: 'system' })
    await stage.settings.update((before) => ({ ...before, networks: [mainnet!] }))
    await keep(change, [service, rpc])
    await changes.carryOut(id)
    expect(await stage.settings.get()).toMatchObject({ theme: 'dark' })
    expect(await stage.network()).toMatchObject({ serviceUrl: service })
    expect(await stage.network(777)).toMatchObject({ rpcUrl: rpc })
    expect(await stage.picks.get(1)).toMatchObject({ favourites: [token] })
  })
})
