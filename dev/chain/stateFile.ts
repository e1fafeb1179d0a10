import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hexToBytes, parseEther } from 'viem'
import { startAnvil } from './anvil.ts'
import { createLocalnetClient, deployer, type LocalnetClient } from './client.ts'
import { keepMining } from './keepMining.ts'
import { readPreinstalls } from './preinstalls.ts'

const folder = fileURLToPath(new URL('../../.localnet/', import.meta.url))

export type StatePlan = {
  chainId: number
  /** Starts the file's name; plans of one chain need different ones. */
  name: string
  /** Of everything that the state depends on. */
  hash: string
  /** Runs as the deployer, with Multicall3 and Permit2 in place. */
  seed(client: LocalnetClient): Promise<void>
}

/** Returns a file for `anvil --load-state`, built when it is missing. Safe to run concurrently. */
export async function prepareStateFile(plan: StatePlan): Promise<string> {
  const path = `${folder}${plan.name}-${plan.hash}.json`
  if (existsSync(path)) return path

  await mkdir(folder, { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, await build(plan))
  await rename(draft, path)
  await removeOlder(plan.name, path)
  return path
}

/** Keeps files under an hour old: a node may be loading them. */
async function removeOlder(start: string, path: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = `${folder}${name}`
    if (!name.startsWith(`${start}-`) || file === path) continue
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > 3_600_000) await rm(file, { force: true })
  }
}

async function build({ chainId, seed }: StatePlan): Promise<Buffer> {
  const anvil = await startAnvil({ chainId, port: 0, anyCodeSize: true })
  const client = createLocalnetClient(anvil.rpcUrl, chainId)
  const stopMining = keepMining(client)
  try {
    for (const preinstall of readPreinstalls(chainId)) await client.setCode(preinstall)
    await client.impersonateAccount({ address: deployer })
    await client.setBalance({ address: deployer, value: parseEther('10000000000') })
    await seed(client)
    return await promisify(gunzip)(hexToBytes(await client.dumpState()))
  } finally {
    stopMining()
    await anvil.stop()
  }
}
