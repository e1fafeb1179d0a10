import { keccak256, stringToHex, zeroAddress } from 'viem'
import { readArtifact } from '../../contracts/artifact.ts'
import type { Address } from '../../service/config.ts'
import { findPublicChain, type PublicChain, type UniswapContracts } from '../../src/domain/network/chains.ts'
import { getCurrencyFeed } from '../../src/domain/value/currencyFeeds.ts'
import { type PublicChainId, type PublicToken, publicTokens } from '../pools/publicPools.ts'
import { readBuild } from './artifacts.ts'
import { deployer } from './client.ts'
import { currencyRates, type FeedCurrency, oracleArgs, readFeedBuild, readOracleBuild } from './feeds.ts'
import type { Placement } from './placeContract.ts'

/** Facts of a chain that the localnet stands for: nothing is missing. */
export type PlacedChain = PublicChain & {
  chainId: PublicChainId
  oracle: Address
  uniswap: Required<Omit<UniswapContracts, 'routesV2'>> & Pick<UniswapContracts, 'routesV2'>
  /** NonfungiblePositionManager. */
  positions: Address
}

/** GasPriceOracle of the OP stack. */
export const l1FeeOracle: Address = '0x420000000000000000000000000000000000000f'

/** As in `@uniswap/sdk-core`, which Playwright cannot import. */
const positionManagers: Record<PublicChainId, Address> = {
  1: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
  8453: '0x03a520b32c04bf3beef7beb72e919cf822ed34f1',
}

/** Throws when the table has no such contract. */
export function placedChain(chainId: PublicChainId): PlacedChain {
  const chain = findPublicChain(chainId)
  const { v2Factory, quoter, router } = chain?.uniswap ?? {}
  if (!chain?.uniswap || !chain.oracle || !v2Factory || !quoter || !router) {
    throw new Error(`The table of chain ${chainId} lacks contracts.`)
  }
  return {
    ...chain,
    chainId,
    oracle: chain.oracle,
    uniswap: { ...chain.uniswap, v2Factory, quoter, router },
    positions: positionManagers[chainId],
  }
}

const v3Core = '@uniswap/v3-core/artifacts/contracts'
const v3Periphery = '@uniswap/v3-periphery/artifacts/contracts'
const routers = '@uniswap/swap-router-contracts/artifacts/contracts'

/** Requires compiled contracts. */
export function publicPlacements(chain: PlacedChain): Placement[] {
  const { wrapped, uniswap, positions, rollup } = chain
  const { v2Factory, v3Factory, quoter, router, routesV2 } = uniswap
  return [
    ...publicTokens(chain.chainId).map(tokenPlacement),
    {
      address: v2Factory,
      build: readBuild('@uniswap/v2-core/build/UniswapV2Factory.json'),
      args: [deployer],
    },
    {
      address: v3Factory,
      build: readBuild(`${v3Core}/UniswapV3Factory.sol/UniswapV3Factory.json`),
      args: [],
    },
    {
      address: positions,
      build: readBuild(`${v3Periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
      // The token descriptor is unused.
      args: [v3Factory, wrapped, deployer],
    },
    {
      address: quoter,
      build: readBuild(`${v3Periphery}/lens/QuoterV2.sol/QuoterV2.json`),
      args: [v3Factory, wrapped],
    },
    {
      address: router,
      build: readBuild(`${routers}/SwapRouter02.sol/SwapRouter02.json`),
      args: [routesV2 ? v2Factory : zeroAddress, v3Factory, positions, wrapped],
    },
    ...feedPlacements(chain),
    ...(rollup ? [{ address: l1FeeOracle, build: readArtifact('GasPriceOracle'), args: [] }] : []),
  ]
}

/** Aave lists neither FERN nor MOSS. */
export function listedTokens(chainId: PublicChainId): PublicToken[] {
  return publicTokens(chainId).filter(({ symbol }) => symbol !== 'FERN' && symbol !== 'MOSS')
}

/** Returns the feed of a token, or the one behind a currency's. */
export function feedAddress(of: string): Address {
  return `0x${keccak256(stringToHex(`feed ${of}`)).slice(-40)}`
}

function feedPlacements({ chainId, oracle }: PlacedChain): Placement[] {
  const listed = listedTokens(chainId)
  const sources = listed.map(({ symbol, address }) => ({ asset: address, feed: feedAddress(symbol) }))
  const currencies = Object.entries(currencyRates).flatMap(([currency, usd]) => {
    const address = getCurrencyFeed({ chainId }, currency as FeedCurrency)
    return address ? [{ currency, usd, address }] : []
  })
  return [
    ...listed.map(({ symbol, cents }) => ({
      address: feedAddress(symbol),
      build: readFeedBuild(),
      args: [8, cents * 1_000_000n],
    })),
    { address: oracle, build: readOracleBuild(), args: oracleArgs(sources) },
    ...currencies.flatMap(({ currency, usd, address }) => [
      { address: feedAddress(currency), build: readFeedBuild(), args: [8, usd] },
      { address, build: readArtifact('FeedProxy'), args: [feedAddress(currency), `${currency} / USD`] },
    ]),
  ]
}

function tokenPlacement({
  address,
  contract,
  name,
  symbol,
  decimals,
  domainVersion,
}: PublicToken): Placement {
  if (contract === 'WETH9') {
    return { address, build: readBuild('@uniswap/v2-periphery/build/WETH9.json'), args: [] }
  }
  const build = readArtifact(contract)
  // Fixed at 18 decimals, version 1.
  if (contract === 'DaiLikeToken') return { address, build, args: [name, symbol] }
  return { address, build, args: [name, symbol, decimals, ...(domainVersion ? [domainVersion] : [])] }
}
