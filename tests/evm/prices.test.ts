import { maxUint256, parseAbi, parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { deployer } from '../../dev/chain/client.ts'
import { oracleArgs, readFeedBuild, readOracleBuild, writeFeed } from '../../dev/chain/feeds.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { createChain } from '../../src/evm/client.ts'
import { deployContract } from '../helpers/node/deployContract.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'

let localnet: Localnet
let network: Network
let snapshot: Hex

beforeAll(async () => {
  localnet = await createLocalnet()
  network = {
    ...localNetwork(localnet),
    wrapped: localnet.tokens.WETH,
    stable: localnet.tokens.USDC,
    market: { v2Factory: localnet.contracts.v2Factory, v3Factory: localnet.contracts.v3Factory },
  }
})
afterAll(() => localnet?.stop())
beforeEach(async () => {
  snapshot = await localnet.client.snapshot()
})
afterEach(() => localnet.client.revert({ id: snapshot }))

async function marketOf(sell: Address, buy: Address, amount: bigint, changes: Partial<Network> = {}) {
  const [answer] = await createChain({ ...network, ...changes }).marketReturns([{ sell, buy, amount }])
  return answer
}

function isNear(amount: bigint | undefined, expected: bigint, bps = 50n): boolean {
  const apart = (amount ?? 0n) - expected
  return (apart < 0n ? -apart : apart) * 10_000n <= expected * bps
}

describe('market prices from pools', () => {
  it('prices connector tokens, and the native token like its wrapped token', async () => {
    const { WETH, USDC } = localnet.tokens
    const sold = await marketOf(WETH, USDC, parseEther('5'))
    expect(sold).toMatchObject({ source: 'pool', ageSeconds: 0 })
    expect(isNear(sold?.returns, 15_000_000_000n)).toBe(true)
    expect((await marketOf(nativeTokenAddress, USDC, parseEther('5')))?.returns).toBe(sold?.returns)
    expect(
      isNear((await marketOf(USDC, nativeTokenAddress, 15_000_000_000n))?.returns, parseEther('5')),
    ).toBe(true)
  })

  it('prices tokens that trade only against the wrapped native token', async () => {
    const { WBTC, LINK } = localnet.tokens
    const traded = await marketOf(WBTC, LINK, parseUnits('1', 8))
    expect(isNear(traded?.returns, parseEther('4000'))).toBe(true)
  })

  it('prices wrapping one to one', async () => {
    expect((await marketOf(nativeTokenAddress, localnet.tokens.WETH, 7n))?.returns).toBe(7n)
  })

  it('returns undefined for a token without a connector pool, and an empty list without trades', async () => {
    const { BROOK, USDC } = localnet.tokens
    expect(await marketOf(BROOK, USDC, parseEther('1'))).toBeUndefined()
    expect(await marketOf('0x00000000000000000000000000000000000000aa', USDC, 1n)).toBeUndefined()
    expect(await createChain(network).marketReturns([])).toEqual([])
  })

  it('returns undefined instead of 0', async () => {
    const { USDC, WBTC } = localnet.tokens
    expect(await marketOf(USDC, WBTC, 1n)).toBeUndefined()
  })

  it('sends no request on a chain without known price contracts', async () => {
    const chain = createChain({ ...network, market: {} }, { fetch: () => expect.fail('asks') })
    expect(
      await chain.marketReturns([{ sell: nativeTokenAddress, buy: localnet.tokens.USDC, amount: 1n }]),
    ).toEqual([undefined])
  })

  it('uses the built-in price contracts of a public chain, regardless of the network settings', async () => {
    const market = { oracle: localnet.contracts.router, v3Factory: localnet.contracts.v3Factory }
    const seen: string[] = []
    const chain = createChain(
      { ...network, chainId: 1, market },
      {
        fetch: async (_url, init) => {
          seen.push(String(init?.body))
          return Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
        },
      },
    )
    await chain
      .marketReturns([{ sell: nativeTokenAddress, buy: localnet.tokens.USDC, amount: 1n }])
      .catch(() => undefined)
    expect(seen.join()).toContain('54586be62e3c3580375ae3723c145253060ca0c2')
    expect(seen.join()).not.toContain(market.oracle.slice(2))
  })
})

describe('market prices and manipulated pools', () => {
  const stolen = (amount: bigint) => amount / 3n

  it('ignores a pool with little liquidity', async () => {
    const { BROOK, USDC } = localnet.tokens
    await openV2(BROOK, USDC, parseEther('40000'), stolen(parseUnits('10000', 6)))
    expect(await marketOf(BROOK, USDC, parseEther('1'))).toBeUndefined()
  })

  it('uses a pool that holds enough liquidity', async () => {
    const { BROOK, USDC } = localnet.tokens
    await openV2(BROOK, USDC, parseEther('400000'), parseUnits('100000', 6))
    expect(isNear((await marketOf(BROOK, USDC, parseEther('1000')))?.returns, 250_000_000n)).toBe(true)
  })

  it('ignores a deep pool at a false price while most liquidity disagrees', async () => {
    const { LINK, USDC } = localnet.tokens
    const before = await marketOf(LINK, USDC, parseEther('1000'))
    await openV2(LINK, USDC, parseEther('60000'), parseUnits('300000', 6))
    expect((await marketOf(LINK, USDC, parseEther('1000')))?.returns).toBe(before?.returns)
  })

  it('ignores a narrow position with large liquidity and few tokens', async () => {
    const { BROOK, USDC } = localnet.tokens
    await openV3(BROOK, USDC, { range: 10, amounts: { BROOK: 500, USDC: 100 } })
    expect(await marketOf(BROOK, USDC, parseEther('1'))).toBeUndefined()
    await localnet.client.increaseTime({ seconds: 700 })
    await localnet.client.mine({ blocks: 1 })
    expect(await marketOf(BROOK, USDC, parseEther('1'))).toBeUndefined()
  })

  it('ignores tokens that lie out of range', async () => {
    const { BROOK, USDC } = localnet.tokens
    const { tick, isFirst } = await openV3(BROOK, USDC, { range: 10, amounts: { BROOK: 0, USDC: 0 } })
    const [from, to] = isFirst ? [tick - 40_000, tick - 20_000] : [tick + 20_000, tick + 40_000]
    await mintV3(BROOK, USDC, from, to, { BROOK: 0, USDC: 90_000 })
    await localnet.client.increaseTime({ seconds: 700 })
    await localnet.client.mine({ blocks: 1 })
    expect(
      await localnet.client.readContract({
        ...erc20(USDC),
        functionName: 'balanceOf',
        args: [await v3PoolOf(BROOK, USDC)],
      }),
    ).toBeGreaterThan(parseUnits('80000', 6))
    expect(await marketOf(BROOK, USDC, parseEther('1'))).toBeUndefined()
  })

  it('averages a v3 price over time, so that a swap in one block barely moves it', async () => {
    const { BROOK, USDC } = localnet.tokens
    await openV3(BROOK, USDC, { range: 887_270, amounts: { BROOK: 400_000, USDC: 100_000 } })
    const pool = await v3PoolOf(BROOK, USDC)
    await localnet.client.writeContractSync({
      address: pool,
      abi: parseAbi(['function increaseObservationCardinalityNext(uint16)']),
      functionName: 'increaseObservationCardinalityNext',
      args: [50],
    })
    await localnet.client.increaseTime({ seconds: 3_600 })
    await localnet.client.mine({ blocks: 1 })
    // Leaves a fraction of the price.
    await sellV3(BROOK, USDC, parseEther('400000'))
    const market = await marketOf(BROOK, USDC, parseEther('1000'))
    expect(isNear(market?.returns, 250_000_000n, 200n)).toBe(true)
  })
})

describe('market prices from an oracle', () => {
  let oracle: Address
  let sources: Map<Address, Address>

  beforeEach(() => {
    sources = new Map()
  })

  const at = (dollars: number) => BigInt(Math.round(dollars * 1e8))
  const withOracle = () => ({ market: { ...network.market, oracle } })

  async function now(): Promise<number> {
    await localnet.client.mine({ blocks: 1 })
    return Number((await localnet.client.getBlock()).timestamp)
  }

  /** `age` in seconds. */
  async function price(token: Address, answer: bigint, age = 0): Promise<Address> {
    const feed = await deployContract(localnet, readFeedBuild(), [8, answer])
    await writeFeed(localnet.client, feed, { answer, updatedAt: (await now()) - age })
    await list(token, feed)
    return feed
  }

  async function list(asset: Address, feed: Address): Promise<void> {
    sources.set(asset, feed)
    const args = oracleArgs([...sources].map(([asset, feed]) => ({ asset, feed })))
    oracle = await deployContract(localnet, readOracleBuild(), args)
  }

  it('prefers the oracle to pools, and reports the age of the older price', async () => {
    const { WETH, USDC } = localnet.tokens
    await price(USDC, at(1), 500)
    await price(WETH, at(2_900), 60)
    const market = await marketOf(WETH, USDC, parseEther('1'), withOracle())
    expect(market).toMatchObject({ returns: 2_900_000_000n, source: 'oracle' })
    expect(market?.ageSeconds).toBeGreaterThanOrEqual(500)
    expect(market?.ageSeconds).toBeLessThan(600)
  })

  it('combines the oracle price of one token with the pool price of the other', async () => {
    const { WETH, LINK, USDC } = localnet.tokens
    await price(USDC, at(1))
    await price(WETH, at(3_000))
    const market = await marketOf(LINK, USDC, parseEther('100'), withOracle())
    expect(market?.source).toBe('pool')
    expect(isNear(market?.returns, 1_500_000_000n)).toBe(true)
  })

  it.each([
    ['zero', 0n, 0],
    ['less than zero', -1n, 0],
    ['too old', at(1_000), 27 * 3_600],
  ])('rejects an oracle answer that is %s', async (_which, answer, age) => {
    const { WETH, USDC } = localnet.tokens
    await price(USDC, at(1))
    await price(WETH, answer, age)
    const market = await marketOf(WETH, USDC, parseEther('1'), withOracle())
    expect(market?.source).toBe('pool')
    expect(isNear(market?.returns, 3_000_000_000n)).toBe(true)
    expect(await marketOf(WETH, USDC, parseEther('1'), { market: { oracle } })).toBeUndefined()
  })

  it('reads the age behind an adapter that does not report it', async () => {
    const { WETH, USDC } = localnet.tokens
    await price(USDC, at(1))
    const feed = await price(WETH, at(3_100), 90)
    await list(WETH, await deployContract(localnet, readArtifact('Adapter'), [feed]))
    const market = await marketOf(WETH, USDC, parseEther('1'), withOracle())
    expect(market).toMatchObject({ returns: 3_100_000_000n, source: 'oracle' })
    expect(market?.ageSeconds).toBeGreaterThanOrEqual(90)
    await writeFeed(localnet.client, feed, { updatedAt: (await now()) - 30 * 3_600 })
    expect((await marketOf(WETH, USDC, parseEther('1'), withOracle()))?.source).toBe('pool')
  })

  it('uses pools when the oracle is not a contract', async () => {
    const { WETH, USDC } = localnet.tokens
    const market = { ...network.market, oracle: '0x00000000000000000000000000000000000000bb' as Address }
    expect((await marketOf(WETH, USDC, parseEther('1'), { market }))?.source).toBe('pool')
  })
})

const erc20 = (address: Address) => ({
  address,
  abi: parseAbi([
    'function transfer(address to, uint256 value)',
    'function approve(address spender, uint256 value)',
    'function balanceOf(address owner) view returns (uint256)',
  ]),
})

async function openV2(one: Address, other: Address, ofOne: bigint, ofOther: bigint): Promise<void> {
  const { client, contracts } = localnet
  const factory = {
    address: contracts.v2Factory,
    abi: parseAbi([
      'function createPair(address, address)',
      'function getPair(address, address) view returns (address)',
    ]),
  }
  await client.writeContractSync({ ...factory, functionName: 'createPair', args: [one, other] })
  const pair = await client.readContract({ ...factory, functionName: 'getPair', args: [one, other] })
  await client.writeContractSync({ ...erc20(one), functionName: 'transfer', args: [pair, ofOne] })
  await client.writeContractSync({ ...erc20(other), functionName: 'transfer', args: [pair, ofOther] })
  await client.writeContractSync({
    address: pair,
    abi: parseAbi(['function mint(address to)']),
    functionName: 'mint',
    args: [deployer],
  })
}

const fee = 500
type Amounts = { BROOK: number; USDC: number }

const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])

/** One position at $0.25. */
async function openV3(
  brook: Address,
  usdc: Address,
  { range, amounts }: { range: number; amounts: Amounts },
): Promise<{ tick: number; isFirst: boolean }> {
  const isFirst = brook < usdc
  // token1 per token0 in base units.
  const ratio = isFirst ? 0.25e-12 : 4e12
  const tick = Math.floor(Math.log(ratio) / Math.log(1.0001) / 10) * 10
  const [token0, token1] = isFirst ? [brook, usdc] : [usdc, brook]
  await localnet.client.writeContractSync({
    address: localnet.contracts.positions,
    abi: positionsAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, BigInt(Math.floor(Math.sqrt(ratio) * 2 ** 96))],
  })
  if (amounts.USDC > 0) {
    const [from, to] = range > 800_000 ? [-range, range] : [tick - range, tick + range + 10]
    await mintV3(brook, usdc, from, to, amounts)
  }
  return { tick, isFirst }
}

async function mintV3(brook: Address, usdc: Address, from: number, to: number, amounts: Amounts) {
  const isFirst = brook < usdc
  const [token0, token1] = isFirst ? [brook, usdc] : [usdc, brook]
  const [ofBrook, ofUsdc] = [parseEther(String(amounts.BROOK)), parseUnits(String(amounts.USDC), 6)]
  await localnet.client.writeContractSync({
    address: localnet.contracts.positions,
    abi: positionsAbi,
    functionName: 'mint',
    args: [
      {
        token0,
        token1,
        fee,
        tickLower: from,
        tickUpper: to,
        amount0Desired: isFirst ? ofBrook : ofUsdc,
        amount1Desired: isFirst ? ofUsdc : ofBrook,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: deployer,
        deadline: maxUint256,
      },
    ],
  })
}

async function v3PoolOf(one: Address, other: Address): Promise<Address> {
  return localnet.client.readContract({
    address: localnet.contracts.v3Factory,
    abi: parseAbi(['function getPool(address, address, uint24) view returns (address)']),
    functionName: 'getPool',
    args: [one, other, fee],
  })
}

async function sellV3(sell: Address, buy: Address, amount: bigint): Promise<void> {
  const router = await deployRouter()
  await localnet.client.writeContractSync({ ...erc20(sell), functionName: 'approve', args: [router, amount] })
  await localnet.client.writeContractSync({
    address: router,
    abi: parseAbi([
      'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
      'function exactInputSingle(Params params) payable returns (uint256)',
    ]),
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: sell,
        tokenOut: buy,
        fee,
        recipient: deployer,
        deadline: maxUint256,
        amountIn: amount,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ],
  })
}

async function deployRouter(): Promise<Address> {
  const { default: artifact } = await import(
    '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'
  )
  const { abi, bytecode } = artifact
  const args = [localnet.contracts.v3Factory, localnet.tokens.WETH]
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  return (await localnet.client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
}
