import type { Address, ChainConfig } from '../service/config.ts'
import { type DemoAccount, demoAccounts } from './accounts.ts'
import { startAnvil } from './anvil.ts'
import { vaultPoolAddress, vaultPools, vaultPoolTitle } from './balancerPools.ts'
import { prepareState } from './chainState.ts'
import { createWorldClient, deployer, type LocalnetClient } from './client.ts'
import { worldConfig } from './config.ts'
import { type ContractName, predictAddress } from './deploy.ts'
import { startFaucet } from './faucet.ts'
import { fund } from './fund.ts'
import { keepMining } from './keepMining.ts'
import { poolAddress, pools, title } from './pools.ts'
import { canonical } from './preinstalls.ts'
import { type TokenSymbol, tokens } from './tokens.ts'

export type LocalnetOptions = {
  /** 31337 unless given. Addresses are the same on every chain. */
  chainId?: number
  /** The node's port; a free one unless given. */
  port?: number
  /** Mines empty blocks this often; unless given only transactions make blocks. */
  blockTimeSeconds?: number
  /** Starts a faucet on this port, or on a free one for 0; none unless given. */
  faucetPort?: number
  /** The node's rules; Anvil's own default unless given. */
  hardfork?: string
}

/** A local chain with real contracts, pools and funded accounts. All addresses are lower-case. */
export type Localnet = {
  chainId: number
  rpcUrl: string
  faucetUrl?: string
  config: ChainConfig
  contracts: Record<Exclude<ContractName, TokenSymbol> | keyof typeof canonical, Address>
  tokens: Record<TokenSymbol, Address>
  pools: { title: string; address: Address }[]
  /** Ten, with ETH and tokens; none has sent a transaction. */
  accounts: DemoAccount[]
  /** Reads, mines and writes; its own account is the deployer, which may mint. */
  client: LocalnetClient
  /** Gives an address ten ETH and some of every token. */
  fund(address: Address): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a local world: from its saved state in under a second, from nothing in a few. It ends with `stop` or with this process.
 * Throws when a port that was asked for is taken.
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
  const client = createWorldClient(anvil.rpcUrl, chainId)
  await client.impersonateAccount({ address: deployer })
  const stopMining = blockTimeSeconds === undefined ? keepMining(client) : () => undefined
  const give = inTurn((address: Address) => fund(client, address))
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
    config: worldConfig(chainId),
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
    },
    tokens: Object.fromEntries(
      tokens.map(({ symbol }) => [symbol, predictAddress(symbol)]),
    ) as Localnet['tokens'],
    pools: [
      ...pools.map((pool) => ({ title: title(pool), address: poolAddress(pool) })),
      ...vaultPools.map((pool) => ({ title: vaultPoolTitle(pool), address: vaultPoolAddress(pool) })),
    ],
    accounts: demoAccounts(),
    client,
    fund: give,
    async stop() {
      stopMining()
      await faucet?.stop()
      await anvil.stop()
    },
  }
}

/** `work`, started only when the call before is over: the node gives transactions that arrive at once the same nonce. */
function inTurn<Argument>(work: (argument: Argument) => Promise<void>): typeof work {
  let last: Promise<void> = Promise.resolve()
  return (argument) => {
    const mine = last.then(() => work(argument))
    last = mine.catch(() => undefined)
    return mine
  }
}
