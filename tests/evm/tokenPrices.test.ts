import {
  concatHex,
  encodeAbiParameters,
  keccak256,
  pad,
  parseEther,
  parseUnits,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import type { Currency } from '../../src/domain/value/currency.ts'
import { toUsd } from '../../src/domain/value/price.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { deployContract } from '../helpers/node/deployContract.ts'
import { startGethNode } from '../helpers/node/gethNode.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let network: Network
let snapshot: Hex
/** Bodies of the requests that read contracts. */
let reads: string[]
let clock: number

beforeAll(async () => {
  localnet = await createLocalnet()
  const { v2Factory, v3Factory, oracle } = localnet.contracts
  network = {
    ...localNetwork(localnet),
    wrapped: localnet.tokens.WETH,
    stable: localnet.tokens.USDC,
    market: { oracle, v2Factory, v3Factory },
  }
})
afterAll(() => localnet?.stop())
beforeEach(async () => {
  snapshot = await localnet.client.snapshot()
  reads = []
  clock = 0
})
afterEach(() => localnet.client.revert({ id: snapshot }))

const owner: Address = '0x00000000000000000000000000000000000000cc'
const day = 86_400

function open(changes: Partial<Network> = {}): Chain {
  return createChain(
    { ...network, ...changes },
    {
      now: () => clock,
      fetch(url, init) {
        const body = String(init?.body)
        if (body.includes('eth_call')) reads.push(body)
        return fetch(url, init)
      },
    },
  )
}

const withoutPools = () => ({ market: { oracle: localnet.contracts.oracle } })

async function priceOf(token: Address, changes: Partial<Network> = {}) {
  return (await open(changes).prices([token]))[token]
}

/** Of a new block: the saved state may be old. */
async function chainTime(): Promise<number> {
  await localnet.client.mine({ blocks: 1 })
  return Number((await localnet.client.getBlock()).timestamp)
}

describe('prices by the oracle', () => {
  it('values balances at price times balance, to the last unit', async () => {
    const { WBTC, LINK, USDC } = localnet.tokens
    await localnet.setFeed('WBTC', { answer: 61_234_56789012n })
    const account = localnet.accounts[0]?.address as Address
    const chain = open()
    const tokens = [WBTC, LINK, USDC, nativeTokenAddress]
    const balances = await chain.balances(account, tokens, true)
    const prices = await chain.prices(tokens)
    const values = tokens.map((token) => {
      const price = prices[token]
      return price && toUsd(balances[token] ?? 0n, price)
    })
    expect(balances[WBTC]).toBe(parseUnits('1', 8))
    expect(values).toEqual([
      61_234_56789012n,
      1_000n * 15_00000000n,
      25_000_00000000n,
      ((balances[nativeTokenAddress] ?? 0n) * 3_000_00000000n) / parseEther('1'),
    ])
    expect(prices[WBTC]).toMatchObject({ source: 'oracle', per: 10n ** 8n })
    expect(prices[WBTC]?.ageSeconds).toBeLessThan(600)
  })

  it.each<[string, Parameters<Localnet['setFeed']>[1]]>([
    ['zero', { answer: 0n }],
    ['negative', { answer: -1n }],
    ['implausible', { answer: 10n ** 17n }],
    ['impossible', { answer: 2n ** 200n }],
    ['never updated', { updatedAt: 0 }],
    ['reverting', { reverts: true }],
  ])('has no price for a feed that is %s, rather than 0 or that of pools', async (_which, change) => {
    await localnet.setFeed('WETH', change)
    const { WETH, USDC } = localnet.tokens
    const prices = await open().prices([WETH, nativeTokenAddress, USDC])
    expect(prices).toMatchObject({ [USDC]: { usd: 1_00000000n } })
    expect(Object.keys(prices)).toEqual([USDC])
    // A trade is compared with pools then.
    const [market] = await open().marketReturns([{ sell: WETH, buy: USDC, amount: parseEther('1') }])
    expect(market?.source).toBe('pool')
  })

  it('has no price once a feed is older than 26 hours, and has one again after its update', async () => {
    const { LINK } = localnet.tokens
    const chain = open()
    expect(await chain.prices([LINK])).toHaveProperty([LINK])
    await localnet.setFeed('LINK', { updatedAt: (await chainTime()) - 26 * 3_600 - 60 })
    clock += 30_000
    expect(await chain.prices([LINK])).toEqual({})
    await localnet.setFeed('LINK', { updatedAt: (await chainTime()) - 25 * 3_600 })
    clock += 30_000
    expect((await chain.prices([LINK]))[LINK]?.ageSeconds).toBeGreaterThanOrEqual(25 * 3_600)
  })

  it('does not price a stablecoin at a dollar that the oracle lists without a price', async () => {
    await localnet.setFeed('USDC', { answer: 0n })
    expect(await priceOf(localnet.tokens.USDC)).toBeUndefined()
  })

  it('prices again a feed that reverted at the first read', async () => {
    const { LINK } = localnet.tokens
    await localnet.setFeed('LINK', { reverts: true })
    const chain = open()
    expect(await chain.prices([LINK])).toEqual({})
    await localnet.setFeed('LINK', { answer: 14_00000000n })
    clock += 30_000
    const { [LINK]: price } = await chain.prices([LINK])
    expect(price).toMatchObject({ usd: 14_00000000n })
    expect(price?.ageSeconds).toBeDefined()
  })

  it('reads the age behind two adapters, as of tokens that are priced by a capped stablecoin', async () => {
    const { LINK } = localnet.tokens
    const inner = await deployContract(localnet, readArtifact('Adapter'), [localnet.feeds.LINK])
    await setSource(LINK, await deployContract(localnet, readArtifact('Adapter'), [inner]))
    await localnet.setFeed('LINK', { updatedAt: (await chainTime()) - 7_200 })
    const { [LINK]: price } = await open(withoutPools()).prices([LINK])
    expect(price?.usd).toBe(15_00000000n)
    expect(price?.ageSeconds).toBeGreaterThanOrEqual(7_200)
    await localnet.setFeed('LINK', { updatedAt: (await chainTime()) - 2 * day })
    expect(await priceOf(LINK, withoutPools())).toBeUndefined()
  })

  it('believes a source that reports no age, without one', async () => {
    const { LINK } = localnet.tokens
    const fixed: Address = `0x${'f1'.repeat(20)}`
    await localnet.client.setCode({
      address: fixed,
      bytecode: answeringLatest(toHex(2_00000000n, { size: 32 })),
    })
    await setSource(LINK, fixed)
    const chain = open(withoutPools())
    const expected = { usd: 2_00000000n, per: 10n ** 18n, source: 'oracle' }
    expect((await chain.prices([LINK]))[LINK]).toEqual(expected)
    clock += 30_000
    expect((await chain.prices([LINK]))[LINK]).toEqual(expected)
  })

  it('follows a source that the oracle replaces, and reads the age behind an adapter', async () => {
    const { LINK } = localnet.tokens
    const chain = open(withoutPools())
    expect((await chain.prices([LINK]))[LINK]?.usd).toBe(15_00000000n)
    const adapter = await deployContract(localnet, readArtifact('Adapter'), [localnet.feeds.WBTC])
    await setSource(LINK, adapter)
    clock += 30_000
    const { [LINK]: price } = await chain.prices([LINK])
    expect(price?.usd).toBe(60_000_00000000n)
    expect(price?.ageSeconds).toBeLessThan(600)
    await localnet.setFeed('WBTC', { updatedAt: (await chainTime()) - 2 * day })
    clock += 30_000
    expect(await chain.prices([LINK])).toEqual({})
  })
})

describe('prices by pools', () => {
  it('uses pools on a chain without an oracle, and the wrapped token for the native one', async () => {
    const { v2Factory, v3Factory } = localnet.contracts
    const { WETH, LINK, USDC, BROOK } = localnet.tokens
    const prices = await open({ market: { v2Factory, v3Factory } }).prices([
      nativeTokenAddress,
      WETH,
      LINK,
      USDC,
      BROOK,
    ])
    expect(Object.keys(prices).sort()).toEqual([nativeTokenAddress, WETH, LINK, USDC].sort())
    expect(prices[nativeTokenAddress]).toEqual(prices[WETH])
    const link = prices[LINK] && toUsd(parseEther('1'), prices[LINK])
    expect(link).toBeGreaterThan(14_90000000n)
    expect(link).toBeLessThan(15_10000000n)
    expect(prices[USDC]).toMatchObject({ usd: 1_00000000n, per: 10n ** 6n, source: 'pool' })
  })

  it('uses pools for a token that the oracle does not list, with the oracle’s connectors', async () => {
    const { WETH, LINK } = localnet.tokens
    await setSource(LINK, zeroAddress)
    await localnet.setFeed('WETH', { answer: 6_000_00000000n })
    const prices = await open().prices([LINK, WETH])
    expect(prices[LINK]?.source).toBe('pool')
    // Only its pools with WETH are deep: twice the price.
    expect(prices[LINK] && toUsd(parseEther('1'), prices[LINK])).toBeGreaterThan(29_00000000n)
  })

  it('reads at most twelve tokens’ pools at a time, held ones first, and each rarely', async () => {
    const { v2Factory, v3Factory } = localnet.contracts
    const { LINK } = localnet.tokens
    const chain = open({ market: { v2Factory, v3Factory } })
    await chain.balances(localnet.accounts[0]?.address as Address, [LINK])
    const unknown = strangers(30)
    expect(await chain.prices([...unknown, LINK])).toHaveProperty([LINK])
    const asked = reads.join()
    reads = []
    clock += 30_000
    expect(await chain.prices([...unknown, LINK])).toHaveProperty([LINK])
    // Twelve others are tried, none again.
    expect(reads.join().length).toBeLessThan(asked.length * 1.2)
    reads = []
    for (let rounds = 0; rounds < 3; rounds++) {
      clock += 30_000
      await chain.prices([...unknown, LINK])
    }
    reads = []
    await chain.prices([...unknown, LINK])
    expect(reads).toEqual([])
  })
})

describe('requests for prices', () => {
  it('reads a list of 300 in two round trips at first, and with the balances in one afterwards', async () => {
    const chain = open(withoutPools())
    const tokens = [nativeTokenAddress, ...Object.values(localnet.tokens), ...strangers(291)]
    await chain.balances(owner, tokens, true)
    expect(reads).toHaveLength(1)
    const first = await chain.prices(tokens)
    expect(reads).toHaveLength(2)
    expect(Object.keys(first)).toHaveLength(9)

    reads = []
    clock += 30_000
    await localnet.setFeed('LINK', { answer: 16_00000000n })
    await chain.balances(owner, tokens, true)
    const { [localnet.tokens.LINK]: link } = await chain.prices(tokens)
    expect(link?.usd).toBe(16_00000000n)
    expect(reads).toHaveLength(1)
  })

  it('needs one round trip with feeds known from before, and none within 30 s', async () => {
    const tokens = Object.values(localnet.tokens)
    const before = open(withoutPools())
    await before.prices(tokens)
    reads = []
    const chain = open(withoutPools())
    for (const [token, feed] of before.feeds) chain.feeds.set(token, feed)
    expect(await chain.prices(tokens)).toEqual(await before.prices(tokens))
    expect(reads).toHaveLength(1)
    clock += 29_999
    await chain.prices(tokens)
    await chain.balances(owner, tokens, true)
    expect(reads).toHaveLength(2)
    expect(reads[1]).not.toContain(localnet.contracts.oracle.slice(2))
  })

  it('reads no prices beside balances unless asked', async () => {
    await open().balances(owner, Object.values(localnet.tokens))
    expect(reads.join()).not.toContain(localnet.contracts.oracle.slice(2))
  })

  it('works without Multicall3, where prices are no part of the balances', async () => {
    await localnet.client.setCode({ address: localnet.contracts.multicall, bytecode: '0x' })
    const tokens = Object.values(localnet.tokens)
    const chain = open(withoutPools())
    await chain.balances(owner, tokens, true)
    expect(Object.keys(await chain.prices(tokens))).toEqual(tokens)
    clock += 30_000
    reads = []
    await chain.balances(owner, tokens, true)
    expect(reads.join()).not.toContain(localnet.contracts.oracle.slice(2))
    expect(Object.keys(await chain.prices(tokens))).toEqual(tokens)
  })

  it('is served by an RPC like go-ethereum', async () => {
    const geth = await startGethNode(localnet.rpcUrl)
    try {
      const tokens = Object.values(localnet.tokens)
      expect(Object.keys(await open({ rpcUrl: geth.url }).prices(tokens))).toEqual(tokens)
    } finally {
      await geth.stop()
    }
  })
})

describe('rates of currencies', () => {
  const rateOf = (currency: Currency, feed = localnet.currencyFeeds.EUR) =>
    open().currencyRate(feed, currency)

  it('reads US dollars of one unit in one request', async () => {
    expect(await rateOf('EUR')).toBe(1_16000000n)
    expect(reads).toHaveLength(1)
    expect(await rateOf('JPY', localnet.currencyFeeds.JPY)).toBe(660_000n)
  })

  it('reads the feed’s own decimals', async () => {
    const aggregator = await deployContract(localnet, readArtifact('MockV3Aggregator'), [
      18,
      parseEther('1.3'),
    ])
    const feed = await deployContract(localnet, readArtifact('FeedProxy'), [aggregator, 'GBP / USD'])
    expect(await rateOf('GBP', feed)).toBe(1_30000000n)
  })

  it('has no rate from a feed of another pair, or from another contract', async () => {
    expect(await rateOf('GBP')).toBeUndefined()
    expect(await rateOf('EUR', localnet.feeds.WETH)).toBeUndefined()
    expect(await rateOf('EUR', localnet.tokens.WETH)).toBeUndefined()
    expect(await rateOf('EUR', owner)).toBeUndefined()
  })

  it.each<[string, Parameters<Localnet['setFeed']>[1]]>([
    ['zero', { answer: 0n }],
    ['negative', { answer: -1_16000000n }],
    ['implausible', { answer: 2_000_00000000n }],
    ['reverting', { reverts: true }],
  ])('has no rate from a feed that is %s', async (_which, change) => {
    await localnet.setFeed('EUR', change)
    expect(await rateOf('EUR')).toBeUndefined()
  })

  it('accepts the pause of a weekend, not of a week', async () => {
    await localnet.setFeed('EUR', { updatedAt: (await chainTime()) - 3 * day })
    expect(await rateOf('EUR')).toBe(1_16000000n)
    await localnet.setFeed('EUR', { updatedAt: (await chainTime()) - 5 * day })
    expect(await rateOf('EUR')).toBeUndefined()
  })
})

/** AaveOracle: assetsSources[token]. */
async function setSource(token: Address, source: Address): Promise<void> {
  const types = [{ type: 'address' }, { type: 'uint256' }] as const
  const index = keccak256(encodeAbiParameters(types, [token, 0n]))
  await localnet.client.setStorageAt({ address: localnet.contracts.oracle, index, value: pad(source) })
}

/** Code that answers `latestAnswer()` and reverts otherwise. */
function answeringLatest(word: Hex): Hex {
  // CALLDATALOAD >> 224 == selector ? return word : revert
  return concatHex(['0x5f3560e01c6350d25bcd14610012575f5ffd5b7f', word, '0x5f5260205ff3'])
}

function strangers(count: number): Address[] {
  return Array.from({ length: count }, (_, index) =>
    pad(`0x${(0xabc000 + index).toString(16)}`, { size: 20 }),
  )
}
