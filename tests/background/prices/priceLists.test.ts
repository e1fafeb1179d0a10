import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPublicLocalnet, type PublicLocalnet } from '../../../dev/chain/publicChain.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { getServicePrices } from '../../../src/api/prices.ts'
import { createNetworks } from '../../../src/background/networks/networks.ts'
import { createPriceLists } from '../../../src/background/prices/priceLists.ts'
import { defaultSettings } from '../../../src/config.ts'
import { publicNetworks } from '../../../src/domain/network/chains.ts'
import type { Network, Settings } from '../../../src/domain/network/network.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { dollars } from '../../../src/domain/value/currency.ts'
import { toUsd } from '../../../src/domain/value/price.ts'
import { createChain } from '../../../src/evm/client.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let base: PublicLocalnet
let service: HttpServer
let answer: (path: string) => { status?: number; body?: string; delayMs?: number }
let paths: string[]
let reads: number
let clock: number
let session: ReturnType<typeof memoryArea>
let network: Network

beforeAll(async () => {
  localnet = await createLocalnet()
  base = await createPublicLocalnet({ chainId: 8453 })
  service = await startHttpServer(async ({ url }, response) => {
    paths.push(url ?? '')
    const { status = 200, body = '{}', delayMs = 0 } = answer(url ?? '')
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.statusCode = status
    response.end(body)
  })
})
afterAll(async () => {
  await service?.stop()
  await base?.stop()
  await localnet?.stop()
})
beforeEach(() => {
  paths = []
  reads = 0
  clock = 1_000_000
  session = memoryArea()
  answer = () => ({ status: 404, body: 'Not found' })
  const { oracle } = localnet.contracts
  network = {
    chainId: localnet.chainId,
    name: 'Local',
    coin: { symbol: 'ETH', name: 'Ether' },
    serviceUrl: service.url,
    rpcUrl: localnet.rpcUrl,
    wrapped: localnet.tokens.WETH,
    stable: localnet.tokens.USDC,
    market: { oracle, currencyFeeds: localnet.currencyFeeds },
    confirmations: 1,
    quoteEveryMs: 1_000,
  }
})

const unlisted: Address = `0x${'5e'.repeat(20)}`

/** A worker of its own. */
function open(changes: Partial<Settings> = {}) {
  const settings = { get: async () => ({ ...defaultSettings(), networks: [network], ...changes }) }
  const networks = createNetworks(settings, {
    createChain: (network) =>
      createChain(network, {
        now: () => clock,
        fetch(url, init) {
          if (String(init?.body).includes('eth_call')) reads += 1
          return fetch(url, init)
        },
      }),
    createApi: () => expect.unreachable('asks the swap API'),
  })
  return createPriceLists({
    networks,
    settings,
    session,
    now: () => clock,
    fetchPrices: (network) => getServicePrices(network),
    tokens: async () => [
      { address: unlisted, decimals: 9 },
      ...localnet.config.tokens.map(({ address, decimals }) => ({
        address: address.toLowerCase() as Address,
        decimals,
      })),
    ],
  })
}

describe('price lists', () => {
  it('value by the chain alone where the service offers no prices, and ask it once', async () => {
    const { WETH, WBTC } = localnet.tokens
    const { read } = open()
    const { prices, rate } = await read(network.chainId, [WETH, WBTC, nativeTokenAddress, unlisted])
    expect(Object.keys(prices)).toEqual([WETH, WBTC, nativeTokenAddress])
    expect(prices[nativeTokenAddress]).toMatchObject({ usd: 3_000_00000000n, source: 'oracle' })
    expect(rate).toEqual(dollars)
    clock += 600_000
    await read(network.chainId, [WETH])
    expect(paths).toEqual([`/price/v1.1/${network.chainId}?currency=USD`])
  })

  it('ask no service for tokens that all have a price on chain, or none by the oracle', async () => {
    const { LINK, WETH } = localnet.tokens
    answer = () => ({ body: JSON.stringify({ [LINK]: '14', [unlisted]: '0.5' }) })
    const { read } = open()
    expect(await read(network.chainId, [LINK, WETH, nativeTokenAddress])).toBeDefined()
    expect(paths).toEqual([])
    // A list that was read anyway is still compared.
    await read(network.chainId, [unlisted])
    const { prices } = await read(network.chainId, [LINK])
    expect(prices[LINK]?.serviceUsd).toBe(14_00000000n)
    expect(paths).toHaveLength(1)
  })

  it('ask no service that is not set', async () => {
    network.serviceUrl = ''
    const { prices } = await open().read(network.chainId, [localnet.tokens.WETH])
    expect(prices).toHaveProperty([localnet.tokens.WETH])
    expect(paths).toEqual([])
  })

  it('add the service’s prices of tokens that the chain does not price, and say a difference', async () => {
    const { WETH, LINK } = localnet.tokens
    answer = () => ({ body: JSON.stringify({ [unlisted]: '0.5', [LINK]: '14', [WETH]: '3001.5' }) })
    const { prices } = await open().read(network.chainId, [WETH, LINK, unlisted])
    expect(prices[unlisted]).toMatchObject({ source: 'service', ageSeconds: 0 })
    expect(prices[unlisted] && toUsd(4n * 10n ** 9n, prices[unlisted])).toBe(2_00000000n)
    expect(prices[LINK]).toMatchObject({ usd: 15_00000000n, source: 'oracle', serviceUsd: 14_00000000n })
    expect(prices[WETH]).not.toHaveProperty('serviceUsd')
  })

  it.each<[string, Parameters<Localnet['setFeed']>[1]]>([
    ['stale', { updatedAt: 1 }],
    ['zero', { answer: 0n }],
    ['negative', { answer: -1n }],
    ['reverting', { reverts: true }],
  ])(
    'have no price of the service for a token whose feed is %s, at once or later',
    async (_which, change) => {
      const { WETH, LINK } = localnet.tokens
      answer = () => ({ body: JSON.stringify({ [LINK]: '99', [WETH]: '99', [unlisted]: '0.5' }) })
      const wanted = [LINK, WETH, nativeTokenAddress, unlisted]
      const before = open()
      expect((await before.read(network.chainId, wanted)).prices).toHaveProperty([LINK])
      const snapshot = await localnet.client.snapshot()
      try {
        await localnet.setFeed('LINK', change)
        await localnet.setFeed('WETH', change)
        clock += 30_000
        for (const { read } of [before, open()]) {
          const { prices } = await read(network.chainId, wanted)
          expect(prices).toEqual({ [unlisted]: expect.objectContaining({ source: 'service' }) })
        }
      } finally {
        await localnet.client.revert({ id: snapshot })
      }
    },
  )

  const lie = (price: unknown) => ({ body: JSON.stringify({ [nativeTokenAddress]: price }) })
  it.each<[string, ReturnType<typeof answer>]>([
    ['zero', lie('0')],
    ['negative', lie('-3000')],
    ['not a number', lie('NaN')],
    ['huge', lie('9'.repeat(400))],
    ['an object', lie({ usd: 1 })],
    ['a list of prices', { body: '["3000"]' }],
    ['text', { body: '"3000"' }],
    ['no JSON', { body: '{' }],
    ['a failure', { status: 500, body: '{}' }],
    ['a redirect', { status: 302, body: '' }],
    ['slow', { ...lie('1'), delayMs: 3_000 }],
  ])('keep prices on chain as they are beside an answer that is %s', async (_what, lying) => {
    answer = () => lying
    const startedAt = performance.now()
    const wanted = [nativeTokenAddress, localnet.tokens.USDC, unlisted]
    const { prices } = await open().read(network.chainId, wanted)
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    expect(paths).toHaveLength(1)
    expect(prices).toEqual({
      [nativeTokenAddress]: expect.objectContaining({
        usd: 3_000_00000000n,
        per: 10n ** 18n,
        source: 'oracle',
      }),
      [localnet.tokens.USDC]: expect.objectContaining({ usd: 1_00000000n }),
    })
    for (const price of Object.values(prices)) expect(price).not.toHaveProperty('serviceUsd')
  })

  it('wait a second for a service whose prices are needed, and take a later list at the next read', async () => {
    answer = () => ({ body: JSON.stringify({ [unlisted]: '0.5' }), delayMs: 2_500 })
    const { read } = open()
    const startedAt = performance.now()
    expect((await read(network.chainId, [unlisted, localnet.tokens.LINK])).prices).toEqual({
      [localnet.tokens.LINK]: expect.objectContaining({ usd: 15_00000000n }),
    })
    expect(performance.now() - startedAt).toBeLessThan(2_400)
    const late = async () => (await read(network.chainId, [unlisted])).prices
    await expect.poll(late, { timeout: 5_000 }).toHaveProperty([unlisted])
    expect(paths).toHaveLength(1)
  })

  it('need one request with the balances in a worker that starts anew', async () => {
    const tokens = [nativeTokenAddress, ...Object.values(localnet.tokens)]
    const before = open()
    expect((await before.open(network.chainId)).withPrices).toBe(true)
    const { prices } = await before.read(network.chainId, tokens)
    expect(reads).toBe(2)

    reads = 0
    const { open: openChain, read } = open()
    const { chain } = await openChain(network.chainId)
    await chain.balances(`0x${'cc'.repeat(20)}`, tokens, true)
    const again = await read(network.chainId, tokens)
    expect(again.prices).toEqual(prices)
    expect(reads).toBe(1)
  })

  it('trust nothing stored that an RPC other than the present one said, or that is damaged', async () => {
    await open().read(network.chainId, [localnet.tokens.LINK])
    const key = `feeds.${network.chainId}`
    for (const stored of [
      { rpcUrl: 'http://127.0.0.1:1', feeds: [] },
      'damaged',
      { feeds: [{ token: 1 }] },
    ]) {
      await session.set({ [key]: stored })
      reads = 0
      const { prices } = await open().read(network.chainId, [localnet.tokens.LINK])
      expect(prices[localnet.tokens.LINK]?.usd).toBe(15_00000000n)
      expect(reads).toBe(2)
    }
  })

  it('are not wanted beside balances when values are switched off', async () => {
    expect((await open({ showValues: false }).open(network.chainId)).withPrices).toBe(false)
  })

  it('throw when the RPC serves another chain', async () => {
    network = { ...network, chainId: 5_555 }
    await expect(open().read(5_555, [localnet.tokens.LINK])).rejects.toMatchObject({ code: 'wrong-chain' })
  })
})

describe('prices for a record', () => {
  it('are those on chain, and none of the service', async () => {
    const { LINK } = localnet.tokens
    answer = () => ({ body: JSON.stringify({ [unlisted]: '0.5' }) })
    const prices = await open().readOnChain(network.chainId, [LINK, unlisted])
    expect(Object.keys(prices)).toEqual([LINK])
    expect(paths).toEqual([])
  })

  it('are none while values are off, or from an RPC of another chain', async () => {
    const { LINK } = localnet.tokens
    expect(await open({ showValues: false }).readOnChain(network.chainId, [LINK])).toEqual({})
    network = { ...network, chainId: 5_555 }
    expect(await open().readOnChain(5_555, [LINK])).toEqual({})
  })

  it('are none after a second of an RPC that hangs', async () => {
    const hanging = await startHttpServer(() => new Promise((resolve) => setTimeout(resolve, 10_000)))
    try {
      network = { ...network, rpcUrl: hanging.url }
      const startedAt = performance.now()
      expect(await open().readOnChain(network.chainId, [localnet.tokens.LINK])).toEqual({})
      expect(performance.now() - startedAt).toBeLessThan(2_500)
    } finally {
      await hanging.stop()
    }
  })
})

describe('rates in price lists', () => {
  const rateOf = async (changes: Partial<Settings>, chainId = network.chainId) =>
    (await open(changes).read(chainId, [])).rate

  function publicNetwork(chainId: number, rpcUrl: string): Network {
    const found = publicNetworks().find((one) => one.chainId === chainId) as Network
    return { ...found, rpcUrl }
  }

  it('are read on the network’s chain', async () => {
    expect(await rateOf({ currency: 'EUR' })).toEqual({ currency: 'EUR', usd: 1_16000000n })
    expect(await rateOf({ currency: 'CNY' })).toEqual({ currency: 'CNY', usd: 14_000_000n })
  })

  it('are read at the addresses of the table on a public chain', async () => {
    const networks = [publicNetwork(8453, base.rpcUrl)]
    await base.setFeed('GBP', { answer: 1_40000000n })
    expect(await rateOf({ currency: 'GBP', networks }, 8453)).toEqual({ currency: 'GBP', usd: 1_40000000n })
  })

  it('are those of another set-up network where the chain has none', async () => {
    const networks = [publicNetwork(8453, base.rpcUrl), publicNetwork(1, ''), network]
    // Base has no rate of the yen.
    expect(await rateOf({ currency: 'JPY', networks }, 8453)).toEqual({ currency: 'JPY', usd: 660_000n })
  })

  it('are dollars where no feed can be trusted', async () => {
    await localnet.setFeed('CHF', { answer: 0n })
    expect(await rateOf({ currency: 'CHF' })).toEqual(dollars)
    const market = { ...network.market, currencyFeeds: { EUR: localnet.currencyFeeds.GBP } }
    expect(await rateOf({ currency: 'EUR', networks: [{ ...network, market }] })).toEqual(dollars)
  })

  it('are read at most every five minutes', async () => {
    const { read } = open({ currency: 'EUR' })
    await read(network.chainId, [])
    await localnet.setFeed('EUR', { answer: 1_20000000n })
    clock += 299_000
    expect((await read(network.chainId, [])).rate.usd).toBe(1_16000000n)
    clock += 2_000
    // Renewed in the background.
    const usd = async () => (await read(network.chainId, [])).rate.usd
    await expect.poll(usd).toBe(1_20000000n)
  })

  it('are one for all networks, kept a day while no feed can be read, also by a later worker', async () => {
    await localnet.setFeed('EUR', { answer: 1_20000000n })
    const networks = [network, publicNetwork(8453, base.rpcUrl)]
    await open({ currency: 'EUR' }).read(network.chainId, [])
    expect((await open({ currency: 'EUR', networks }).read(8453, [])).rate.usd).toBe(1_20000000n)
    await localnet.setFeed('EUR', { answer: 0n })
    clock += 86_000_000
    const { read } = open({ currency: 'EUR' })
    expect((await read(network.chainId, [])).rate.usd).toBe(1_20000000n)
    clock += 500_000
    expect((await read(network.chainId, [])).rate).toEqual(dollars)
    await localnet.setFeed('EUR', { answer: 1_16000000n })
  })

  it('delay prices by a second at most, and a network that failed is left alone for a minute', async () => {
    let asked = 0
    const hanging = await startHttpServer(async () => {
      asked += 1
      await new Promise((resolve) => setTimeout(resolve, 10_000))
    })
    try {
      const lone = { ...network, market: { oracle: localnet.contracts.oracle } }
      const networks = [publicNetwork(8453, hanging.url), lone]
      const { read } = open({ currency: 'EUR', networks })
      const startedAt = performance.now()
      const reads = await Promise.all([1, 2].map(() => read(network.chainId, [localnet.tokens.LINK])))
      expect(performance.now() - startedAt).toBeLessThan(2_500)
      for (const { prices, rate } of reads) {
        expect(prices).toHaveProperty([localnet.tokens.LINK])
        expect(rate).toEqual(dollars)
      }
      await new Promise((resolve) => setTimeout(resolve, 3_500))
      const before = asked
      const again = performance.now()
      await read(network.chainId, [])
      expect(performance.now() - again).toBeLessThan(500)
      expect(asked).toBe(before)
    } finally {
      await hanging.stop()
    }
  })
})
