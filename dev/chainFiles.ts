import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem'
import { compileContracts } from '../contracts/compile.ts'
import { routerAddress } from '../contracts/create2.ts'
import { parseConfig } from '../service/config.ts'
import { worldConfig } from './config.ts'

const folder = fileURLToPath(new URL('../service/chains/', import.meta.url))

/** The local world's chain; the others are real. */
const local = 31337

/**
 * Writes into service/chains what follows from code: the whole config of the local world, and where the router of every other chain
 * stands once it is deployed, which is another place whenever the contracts change.
 */
export async function writeChainFiles(): Promise<void> {
  await compileContracts()
  write(`${local}.json`, worldConfig(local))
  for (const name of chainFiles()) {
    const data = JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))
    const { wrapped, permit2, vault } = parseConfig(data, name)
    write(name, { ...data, router: getAddress(routerAddress(wrapped, permit2, vault).address) })
  }
}

/** The files of the real chains. */
export function chainFiles(): string[] {
  return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name) && name !== `${local}.json`)
}

function write(name: string, data: unknown): void {
  const file = `${folder}${name}`
  writeFileSync(file, JSON.stringify(data, null, 2))
  execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'ignore' })
}
