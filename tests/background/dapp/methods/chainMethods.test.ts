import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Executor } from '../../../../src/background/approvals/approvals.ts'
import type { Requester } from '../../../../src/background/approvals/store.ts'
import { createConnectedSites, type Sites } from '../../../../src/background/dapp/connectedSites.ts'
import {
  createChainMethods,
  executeChainRequest,
} from '../../../../src/background/dapp/methods/chainMethods.ts'
import { createSessions } from '../../../../src/background/dapp/ports/sessions.ts'
import type { RpcHandler } from '../../../../src/background/dapp/router.ts'
import { createNetworks } from '../../../../src/background/networks/networks.ts'
import { createSettings, type SettingsStore } from '../../../../src/background/settings.ts'
import type { DappRequest } from '../../../../src/domain/dapp/approval.ts'
import { changeSettings, type Network, type Settings } from '../../../../src/domain/network/network.ts'
import { WalletError } from '../../../../src/errors.ts'
import { createChain } from '../../../../src/evm/client.ts'
import type { ProviderMessage } from '../../../../src/protocol.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const origin = 'https://site.example'
const asker: Requester = { origin, documentId: 'D', tabId: 1, requestId: 1 }

let localnet: Localnet
let settings: SettingsStore
let sites: Sites
let asks: DappRequest[]
let told: ProviderMessage[]
let shown: Settings[]
let says: 'yes' | 'no'
let methods: Record<string, RpcHandler>
let changes: Record<'switch-chain' | 'add-chain', Executor>

beforeAll(async () => {
  localnet = await createLocalnet({ chainId: 777 })
})
afterAll(() => localnet?.stop())

beforeEach(async () => {
  const local = memoryArea()
  asks = []
  told = []
  shown = []
  says = 'yes'
  settings = createSettings(local, async (changed) => void shown.push(changed))
  const networks = createNetworks(settings, { createChain, createApi: () => expect.fail('asked') })
  const vault = { status: async () => 'locked' as const, accounts: () => expect.fail('asked') }
  sites = createConnectedSites({ vault, settings, local, onChange: () => documents.tell() })
  const documents = createSessions({ session: memoryArea(), sites })
  documents.open('D', (message) => told.push(message))
  await documents.meet(asker)
  changes = executeChainRequest({ sites, settings, networks })
  methods = createChainMethods({ sites, settings, approvals: { ask: carryOut } })
})

async function carryOut(
  { origin }: Requester,
  ask: DappRequest,
  { chainId }: { chainId: number },
): Promise<unknown> {
  asks.push(ask)
  if (says === 'no') throw new WalletError('rejected', 'The user said no.')
  const approval = { id: '1', origin, chainId, createdAt: 0, expiresAt: 1, ask }
  const kind = ask.kind as 'switch-chain' | 'add-chain'
  await changes[kind](approval, { kind })
  // Executors must be idempotent.
  return changes[kind](approval, { kind })
}

async function ask(method: string, params?: unknown): Promise<unknown> {
  const answer = await methods[method]!(asker, params)
  told.push({ id: 1, result: answer })
  return answer
}

describe('eth_chainId and net_version', () => {
  it('returns the chain id in hex and in decimals', async () => {
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await ask('net_version')).toBe('31337')
  })
})

describe('wallet_switchEthereumChain', () => {
  it('switches the chain of the site and emits chainChanged before the answer', async () => {
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).toBeNull()
    expect(asks).toEqual([{ kind: 'switch-chain', to: 1 }])
    expect(told).toEqual([
      { event: 'chainChanged', data: '0x1' },
      { id: 1, result: null },
    ])
    expect(await ask('eth_chainId')).toBe('0x1')
    expect((await settings.get()).chainId).toBe(31337)
  })

  it('requests no approval when the site is already on the chain', async () => {
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x7A69' }])).toBeNull()
    expect(asks).toEqual([])
  })

  it('keeps the chain when the user rejects', async () => {
    says = 'no'
    const asked = ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])
    await expect(asked).rejects.toMatchObject({ code: 'rejected' })
    expect(await ask('eth_chainId')).toBe('0x7a69')
  })

  it('rejects a chain that is not in the settings', async () => {
    const asked = ask('wallet_switchEthereumChain', [{ chainId: '0x5' }])
    await expect(asked).rejects.toMatchObject({ code: 'unknown-chain', facts: { chainId: '0x5' } })
    expect(asks).toEqual([])
  })

  it.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['a number', [{ chainId: 1 }]],
    ['decimals', [{ chainId: '1' }]],
    ['leading zeros', [{ chainId: '0x01' }]],
    ['zero', [{ chainId: '0x0' }]],
    ['more than a number holds', [{ chainId: '0xffffffffffffff' }]],
    ['only hex', ['0x1']],
    ['one thing more', [{ chainId: '0x1' }, 'more']],
  ])('rejects params with %s', async (_what, params) => {
    await expect(ask('wallet_switchEthereumChain', params)).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringMatching(/^(chainId|params): /),
    })
  })
})

describe('wallet_addEthereumChain', () => {
  const wanted = () => ({
    chainId: '0x309',
    chainName: 'Mine\u202e two',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://rpc.example', 'wss://rpc.example', localnet.rpcUrl],
    blockExplorerUrls: ['http://scan.example', 'https://scan.example/base/?a=b'] as string[] | null,
    iconUrls: ['https://scan.example/icon.png'],
  })

  async function forget(): Promise<void> {
    const before = await settings.get()
    const networks = before.networks.filter(({ chainId }) => chainId !== 777)
    await settings.update(() => ({ ...before, networks }))
  }

  it('adds a chain that its RPC serves and emits chainChanged before the answer', async () => {
    await forget()
    shown = []
    expect(await ask('wallet_addEthereumChain', [wanted()])).toBeNull()
    const network = {
      chainId: 777,
      name: 'Mine two',
      coin: { symbol: 'ETH', name: 'Ether' },
      serviceUrl: '',
      rpcUrl: localnet.rpcUrl,
      explorerUrl: 'https://scan.example/base/',
      confirmations: 3,
      quoteEveryMs: 6_000,
    }
    expect(asks).toEqual([{ kind: 'add-chain', network }])
    expect((await settings.get()).networks.filter(({ chainId }) => chainId === 777)).toEqual([network])
    expect(shown).toHaveLength(1)
    expect(told).toEqual([
      { event: 'chainChanged', data: '0x309' },
      { id: 1, result: null },
    ])
  })

  it('accepts a chain without an explorer', async () => {
    await forget()
    await ask('wallet_addEthereumChain', [{ ...wanted(), blockExplorerUrls: null, iconUrls: null }])
    const { networks } = await settings.get()
    expect(networks.at(-1)).toMatchObject({ chainId: 777 })
    expect(networks.at(-1)).not.toHaveProperty('explorerUrl')
  })

  it('only switches to a chain that has an RPC, and keeps its settings', async () => {
    await settings.update((before) => {
      const networks = before.networks.filter(({ chainId }) => chainId === 8453)
      return changeSettings(before, {
        networks: networks.map((one) => ({ ...one, rpcUrl: 'https://mine.example' })),
      })
    })
    const before = await settings.get()
    const base = { ...wanted(), chainId: '0x2105' }
    expect(await ask('wallet_addEthereumChain', [base])).toBeNull()
    expect(asks).toEqual([{ kind: 'switch-chain', to: 8453 }])
    expect(await settings.get()).toEqual(before)
    await ask('wallet_addEthereumChain', [base])
    expect(asks).toHaveLength(1)
  })

  it('accepts the current chain given by its id alone, without approval', async () => {
    expect(await ask('wallet_addEthereumChain', [{ chainId: '0x7a69' }])).toBeNull()
    expect(asks).toEqual([])
  })

  it.each([8453, 1, 137])(
    'offers the page’s RPC and explorer for the built-in network %i without an RPC and keeps the rest',
    async (id) => {
      const before = await settings.get()
      const known = before.networks.find(({ chainId }) => chainId === id)
      expect(known).toMatchObject({ rpcUrl: '' })
      const { networks } = before
      const verified: Network[] = []
      changes = executeChainRequest({
        sites,
        settings,
        networks: { verify: async (network) => void verified.push(network) },
      })
      const chainId = `0x${id.toString(16)}`
      const spoken = { ...wanted(), chainId, chainName: 'Not its name', nativeCurrency: undefined }
      expect(await ask('wallet_addEthereumChain', [spoken])).toBeNull()
      const network = { ...known, rpcUrl: localnet.rpcUrl, explorerUrl: 'https://scan.example/base/' }
      expect(asks).toEqual([{ kind: 'add-chain', network }])
      expect(verified[0]).toEqual(network)
      expect((await settings.get()).networks).toEqual(
        networks.map((one) => (one.chainId === id ? network : one)),
      )
      expect(await ask('eth_chainId')).toBe(chainId)
    },
  )

  it('keeps an RPC that the user sets while the request is open', async () => {
    says = 'yes'
    const ownUrl = 'https://mine.example'
    methods = createChainMethods({
      sites,
      settings,
      approvals: {
        async ask(asker, ask, options) {
          await settings.update((before) =>
            changeSettings(before, {
              networks: before.networks
                .filter(({ chainId }) => chainId === 8453)
                .map((one) => ({ ...one, rpcUrl: ownUrl })),
            }),
          )
          return carryOut(asker, ask, options as { chainId: number })
        },
      },
    })
    expect(await ask('wallet_addEthereumChain', [{ ...wanted(), chainId: '0x2105' }])).toBeNull()
    const base = (await settings.get()).networks.find(({ chainId }) => chainId === 8453)
    expect(base).toMatchObject({ rpcUrl: ownUrl })
    expect(base).not.toHaveProperty('explorerUrl')
  })

  it('throws wrong-chain and keeps a built-in network when the offered RPC serves another chain', async () => {
    const asked = ask('wallet_addEthereumChain', [{ ...wanted(), chainId: '0x2105' }])
    await expect(asked).rejects.toMatchObject({ code: 'wrong-chain' })
    expect((await settings.get()).networks.find(({ chainId }) => chainId === 8453)).toMatchObject({
      rpcUrl: '',
    })
    expect(await ask('eth_chainId')).toBe('0x7a69')
  })

  it.each([
    ['S', 'S'],
    ['Ξ', 'Ξ'],
    ['WRAPPED-ETH', 'WRAPPED-ETH'],
    ['A'.repeat(500), 'A'.repeat(32)],
    ['🦄'.repeat(40), '🦄'.repeat(16)],
  ])('accepts the symbol %s, cut to 32 UTF-16 code units', async (symbol, shown) => {
    await forget()
    const chainName = '🌊'.repeat(60)
    const nativeCurrency = { symbol, decimals: 18 }
    await ask('wallet_addEthereumChain', [{ ...wanted(), chainName, nativeCurrency }])
    expect((await settings.get()).networks.at(-1)).toMatchObject({
      name: '🌊'.repeat(32),
      coin: { symbol: shown, name: shown },
    })
  })

  it('trims white space around chain ids and URLs', async () => {
    await forget()
    const rpcUrls = [`https://rpc.example/v3/$\{API_KEY}`, ` ${localnet.rpcUrl}\n`]
    const blockExplorerUrls = [' https://scan.example ']
    await ask('wallet_addEthereumChain', [{ ...wanted(), chainId: ' 0x309 ', rpcUrls, blockExplorerUrls }])
    const { networks } = await settings.get()
    expect(networks.at(-1)).toMatchObject({ rpcUrl: localnet.rpcUrl, explorerUrl: 'https://scan.example' })
    expect(await ask('wallet_switchEthereumChain', [{ chainId: ' 0x309\n' }])).toBeNull()
  })

  it('throws wrong-chain when the RPC serves another chain', async () => {
    const asked = ask('wallet_addEthereumChain', [{ ...wanted(), chainId: '0x5' }])
    await expect(asked).rejects.toMatchObject({ code: 'wrong-chain' })
    expect((await settings.get()).networks.some(({ chainId }) => chainId === 5)).toBe(false)
    expect(await ask('eth_chainId')).toBe('0x7a69')
  })

  it('keeps all chains that are added concurrently', async () => {
    await forget()
    const before = (await settings.get()).networks
    const ids = [11, 12, 13, 14]
    const chain = { verify: async () => undefined }
    const many = executeChainRequest({ sites, settings, networks: chain })
    await Promise.all(
      ids.map((chainId) => {
        const network = { ...before[0]!, chainId, name: `Chain ${chainId}` }
        const ask = { kind: 'add-chain', network } as const
        const approval = { id: '1', origin, chainId, createdAt: 0, expiresAt: 1, ask }
        return many['add-chain'](approval, { kind: 'add-chain' })
      }),
    )
    const { networks } = await settings.get()
    expect(networks.slice(before.length).map(({ chainId }) => chainId)).toEqual(ids)
  })

  it.each([
    ['rpcUrls', { rpcUrls: ['http://rpc.example'] }],
    ['rpcUrls', { rpcUrls: ['https://name:password@rpc.example'] }],
    ['rpcUrls', { rpcUrls: [] }],
    ['rpcUrls', { rpcUrls: 'https://rpc.example' }],
    ['chainId', { chainId: 5 }],
    ['chainName', { chainName: '\u200b' }],
    ['chainName', { chainName: undefined }],
    ['nativeCurrency.symbol', { nativeCurrency: { name: 'Ether', symbol: '', decimals: 18 } }],
    ['nativeCurrency.symbol', { nativeCurrency: { name: 'Ether', symbol: '\u2060', decimals: 18 } }],
    ['rpcUrls', { rpcUrls: undefined }],
    ['nativeCurrency.decimals', { nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 6 } }],
    ['nativeCurrency', { nativeCurrency: undefined }],
    ['blockExplorerUrls', { blockExplorerUrls: 'https://scan.example' }],
  ])('names an invalid %s in the error, without a prompt', async (field, wrong) => {
    await expect(ask('wallet_addEthereumChain', [{ ...wanted(), ...wrong }])).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: `)),
    })
    expect(asks).toEqual([])
  })
})
