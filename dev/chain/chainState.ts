import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { compileContracts } from '../../contracts/compile.ts'
import { seed } from '../pools/seed.ts'
import { type TokenSymbol, tokens } from '../pools/tokens.ts'
import { readPackageFile } from './artifacts.ts'
import { deploy, predictAddress, readDeployments } from './deploy.ts'
import { deployOracle, type PricedAsset, readFeedBuild, readOracleBuild } from './feeds.ts'
import { compilePackageContracts } from './packageContracts.ts'
import { prepareStateFile } from './stateFile.ts'

/** Files that invalidate the state. */
const builders = [
  ...[
    'accounts',
    'client',
    'deploy',
    'feeds',
    'fund',
    'keepMining',
    'preinstalls',
    'chainState',
    'stateFile',
    'vaultV3',
    'stableSwaps',
    'algebra',
    'slipstream',
    'composable',
  ],
  ...[
    'pools',
    'openPools',
    'seed',
    'seedBalancer',
    'tokens',
    'balancerPools',
    'solidlyPools',
    'vaultV3Pools',
    'stableSwapPools',
    'managerPools',
    'algebraPools',
    'slipstreamPools',
    'converters',
    'composablePools',
  ].map((name) => `../pools/${name}`),
]

/** Returns the state file, rebuilt when outdated. Safe to run concurrently. */
export async function prepareState(chainId: number): Promise<string> {
  await Promise.all([compileContracts(), compilePackageContracts()])
  const deployments = readDeployments()
  return prepareStateFile({
    chainId,
    name: String(chainId),
    hash: await hashState([deployments, readFeedBuild(), readOracleBuild()], builders),
    async seed(client) {
      await deploy(client, deployments)
      await seed(client)
      await deployOracle(client, pricedTokens())
    },
  })
}

/** Every token has a feed. */
export function pricedTokens(): PricedAsset<TokenSymbol>[] {
  return tokens.map(({ symbol, cents }) => ({
    name: symbol,
    asset: predictAddress(symbol),
    usd: cents * 1_000_000n,
  }))
}

/** Of `content`, of the node, and of source files named from this folder. */
export async function hashState(content: unknown, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(content, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
  hash.update(readPackageFile('@foundry-rs/anvil/package.json'))
  for (const name of sources) hash.update(await readFile(new URL(`./${name}.ts`, import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}
