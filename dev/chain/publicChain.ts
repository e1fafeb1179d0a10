import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { compileContracts } from '../../contracts/compile.ts'
import type { Address } from '../../service/config.ts'
import { createMutex } from '../../src/lib/async/mutex.ts'
import { enableLowestFee, openV2Pair, openV3Pool } from '../pools/openPools.ts'
import { computePoolAddress, splitValue } from '../pools/pools.ts'
import {
  type PublicChainId,
  type PublicPool,
  type PublicSymbol,
  type PublicToken,
  publicPools,
  publicTokens,
} from '../pools/publicPools.ts'
import { initialSupply } from '../pools/tokens.ts'
import { startAnvil } from './anvil.ts'
import { hashState } from './chainState.ts'
import { createLocalnetClient, deployer, type LocalnetClient, send } from './client.ts'
import { currencyRates, type FeedChange, type FeedCurrency, renewFeeds, writeFeed } from './feeds.ts'
import { fund } from './fund.ts'
import { keepMining } from './keepMining.ts'
import { type Placement, placeContract } from './placeContract.ts'
import {
  feedAddress,
  listedTokens,
  type PlacedChain,
  placedChain,
  publicPlacements,
} from './publicContracts.ts'
import { prepareStateFile } from './stateFile.ts'

export type PublicLocalnetOptions = {
  chainId: PublicChainId
  port?: number
  /** Interval of empty blocks. */
  blockTimeSeconds?: number
}

/** All addresses are lower-case. */
export type PublicLocalnet = {
  chainId: PublicChainId
  rpcUrl: string
  chain: PlacedChain
  tokens: Partial<Record<PublicSymbol, Address>> & Record<'WETH' | 'USDC' | 'FERN' | 'MOSS', Address>
  pools: (PublicPool & { address: Address })[]
  client: LocalnetClient
  /** Sends ten ETH and every token. */
  fund(address: Address): Promise<void>
  /** Sets a token's oracle price, in US dollars with eight decimals. */
  setPrice(symbol: PublicSymbol, usd: bigint): Promise<void>
  setFeed(of: PublicSymbol | FeedCurrency, change: FeedChange): Promise<void>
  stop(): Promise<void>
}

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function deposit() payable',
])

/**
 * Starts a chain that stands for Base or Ethereum: its chain id, and contracts at the addresses of
 * src/domain/network/chains.ts. From saved state in under a second; ends with `stop` or this process.
 */
export async function createPublicLocalnet(options: PublicLocalnetOptions): Promise<PublicLocalnet> {
  const { chainId, port = 0, blockTimeSeconds } = options
  const chain = placedChain(chainId)
  const tokens = publicTokens(chainId)
  const statePath = await preparePublicState(chain)
  const anvil = await startAnvil({ chainId, port, statePath, blockTimeSeconds })
  const client = createLocalnetClient(anvil.rpcUrl, chainId)
  await client.impersonateAccount({ address: deployer })
  const stopMining = blockTimeSeconds === undefined ? keepMining(client) : () => undefined
  const inOrder = createMutex()
  const setFeed: PublicLocalnet['setFeed'] = (of, change) =>
    inOrder(() => writeFeed(client, feedAddress(of), change))
  // Saved prices would be out of date.
  await renewFeeds(
    client,
    [...listedTokens(chainId).map(({ symbol }) => symbol), ...currencies].map(feedAddress),
  )
  const gifts = tokens.map(({ address, decimals, gift }) => ({
    token: address,
    amount: gift * 10n ** BigInt(decimals),
  }))
  return {
    chainId,
    rpcUrl: anvil.rpcUrl,
    chain,
    tokens: Object.fromEntries(
      tokens.map(({ symbol, address }) => [symbol, address]),
    ) as PublicLocalnet['tokens'],
    pools: publicPools[chainId].map((pool) => ({ ...pool, address: locatePool(chain, pool).address })),
    client,
    // Concurrent transactions would share a nonce.
    fund: (address) => inOrder(() => fund(client, address, gifts)),
    setPrice: (symbol, answer) => setFeed(symbol, { answer }),
    setFeed,
    async stop() {
      stopMining()
      await anvil.stop()
    },
  }
}

const currencies = Object.keys(currencyRates)

/** Files that invalidate the state, besides placements. */
const builders = [
  ...[
    'client',
    'feeds',
    'keepMining',
    'placeContract',
    'preinstalls',
    'publicChain',
    'publicContracts',
    'stateFile',
  ],
  ...['openPools', 'pools', 'publicPools', 'tokens'].map((name) => `../pools/${name}`),
]

async function preparePublicState(chain: PlacedChain): Promise<string> {
  await compileContracts()
  const { chainId } = chain
  const placements = publicPlacements(chain)
  return prepareStateFile({
    chainId,
    name: `public-${chainId}`,
    hash: await hashState(placements, builders),
    seed: (client) => seedPublic(client, chain, placements),
  })
}

async function seedPublic(
  client: LocalnetClient,
  chain: PlacedChain,
  placements: Placement[],
): Promise<void> {
  for (const placement of placements) await placeContract(client, placement)
  const tokens = publicTokens(chain.chainId)
  for (const token of tokens) await fillStash(client, token, chain.positions)
  const { v2Factory, v3Factory } = chain.uniswap
  await enableLowestFee(client, v3Factory)
  for (const pool of publicPools[chain.chainId]) {
    const { address, sides } = locatePool(chain, pool)
    if (pool.kind === 'v2') {
      await openV2Pair(client, { factory: v2Factory, pair: address, sides, owner: deployer })
    } else {
      const { fee, ranges } = pool
      await openV3Pool(client, { positions: chain.positions, sides, fee, ranges, owner: deployer })
    }
  }
}

async function fillStash(client: LocalnetClient, token: PublicToken, positions: Address): Promise<void> {
  const { address: to, contract } = token
  const supply = initialSupply(token)
  if (contract === 'WETH9') {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'deposit' })
    await send(client, { to, data, value: supply })
  } else {
    const args = [deployer, supply] as const
    await send(client, { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }) })
  }
  const args = [positions, maxUint256] as const
  await send(client, { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }) })
}

function locatePool({ chainId, uniswap }: PlacedChain, pool: PublicPool) {
  const tokens = publicTokens(chainId)
  const [base, counter] = pool.pair.map((symbol) => findToken(tokens, symbol)) as [PublicToken, PublicToken]
  const sides = splitValue(base, counter, pool.usd, pool.skewBps)
  const address =
    pool.kind === 'v2'
      ? computePoolAddress(uniswap.v2Factory, sides, undefined)
      : computePoolAddress(uniswap.v3Factory, sides, pool.fee)
  return { address, sides }
}

function findToken(tokens: PublicToken[], symbol: PublicSymbol): PublicToken {
  const token = tokens.find((candidate) => candidate.symbol === symbol)
  if (!token) throw new Error(`This chain has no token called ${symbol}.`)
  return token
}
