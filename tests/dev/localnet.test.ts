import { readFileSync } from 'node:fs'
import {
  decodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseEventLogs,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuild } from '../../dev/chain/artifacts.ts'
import { deployer } from '../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import {
  algebraPoolAddress,
  algebraPools,
  algebraPoolTitle,
  algebraSides,
} from '../../dev/pools/algebraPools.ts'
import { vaultPoolAddress, vaultPools, vaultPoolTitle, vaultSides } from '../../dev/pools/balancerPools.ts'
import { composablePoolAddress, composablePools } from '../../dev/pools/composablePools.ts'
import { converters } from '../../dev/pools/converters.ts'
import { pools, sides } from '../../dev/pools/pools.ts'
import {
  slipstreamPoolAddress,
  slipstreamPools,
  slipstreamPoolTitle,
} from '../../dev/pools/slipstreamPools.ts'
import { solidlyPoolAddress, solidlyPools, solidlyPoolTitle } from '../../dev/pools/solidlyPools.ts'
import { findToken, type LocalnetToken, tokens, unitsForUsd } from '../../dev/pools/tokens.ts'
import { vaultV3PoolAddress, vaultV3Pools, vaultV3PoolTitle } from '../../dev/pools/vaultV3Pools.ts'
import { openPort } from '../../dev/port.ts'
import { parseConfig } from '../../service/config.ts'
import { curve, curveNg } from '../../service/pools/stableSwap/stableSwapTypes.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
])
const oracleAbi = parseAbi([
  'function getAssetPrice(address) view returns (uint256)',
  'function getSourceOfAsset(address) view returns (address)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function description() view returns (string)',
  'function decimals() view returns (uint8)',
])
const v2Abi = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function getAmountsOut(uint256 amount, address[] path) view returns (uint256[])',
])
const v3Abi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 spacing, address pool)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
])
const algebraAbi = parseAbi([
  'event Pool(address indexed token0, address indexed token1, address pool)',
  'function globalState() view returns (uint160, int24, uint16, uint8, uint16, bool)',
])
const slipstreamAbi = parseAbi([
  'function sell(address pool, bool zeroForOne, int256 amount) returns (int256, int256)',
  'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
])
const solidlyAbi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)',
  'function getAmountOut(uint256, address) view returns (uint256)',
])
/** Of StableSwap pools, whose factories do not name them. */
const liquidityAdded = new Set<string>(
  [curve, curveNg].flatMap(({ changes }) =>
    changes.filter(({ name }) => name === 'AddLiquidity').map(toEventSelector),
  ),
)
const managerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const vaultAbi = parseAbi([
  'event PoolCreated(address indexed pool)',
  'function getPoolId() view returns (bytes32)',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) returns (int256[])',
])
const vaultV3Abi = parseAbi([
  'struct Swap { uint8 kind; address pool; address tokenIn; address tokenOut; uint256 amount; uint256 limit; bytes userData; }',
  'function swap(Swap) returns (uint256, uint256, uint256)',
  'struct Step { address to; bytes data; }',
  'function query(Step[] steps) returns (bytes)',
])
const { abi: quoterAbi } = readBuild(
  '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
)

describe.each([31337, 1, 8453])('createLocalnet on chain %i', (chainId) => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet({ chainId })
  })
  afterAll(() => localnet.stop())

  it('uses the given chain id', async () => {
    expect(localnet.chainId).toBe(chainId)
    expect(await localnet.client.getChainId()).toBe(chainId)
  })

  it('prices every token by Aave’s oracle and every currency by Chainlink’s feeds, as of now', async () => {
    const { client, contracts, feeds, currencyFeeds } = localnet
    for (const { symbol, cents } of tokens) {
      const args = [localnet.tokens[symbol]] as const
      const oracle = { address: contracts.oracle, abi: oracleAbi }
      expect(await client.readContract({ ...oracle, functionName: 'getAssetPrice', args })).toBe(
        cents * 1_000_000n,
      )
      const source = await client.readContract({ ...oracle, functionName: 'getSourceOfAsset', args })
      expect(source.toLowerCase()).toBe(feeds[symbol])
    }
    for (const [currency, address] of Object.entries(currencyFeeds)) {
      const feed = { address, abi: oracleAbi }
      expect(await client.readContract({ ...feed, functionName: 'description' })).toBe(`${currency} / USD`)
      expect(await client.readContract({ ...feed, functionName: 'decimals' })).toBe(8)
    }
    for (const address of [feeds.WETH, currencyFeeds.EUR]) {
      const round = { address, abi: oracleAbi, functionName: 'latestRoundData' } as const
      const [, , , updatedAt] = await client.readContract(round)
      expect(Math.abs(Date.now() / 1_000 - Number(updatedAt))).toBeLessThan(60)
    }
  })

  it('sets a feed, and lets it revert and answer again', async () => {
    const { client, feeds } = localnet
    const snapshot = await client.snapshot()
    const round = { address: feeds.LINK, abi: oracleAbi, functionName: 'latestRoundData' } as const
    await localnet.setFeed('LINK', { answer: -7n, updatedAt: 1_000 })
    expect(await client.readContract(round)).toEqual([1n, -7n, 1_000n, 1_000n, 1n])
    await localnet.setFeed('LINK', { reverts: true })
    await expect(client.readContract(round)).rejects.toThrow()
    await localnet.setFeed('LINK', { answer: 9n })
    expect((await client.readContract(round))[1]).toBe(9n)
    await client.revert({ id: snapshot })
  })

  it('deploys every contract at its address in service/chains/31337.json', async () => {
    const file = new URL('../../service/chains/31337.json', import.meta.url)
    const written = parseConfig(JSON.parse(readFileSync(file, 'utf8')), '31337.json')
    expect(localnet.config).toEqual({ ...written, chainId })

    const addresses = [
      ...[written.wrapped, written.router, written.multicall, written.permit2],
      ...written.factories.map(({ address }) => address),
      ...written.tokens.map(({ address }) => address),
      ...Object.values(localnet.contracts),
    ]
    for (const address of addresses) expect(await localnet.client.getCode({ address }), address).toBeDefined()
  })
})

describe('createLocalnet', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet()
  })
  afterAll(() => localnet.stop())

  it('lists tokens with their name, symbol and decimals on chain', async () => {
    for (const { address, name, symbol, decimals } of localnet.config.tokens) {
      const read = (functionName: 'name' | 'symbol' | 'decimals') =>
        localnet.client.readContract({ address, abi: tokenAbi, functionName })
      expect([await read('name'), await read('symbol'), await read('decimals')]).toEqual([
        name,
        symbol,
        decimals,
      ])
    }
  })

  it('builds each pool at its computed address', async () => {
    const logs = await localnet.client.getLogs({ fromBlock: 0n })
    const pairs = parseEventLogs({ abi: v2Abi, logs, eventName: 'PairCreated' }).map(({ args }) => args.pair)
    const v3 = parseEventLogs({ abi: v3Abi, logs, eventName: 'PoolCreated' }).map(({ args }) => args.pool)
    const inVault = parseEventLogs({ abi: vaultAbi, logs, eventName: 'PoolCreated' }).map(
      ({ args }) => args.pool,
    )
    const solidly = parseEventLogs({ abi: solidlyAbi, logs, eventName: 'PoolCreated' }).map(
      ({ args }) => args.pool,
    )
    const named = converters.map(({ name }) => localnet.contracts[name])
    const v4 = parseEventLogs({ abi: managerAbi, logs, eventName: 'Initialize' }).map(({ args }) =>
      args.id.slice(0, 42),
    )
    const stableSwap = logs.filter(({ topics: [topic] }) => topic && liquidityAdded.has(topic))
    const first = stableSwap.map(({ address }) => address)
    const algebra = parseEventLogs({ abi: algebraAbi, logs, eventName: 'Pool' }).map(({ args }) => args.pool)
    const slipstream = parseEventLogs({ abi: slipstreamAbi, logs, eventName: 'PoolCreated' }).map(
      ({ args }) => args.pool,
    )
    const others = [...algebra, ...slipstream, ...named]
    const created = [...pairs, ...v3, ...inVault, ...others, ...solidly, ...v4, ...first].map((address) =>
      address.toLowerCase(),
    )
    expect(localnet.pools.map(({ address }) => address).sort()).toEqual(created.sort())
    expect(created.length).toBeGreaterThanOrEqual(12)
  })

  it('prices every pool within 1 % and within its own fee of the reference', async () => {
    for (const [index, plan] of pools.entries()) {
      const { address, title } = localnet.pools[index]!
      const [one, other] = await ratio(address, plan.kind)
      const [{ token: token0 }, { token: token1 }] = sides(plan)
      const price = (Number(other) / Number(one)) * 10 ** (decimalsOf(token0) - decimalsOf(token1))
      const reference = Number(centsOf(token0)) / Number(centsOf(token1))
      const off = Math.abs(price / reference - 1)
      expect(off, title).toBeLessThan(0.01)
      expect(off, title).toBeLessThan((plan.kind === 'v2' ? 3_000 : plan.fee) / 1e6)
    }
  })

  it('prices every pair of tokens in the vault within about two fees below the reference', async () => {
    const inVault = [
      ...vaultPools.map((plan) => ({ plan, address: vaultPoolAddress(plan) })),
      ...composablePools.map((plan) => ({ plan, address: composablePoolAddress(plan) })),
    ]
    for (const { plan, address } of inVault) {
      const poolId = await localnet.client.readContract({
        address,
        abi: vaultAbi,
        functionName: 'getPoolId',
      })
      const assets = vaultSides(plan).map(({ token }) => token)
      for (const [sell, base] of assets.entries()) {
        for (const [buy, counter] of assets.entries()) {
          if (sell === buy) continue
          // $100 moves no price here.
          const amount = (10_000n * 10n ** BigInt(decimalsOf(base))) / centsOf(base)
          const { result } = await localnet.client.simulateContract({
            address: localnet.contracts.vault,
            abi: vaultAbi,
            functionName: 'queryBatchSwap',
            args: [
              0,
              [{ poolId, assetInIndex: BigInt(sell), assetOutIndex: BigInt(buy), amount, userData: '0x' }],
              assets,
              { sender: deployer, fromInternalBalance: false, recipient: deployer, toInternalBalance: false },
            ],
          })
          const bought = Number(-(result[buy] ?? 0n)) / 10 ** decimalsOf(counter)
          const dollars = (bought * Number(centsOf(counter))) / 100
          const title = `${vaultPoolTitle(plan)} ${sell} ${buy}`
          // Less than $100, or arbitrage would be free; the loss is at most about two fees.
          expect(dollars, title).toBeLessThan(100)
          expect(dollars, title).toBeGreaterThan(100 * (1 - (2.1 * plan.fee) / 1e6))
        }
      }
    }
  })

  it('prices Algebra pools within their own fee of the reference', async () => {
    for (const plan of algebraPools) {
      const read = { address: algebraPoolAddress(plan), abi: algebraAbi } as const
      const [root, , fee] = await localnet.client.readContract({ ...read, functionName: 'globalState' })
      const [{ token: token0 }, { token: token1 }] = algebraSides(plan)
      const price = (Number(root) / 2 ** 96) ** 2 * 10 ** (decimalsOf(token0) - decimalsOf(token1))
      const reference = Number(centsOf(token0)) / Number(centsOf(token1))
      expect(Math.abs(price / reference - 1), algebraPoolTitle(plan)).toBeLessThan(fee / 1e6)
      expect(fee).toBe(plan.fee)
    }
  })

  it('prices Solidly pools within two fees below the reference, in both directions', async () => {
    for (const plan of solidlyPools) {
      const address = solidlyPoolAddress(plan)
      const [one, other] = plan.pair.map(findToken) as [LocalnetToken, LocalnetToken]
      for (const [sell, buy] of [
        [one, other],
        [other, one],
      ] as const) {
        const bought = await localnet.client.readContract({
          ...{ address, abi: solidlyAbi, functionName: 'getAmountOut' },
          args: [unitsForUsd(sell, 10), localnet.tokens[sell.symbol]],
        })
        const dollars = (Number(bought) / 10 ** buy.decimals) * (Number(buy.cents) / 100)
        const fee = plan.fee ?? (plan.isStable ? 5 : 30)
        expect(dollars, solidlyPoolTitle(plan)).toBeLessThan(10)
        expect(dollars, solidlyPoolTitle(plan)).toBeGreaterThan(10 * (1 - (2.1 * fee) / 10_000))
      }
    }
  })

  it('prices every pair of a v3 pool of Balancer within two fees below the reference', async () => {
    const vault = localnet.contracts.vaultV3
    for (const plan of vaultV3Pools) {
      const pool = vaultV3PoolAddress(plan, localnet.chainId)
      const sides = vaultSides(plan)
      for (const { token: sell } of sides) {
        for (const { token: buy } of sides) {
          if (sell === buy) continue
          const amount = (10_000n * 10n ** BigInt(decimalsOf(sell))) / centsOf(sell)
          const swap = encodeFunctionData({
            ...{ abi: vaultV3Abi, functionName: 'swap' },
            args: [{ kind: 0, pool, tokenIn: sell, tokenOut: buy, amount, limit: 0n, userData: '0x' }],
          })
          const { result } = await localnet.client.simulateContract({
            ...{ account: zeroAddress, address: localnet.contracts.vaultV3Operator, abi: vaultV3Abi },
            ...{ functionName: 'query', args: [[{ to: vault, data: swap }]] },
          })
          const [answer] = decodeAbiParameters(parseAbiParameters('bytes[]'), result)[0]
          const bought = BigInt(`${answer}`.slice(0, 66))
          const dollars = ((Number(bought) / 10 ** decimalsOf(buy)) * Number(centsOf(buy))) / 100
          const title = `${vaultV3PoolTitle(plan)} ${sell} ${buy}`
          expect(dollars, title).toBeLessThan(100)
          expect(dollars, title).toBeGreaterThan(100 * (1 - (2.1 * plan.fee) / 1e6))
        }
      }
    }
  })

  it('prices Slipstream pools within two fees below the reference, in both directions', async () => {
    const { slipstreamDesk: address } = localnet.contracts
    for (const plan of slipstreamPools) {
      const [one, other] = plan.pair.map(findToken) as [LocalnetToken, LocalnetToken]
      for (const [sell, buy] of [
        [one, other],
        [other, one],
      ] as const) {
        const isDown = localnet.tokens[sell.symbol] < localnet.tokens[buy.symbol]
        const { result } = await localnet.client.simulateContract({
          ...{ account: deployer, address, abi: slipstreamAbi, functionName: 'sell' },
          args: [slipstreamPoolAddress(plan), isDown, unitsForUsd(sell, 10)],
        })
        const dollars = (Number(-result[isDown ? 1 : 0]) / 10 ** buy.decimals) * (Number(buy.cents) / 100)
        expect(dollars, slipstreamPoolTitle(plan)).toBeLessThan(10)
        expect(dollars, slipstreamPoolTitle(plan)).toBeGreaterThan(10 * (1 - (2.1 * plan.fee) / 1e6))
      }
    }
  })

  it('creates at least three overlapping positions in each v3 pool', async () => {
    const logs = await localnet.client.getLogs({ fromBlock: 0n })
    const mints = parseEventLogs({ abi: v3Abi, logs, eventName: 'Mint' })
    for (const [index, plan] of pools.entries()) {
      if (plan.kind === 'v2') continue
      const { address, title } = localnet.pools[index]!
      const [, tick] = await localnet.client.readContract({ address, abi: v3Abi, functionName: 'slot0' })
      const here = mints.filter((mint) => mint.address === address)
      const active = here.filter(({ args }) => args.tickLower <= tick && tick < args.tickUpper)
      expect(new Set(active.map(({ args }) => args.tickLower)).size, title).toBeGreaterThanOrEqual(3)
      const liquidity = active.reduce((sum, { args }) => sum + args.amount, 0n)
      expect(await localnet.client.readContract({ address, abi: v3Abi, functionName: 'liquidity' })).toBe(
        liquidity,
      )
    }
  })

  it('quotes near the reference price through the v2 router and the v3 quoter', async () => {
    const { WETH, USDC, DAI, BROOK } = localnet.tokens
    const [, , brook] = await localnet.client.readContract({
      address: localnet.contracts.v2Router,
      abi: v2Abi,
      functionName: 'getAmountsOut',
      args: [parseEther('0.01'), [WETH, DAI, BROOK]],
    })
    // $30 at $0.25 is 120, less two fees of 0.3% and price impact.
    expect(Number(brook)).toBeGreaterThan(118e18)
    expect(Number(brook)).toBeLessThan(120e18)

    const { result } = await localnet.client.simulateContract({
      address: localnet.contracts.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [{ tokenIn: WETH, tokenOut: USDC, amountIn: parseEther('1'), fee: 500, sqrtPriceLimitX96: 0n }],
    })
    const [usdc] = result as [bigint]
    expect(Number(usdc)).toBeGreaterThan(2_990e6)
    expect(Number(usdc)).toBeLessThan(3_003e6)
  })

  it('gives ten unused accounts ETH and every token', async () => {
    expect(localnet.accounts).toHaveLength(10)
    expect(localnet.accounts[0]?.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
    for (const { address } of localnet.accounts) {
      expect(await localnet.client.getTransactionCount({ address })).toBe(0)
      expect(await localnet.client.getBalance({ address })).toBeGreaterThan(parseEther('10000'))
      for (const token of Object.values(localnet.tokens)) {
        expect(await balance(token, address)).toBeGreaterThan(0n)
      }
    }
  })

  it('funds several addresses concurrently', async () => {
    const people = Array.from({ length: 5 }, (_, index) => `0x${'ab'.repeat(19)}0${index}` as const)
    await Promise.all(people.map(localnet.fund))
    for (const address of people) {
      expect(await localnet.client.getBalance({ address })).toBe(parseEther('10'))
      expect(await balance(localnet.tokens.USDC, address)).toBe(25_000_000_000n)
    }
  })

  it('starts from the saved state, without later changes of another instance', async () => {
    await localnet.fund(localnet.accounts[3]!.address)
    const again = await createLocalnet()
    try {
      const saved = await again.client.getBlockNumber()
      expect(saved).toBeLessThan(await localnet.client.getBlockNumber())
      const history = await again.client.getLogs({ fromBlock: 0n })
      expect(history.length).toBeGreaterThan(100)
      expect(history).toEqual(await localnet.client.getLogs({ fromBlock: 0n, toBlock: saved }))
      const address = localnet.accounts[3]!.address
      expect(await again.client.getBalance({ address })).toBe(parseEther('10010'))
    } finally {
      await again.stop()
    }
  })

  it('stops its node when its faucet cannot start', async () => {
    const taken = Number(new URL(localnet.rpcUrl).port)
    const port = await openPort()
    await expect(createLocalnet({ port, faucetPort: taken })).rejects.toThrow('EADDRINUSE')
    expect(await openPort(port)).toBe(port)
  })

  it('uses the current time for new blocks and keeps mining at a block time', async () => {
    const before = Date.now() / 1_000
    const ticking = await createLocalnet({ blockTimeSeconds: 1 })
    try {
      const first = await ticking.client.getBlockNumber()
      await ticking.fund(ticking.accounts[0]!.address)
      const { timestamp } = await ticking.client.getBlock()
      expect(Number(timestamp)).toBeGreaterThan(before - 1)
      expect(Number(timestamp)).toBeLessThan(Date.now() / 1_000 + 1)
      await expect.poll(() => ticking.client.getBlockNumber()).toBeGreaterThan(first + 10n)
    } finally {
      await ticking.stop()
    }
  })

  async function ratio(address: `0x${string}`, kind: 'v2' | 'v3'): Promise<[one: bigint, other: bigint]> {
    if (kind === 'v2') {
      const [one, other] = await localnet.client.readContract({
        address,
        abi: v2Abi,
        functionName: 'getReserves',
      })
      return [one, other]
    }
    const [root] = await localnet.client.readContract({ address, abi: v3Abi, functionName: 'slot0' })
    return [1n << 192n, root * root]
  }

  function balance(address: `0x${string}`, owner: `0x${string}`): Promise<bigint> {
    return localnet.client.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
  }

  function decimalsOf(address: string): number {
    return localnet.config.tokens.find((token) => token.address === address)!.decimals
  }

  function centsOf(address: string): bigint {
    const { symbol } = localnet.config.tokens.find((token) => token.address === address)!
    return tokens.find((token) => token.symbol === symbol)!.cents
  }
})
