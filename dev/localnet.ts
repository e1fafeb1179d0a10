import type { Address, ChainConfig } from '../service/config.ts'
import { type DemoAccount, demoAccounts } from './chain/accounts.ts'
import { algebraContracts } from './chain/algebra.ts'
import { startAnvil } from './chain/anvil.ts'
import { prepareState, pricedTokens } from './chain/chainState.ts'
import { createLocalnetClient, deployer, type LocalnetClient } from './chain/client.ts'
import { composableContracts } from './chain/composable.ts'
import { type ContractName, predictAddress } from './chain/deploy.ts'
import { startFaucet } from './chain/faucet.ts'
import { type FeedChange, type FeedCurrency, predictOracle, renewFeeds, writeFeed } from './chain/feeds.ts'
import { fund } from './chain/fund.ts'
import { keepMining } from './chain/keepMining.ts'
import { canonical } from './chain/preinstalls.ts'
import { slipstreamContracts } from './chain/slipstream.ts'
import { stableSwapContracts } from './chain/stableSwaps.ts'
import { vaultV3Contracts } from './chain/vaultV3.ts'
import { localnetConfig } from './config.ts'
import { algebraPoolAddress, algebraPools, algebraPoolTitle } from './pools/algebraPools.ts'
import { vaultPoolAddress, vaultPools, vaultPoolTitle } from './pools/balancerPools.ts'
import { composablePoolAddress, composablePools, composablePoolTitle } from './pools/composablePools.ts'
import { converters } from './pools/converters.ts'
import { managerPoolAddress, managerPools, managerPoolTitle } from './pools/managerPools.ts'
import { poolAddress, pools, title } from './pools/pools.ts'
import { slipstreamPoolAddress, slipstreamPools, slipstreamPoolTitle } from './pools/slipstreamPools.ts'
import { solidlyPoolAddress, solidlyPools, solidlyPoolTitle } from './pools/solidlyPools.ts'
import { stableSwapPoolAddress, stableSwapPools, stableSwapPoolTitle } from './pools/stableSwapPools.ts'
import { type TokenSymbol, tokens } from './pools/tokens.ts'
import { vaultV3PoolAddress, vaultV3Pools, vaultV3PoolTitle } from './pools/vaultV3Pools.ts'

export type LocalnetOptions = {
  /** Defaults to 31337; addresses do not depend on it. */
  chainId?: number
  port?: number
  /** Interval of empty blocks. */
  blockTimeSeconds?: number
  /** 0 uses a free one; undefined starts none. */
  faucetPort?: number
  hardfork?: string
}

/** All addresses are lower-case. */
export type Localnet = {
  chainId: number
  rpcUrl: string
  faucetUrl?: string
  config: ChainConfig
  contracts: Record<Exclude<ContractName, TokenSymbol> | keyof typeof canonical | 'oracle', Address>
  tokens: Record<TokenSymbol, Address>
  pools: { title: string; address: Address }[]
  /** Of the oracle's prices. */
  feeds: Record<TokenSymbol, Address>
  /** Chainlink's rates of currencies. */
  currencyFeeds: Record<FeedCurrency, Address>
  /** Ten, with nonce 0. */
  accounts: DemoAccount[]
  client: LocalnetClient
  /** Sends ten ETH and every token. */
  fund(address: Address): Promise<void>
  setFeed(of: TokenSymbol | FeedCurrency, change: FeedChange): Promise<void>
  stop(): Promise<void>
}

/** Prices stay young on a localnet that runs for days. */
const renewEveryMs = 3_600_000

/**
 * Starts from saved state in under a second; ends with `stop` or this process. Throws when a port is taken.
 */
export async function createLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const { chainId = 31337, port = 0, blockTimeSeconds, faucetPort, hardfork } = options
  const statePath = await prepareState(chainId)
  const anvil = await startAnvil({
    chainId,
    port,
    statePath,
    blockTimeSeconds,
    ...(hardfork && { hardfork }),
  })
  const client = createLocalnetClient(anvil.rpcUrl, chainId)
  await client.impersonateAccount({ address: deployer })
  const stopMining = blockTimeSeconds === undefined ? keepMining(client) : () => undefined
  const { oracle, feeds, currencyFeeds, aggregators } = predictOracle(pricedTokens())
  const changeable: Record<string, Address> = { ...feeds, ...aggregators }
  const unchanged = new Set(Object.values(changeable))
  const renew = () => renewFeeds(client, [...unchanged])
  await renew()
  const renewing = setInterval(() => renew().catch(() => undefined), renewEveryMs).unref()
  const give = inOrder((address: Address) => fund(client, address))
  const faucet =
    faucetPort === undefined
      ? undefined
      : await startFaucet(give, faucetPort).catch(async (error: unknown) => {
          stopMining()
          await anvil.stop()
          throw error
        })
  return {
    chainId,
    rpcUrl: anvil.rpcUrl,
    ...(faucet ? { faucetUrl: faucet.url } : {}),
    config: localnetConfig(chainId),
    contracts: {
      ...canonical,
      v2Factory: predictAddress('v2Factory'),
      v2Router: predictAddress('v2Router'),
      v3Factory: predictAddress('v3Factory'),
      positions: predictAddress('positions'),
      quoter: predictAddress('quoter'),
      vault: predictAddress('vault'),
      weightedFactory: predictAddress('weightedFactory'),
      stableFactory: predictAddress('stableFactory'),
      router: predictAddress('router'),
      sushiFactory: predictAddress('sushiFactory'),
      swapRouter: predictAddress('swapRouter'),
      solidlyPool: predictAddress('solidlyPool'),
      solidlyFactory: predictAddress('solidlyFactory'),
      savingsVault: predictAddress('savingsVault'),
      pooledShares: predictAddress('pooledShares'),
      wrappedShares: predictAddress('wrappedShares'),
      pegModule: predictAddress('pegModule'),
      poolManager: predictAddress('poolManager'),
      liquidityRouter: predictAddress('liquidityRouter'),
      oracle,
      ...vaultV3Contracts(predictAddress),
      ...stableSwapContracts(predictAddress),
      ...algebraContracts(predictAddress),
      ...composableContracts(predictAddress),
      ...slipstreamContracts(predictAddress),
    },
    tokens: Object.fromEntries(
      tokens.map(({ symbol }) => [symbol, predictAddress(symbol)]),
    ) as Localnet['tokens'],
    pools: [
      ...pools.map((pool) => ({ title: title(pool), address: poolAddress(pool) })),
      ...vaultPools.map((pool) => ({ title: vaultPoolTitle(pool), address: vaultPoolAddress(pool) })),
      ...solidlyPools.map((pool) => ({ title: solidlyPoolTitle(pool), address: solidlyPoolAddress(pool) })),
      ...vaultV3Pools.map((pool) => ({
        ...{ title: vaultV3PoolTitle(pool), address: vaultV3PoolAddress(pool, chainId) },
      })),
      ...stableSwapPools.map((pool) => ({
        ...{ title: stableSwapPoolTitle(pool), address: stableSwapPoolAddress(pool) },
      })),
      ...managerPools.map((pool) => ({ title: managerPoolTitle(pool), address: managerPoolAddress(pool) })),
      ...algebraPools.map((pool) => ({ title: algebraPoolTitle(pool), address: algebraPoolAddress(pool) })),
      ...composablePools.map((pool) => ({
        ...{ title: composablePoolTitle(pool), address: composablePoolAddress(pool) },
      })),
      ...slipstreamPools.map((pool) => ({
        ...{ title: slipstreamPoolTitle(pool), address: slipstreamPoolAddress(pool) },
      })),
      ...converters.map(({ title, name }) => ({ title, address: predictAddress(name) })),
    ],
    feeds,
    currencyFeeds,
    accounts: demoAccounts(),
    client,
    fund: give,
    async setFeed(of, change) {
      const feed = changeable[of] as Address
      unchanged.delete(feed)
      await writeFeed(client, feed, change)
    },
    async stop() {
      clearInterval(renewing)
      stopMining()
      await faucet?.stop()
      await anvil.stop()
    },
  }
}

/** Mutex: concurrent transactions would share a nonce. */
function inOrder<Argument>(work: (argument: Argument) => Promise<void>): typeof work {
  let last: Promise<void> = Promise.resolve()
  return (argument) => {
    const mine = last.then(() => work(argument))
    last = mine.catch(() => undefined)
    return mine
  }
}
