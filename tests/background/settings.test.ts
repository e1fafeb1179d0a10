import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSettings } from '../../src/background/settings.ts'
import { defaultSettings } from '../../src/config.ts'
import type { Network, Settings } from '../../src/domain/network/network.ts'
import { memoryArea } from '../helpers/background/memoryArea.ts'

const weth = `0x${'c'.repeat(40)}` as const

function changed(change: Partial<Settings>, network: Partial<Network> = {}): Settings {
  const settings = defaultSettings()
  const [local, ...others] = settings.networks
  return { ...settings, networks: [{ ...local!, ...network }, ...others], ...change }
}

describe('createSettings', () => {
  it('starts with the defaults and stores nothing', async () => {
    const area = memoryArea()
    expect(await createSettings(area).get()).toEqual(defaultSettings())
    expect(area.items.size).toBe(0)
  })

  it('returns saved settings, also after a restart', async () => {
    const area = memoryArea()
    const wanted = changed(
      {
        slippageBps: 5_000,
        autoLockMinutes: 60,
        strictCalldata: false,
        accessLists: true,
        contacts: [
          { address: weth, name: 'Zoë', note: 'The baker' },
          { address: `0x${'d'.repeat(40)}`, name: 'Bob' },
        ],
      },
      {
        serviceUrl: 'https://swap.example/v',
        serviceVersion: '3.0',
        serviceKey: 'secret',
        rpcUrl: 'http://localhost:8545',
        router: weth,
        wrapped: weth,
        rollup: 'op',
        options: {
          protocols: ['UNISWAP_V3'],
          excludedProtocols: ['LOCAL_V2'],
          complexityLevel: 2,
          parts: 50,
          mainRouteParts: 10,
          gasLimit: 11_500_000,
          connectorTokens: [weth],
          gasPrice: 0n,
          feeBps: 300,
          referrer: weth,
        },
      },
    )
    const settings = createSettings(area)
    expect(await settings.update(() => wanted)).toEqual(wanted)
    expect(await settings.get()).toEqual(wanted)
    expect(await createSettings(area).get()).toEqual(wanted)
  })

  it.each<[string, Settings, string]>([
    ['http beyond this machine', changed({}, { rpcUrl: 'http://node.example' }), 'networks.0.rpcUrl'],
    [
      'a host that only begins like this machine',
      changed({}, { serviceUrl: 'http://127.0.0.1.example' }),
      'networks.0.serviceUrl',
    ],
    ['a spare node beyond encryption', changed({}, { spareRpcUrl: 'http://a.example' }), 'spareRpcUrl'],
    ['a script as an address', changed({}, { explorerUrl: 'javascript:alert(1)' }), 'networks.0.explorerUrl'],
    ['a file as an address', changed({}, { faucetUrl: 'file:///etc/passwd' }), 'networks.0.faucetUrl'],
    ['no slippage at all', changed({ slippageBps: 0 }), 'slippageBps'],
    ['more than half as slippage', changed({ slippageBps: 5_001 }), 'slippageBps'],
    ['half a basis point', changed({ slippageBps: 0.5 }), 'slippageBps'],
    ['no amount of gas', changed({}, { options: { gasLimit: 99_999 } }), 'networks.0.options.gasLimit'],
    ['too much gas', changed({}, { options: { gasLimit: 11_500_001 } }), 'networks.0.options.gasLimit'],
    ['too deep a route', changed({}, { options: { complexityLevel: 3 } }), 'options.complexityLevel'],
    ['too many parts', changed({}, { options: { parts: 51 } }), 'options.parts'],
    ['too many main parts', changed({}, { options: { mainRouteParts: 11 } }), 'options.mainRouteParts'],
    ['too many connectors', changed({}, { options: { connectorTokens: 6 } }), 'options.connectorTokens'],
    ['a list of no connectors', changed({}, { options: { connectorTokens: [] } }), 'options.connectorTokens'],
    ['two sources as one', changed({}, { options: { protocols: ['A,B'] } }), 'options.protocols.0'],
    ['a gas price below nothing', changed({}, { options: { gasPrice: -1n } }), 'options.gasPrice'],
    [
      'a partner fee above 3 %',
      changed({}, { options: { feeBps: 301, referrer: weth } }),
      'networks.0.options.feeBps',
    ],
    ['a partner fee that nobody gets', changed({}, { options: { feeBps: 1 } }), 'a referrer is missing'],
    ['another interface', changed({}, { serviceVersion: '7' as never }), 'networks.0.serviceVersion'],
    ['no minute until the lock', changed({ autoLockMinutes: 0 }), 'autoLockMinutes'],
    ['more than an hour until the lock', changed({ autoLockMinutes: 61 }), 'autoLockMinutes'],
    ['a network that is not described', changed({ chainId: 5 }), 'chooses a network'],
    [
      'a network twice',
      changed({ networks: [...changed({}).networks, ...changed({}).networks] }),
      'networks: names one twice',
    ],
    ['no network', changed({ networks: [] }), 'networks'],
    ['a contact without a name', changed({ contacts: [{ address: weth, name: '' }] }), 'contacts.0.name'],
    [
      'a contact twice',
      changed({ contacts: ['Ann', 'Bob'].map((name) => ({ address: weth, name })) }),
      'contacts: names one twice',
    ],
    [
      'a contact without an address',
      changed({ contacts: [{ address: '0x12', name: 'Bob' }] }),
      'contacts.0.address',
    ],
  ])('rejects %s and stores nothing', async (_name, wanted, said) => {
    const area = memoryArea()
    await expect(createSettings(area).update(() => wanted)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(said),
    })
    expect(area.items.size).toBe(0)
  })

  it('accepts empty addresses', async () => {
    const wanted = changed({}, { serviceUrl: '', rpcUrl: '' })
    expect(await createSettings(memoryArea()).update(() => wanted)).toEqual(wanted)
  })

  it('reads older records with their slippage, and fills in safe defaults', async () => {
    const area = memoryArea()
    const { strictCalldata: _, accessLists: __, ...old } = changed({ slippageBps: 50 })
    await area.set({ settings: old })
    expect(await createSettings(area).get()).toEqual({ ...old, strictCalldata: true, accessLists: false })
    expect(await area.get('settings.damaged')).toBeUndefined()
  })

  it('keeps a stored local network in a build that does not start with it', async () => {
    const old = changed({ slippageBps: 50 })
    vi.stubEnv('WXT_RPC_URL', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const area = memoryArea()
    await area.set({ settings: old })
    expect(await createSettings(area).get()).toEqual(old)
    expect(old.chainId).toBe(31337)
    const { networks } = await createSettings(memoryArea()).get()
    expect(networks.map(({ chainId }) => chainId)).not.toContain(31337)
  })

  it('reads records without language and theme', async () => {
    const area = memoryArea()
    const { language: _, theme: __, ...old } = changed({ slippageBps: 50 })
    await area.set({ settings: old })
    expect(await createSettings(area).get()).toEqual({ ...old, language: 'auto', theme: 'system' })
    expect(await area.get('settings.damaged')).toBeUndefined()
  })

  it('fills in the known facts of a chain in older records, and keeps an added network as it is', async () => {
    const area = memoryArea()
    const { networks, ...rest } = defaultSettings()
    const base = networks.find(({ chainId }) => chainId === 8453)!
    const { wrapped, rollup, ...bare } = base
    expect([wrapped, rollup]).not.toContain(undefined)
    await area.set({ settings: { ...rest, chainId: 8453, networks: [bare] } })
    const settings = createSettings(area)
    expect((await settings.get()).networks).toContainEqual(base)

    // Blast's WETH9, not built in.
    const added = { ...bare, chainId: 81457, wrapped: weth }
    const after = await settings.update((before) => ({ ...before, networks: [...before.networks, added] }))
    expect(after.networks.at(-1)).toEqual(added)
    expect(await settings.get()).toEqual(after)
    expect(await area.get('settings.damaged')).toBeUndefined()
  })

  it('adds the networks of later versions, and keeps those of the record', async () => {
    const area = memoryArea()
    const ether = { symbol: 'ETH', name: 'Ether' }
    const pace = { confirmations: 3, quoteEveryMs: 6_000 }
    const own = [
      {
        ...pace,
        chainId: 31337,
        name: 'Local',
        coin: ether,
        serviceUrl: 'http://127.0.0.1:1',
        rpcUrl: 'http://127.0.0.1:2',
      },
      {
        ...pace,
        chainId: 1,
        name: 'Mainnet',
        coin: ether,
        serviceUrl: 'https://swap.example',
        serviceKey: 'mine',
        rpcUrl: 'https://node.example',
        explorerUrl: 'https://etherscan.io/tx/',
        wrapped: weth,
        stable: weth,
      },
      // Added by a page before it was built in.
      { ...pace, chainId: 137, name: 'Matic', coin: ether, serviceUrl: '', rpcUrl: 'https://other.example' },
      { ...pace, chainId: 777, name: 'Mine', coin: ether, serviceUrl: '', rpcUrl: 'https://mine.example' },
    ]
    await area.set({ settings: { chainId: 137, networks: own, autoLockMinutes: 5 } })
    const { networks, chainId, autoLockMinutes } = await createSettings(area).get()
    expect({ chainId, autoLockMinutes }).toEqual({ chainId: 137, autoLockMinutes: 5 })
    expect(networks.map((one) => one.chainId)).toEqual([
      31337, 1, 137, 777, 8453, 42161, 56, 10, 43114, 130, 59144, 100,
    ])
    expect(networks.slice(0, 4)).toMatchObject(own)
    for (const { serviceUrl, rpcUrl } of networks.slice(4)) expect([serviceUrl, rpcUrl]).toEqual(['', ''])
    expect(await area.get('settings.damaged')).toBeUndefined()
  })

  it('keeps a backup RPC, and an explorer on localhost', async () => {
    const wanted = changed({}, { spareRpcUrl: 'https://spare.example', explorerUrl: 'http://localhost:4000' })
    const area = memoryArea()
    await createSettings(area).update(() => wanted)
    expect(await createSettings(area).get()).toEqual(wanted)
  })

  it('sets a damaged record aside, and continues with the defaults', async () => {
    const area = memoryArea()
    const damaged = { ...defaultSettings(), slippageBps: 'much' }
    await area.set({ settings: damaged })
    const settings = createSettings(area)
    expect(await settings.get()).toEqual({ ...defaultSettings(), isLost: true })
    expect(await area.get('settings')).toEqual(damaged)
    await settings.update(() => changed({ slippageBps: 70 }))
    expect(await area.get('settings.damaged')).toEqual(damaged)
    expect((await createSettings(area).get()).slippageBps).toBe(70)
  })

  it('treats a record with an invalid bigint as damaged', async () => {
    const area = memoryArea()
    const damaged = { ...defaultSettings(), slippageBps: { '#bigint': 'seven' } }
    await area.set({ settings: damaged })
    const settings = createSettings(area)
    expect(await settings.get()).toEqual({ ...defaultSettings(), isLost: true })
    await settings.update(() => changed({ slippageBps: 70 }))
    expect(await area.get('settings.damaged')).toEqual(damaged)
  })

  it('reads a damaged record when there is no room to set it aside, and never overwrites it', async () => {
    const area = memoryArea()
    const damaged = { ...defaultSettings(), slippageBps: 'much' }
    await area.set({ settings: damaged })
    const settings = createSettings({ ...area, set: () => Promise.reject(new Error('full')) })
    expect(await settings.get()).toEqual({ ...defaultSettings(), isLost: true })
    await expect(settings.update(() => changed({ slippageBps: 70 }))).rejects.toThrow('full')
    expect(await area.all()).toEqual({ settings: damaged })
  })

  it('uses the default auto-lock time when the stored value is not 1 to 60 whole minutes', async () => {
    for (const minutes of [0, -1, 0.5, 61, 525_600, '5', null, {}]) {
      const area = memoryArea()
      await area.set({ settings: { ...defaultSettings(), autoLockMinutes: minutes } })
      expect([minutes, (await createSettings(area).get()).autoLockMinutes]).toEqual([minutes, 15])
    }
  })

  it('reports each change, and no update that changes nothing', async () => {
    const told: Settings[] = []
    const settings = createSettings(memoryArea(), async (now) => void told.push(now))
    await settings.update((before) => before)
    expect(told).toEqual([])
    const saved = await settings.update((before) => ({ ...before, slippageBps: 77 }))
    expect(told).toEqual([saved])
  })

  it('keeps the old settings when they cannot be stored', async () => {
    const area = memoryArea()
    const settings = createSettings({ ...area, set: () => Promise.reject(new Error('full')) })
    await expect(settings.update(() => changed({ slippageBps: 70 }))).rejects.toThrow('full')
    expect(await settings.get()).toEqual(defaultSettings())
  })
  it('keeps both of two concurrent changes', async () => {
    const settings = createSettings(memoryArea())
    const added = { ...defaultSettings().networks[0]!, chainId: 777 }
    await Promise.all([
      settings.update((before) => ({ ...before, networks: [...before.networks, added] })),
      settings.update((before) => ({ ...before, slippageBps: 77 })),
    ])
    const after = await settings.get()
    expect(after.slippageBps).toBe(77)
    expect(after.networks).toContainEqual(added)
    await expect(settings.update(() => changed({ slippageBps: 0 }))).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(await settings.get()).toEqual(after)
  })
})
