import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hexToBytes, parseEther } from 'viem'
import { compileContracts } from '../../contracts/compile.ts'
import { seed } from '../pools/seed.ts'
import { startAnvil } from './anvil.ts'
import { readPackageFile } from './artifacts.ts'
import { createLocalnetClient, deployer } from './client.ts'
import { type Deployment, deploy, readDeployments } from './deploy.ts'
import { keepMining } from './keepMining.ts'
import { readPreinstalls } from './preinstalls.ts'

const folder = fileURLToPath(new URL('../../.localnet/', import.meta.url))

/** Files that invalidate the state. */
const builders = [
  ...['accounts', 'client', 'deploy', 'fund', 'keepMining', 'preinstalls', 'chainState'],
  ...['pools', 'seed', 'seedBalancer', 'tokens', 'balancerPools'].map((name) => `../pools/${name}`),
]

/** Returns the state file, rebuilt when outdated. Safe to run concurrently. */
export async function prepareState(chainId: number): Promise<string> {
  await compileContracts()
  const deployments = readDeployments()
  const path = `${folder}${chainId}-${await fingerprint(deployments)}.json`
  if (existsSync(path)) return path

  await mkdir(folder, { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, await build(chainId, deployments))
  await rename(draft, path)
  await removeOlder(chainId, path)
  return path
}

/** Keeps files under an hour old: a node may be loading them. */
async function removeOlder(chainId: number, path: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = `${folder}${name}`
    if (!name.startsWith(`${chainId}-`) || file === path) continue
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > 3_600_000) await rm(file, { force: true })
  }
}

/** JSON for `anvil --load-state`. */
async function build(chainId: number, deployments: readonly Deployment[]): Promise<Buffer> {
  const anvil = await startAnvil({ chainId, port: 0 })
  const client = createLocalnetClient(anvil.rpcUrl, chainId)
  const stopMining = keepMining(client)
  try {
    for (const preinstall of readPreinstalls(chainId)) await client.setCode(preinstall)
    await client.impersonateAccount({ address: deployer })
    await client.setBalance({ address: deployer, value: parseEther('10000000000') })
    await deploy(client, deployments)
    await seed(client)
    return await promisify(gunzip)(hexToBytes(await client.dumpState()))
  } finally {
    stopMining()
    await anvil.stop()
  }
}

async function fingerprint(deployments: readonly Deployment[]): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(deployments, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
  hash.update(readPackageFile('@foundry-rs/anvil/package.json'))
  for (const name of builders) hash.update(await readFile(new URL(`./${name}.ts`, import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}
