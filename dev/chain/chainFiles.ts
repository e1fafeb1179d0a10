import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem'
import { compileContracts } from '../../contracts/compile.ts'
import { routerAddress } from '../../contracts/create2.ts'
import { parseConfig } from '../../service/config.ts'
import { localnetConfig } from '../config.ts'

const folder = fileURLToPath(new URL('../../service/chains/', import.meta.url))

const local = 31337

/** Writes to service/chains the localnet's config and the router addresses, which depend on the code. */
export async function writeChainFiles(): Promise<void> {
  await compileContracts()
  write(`${local}.json`, localnetConfig(local))
  for (const name of chainFiles()) {
    const data = JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))
    const { wrapped, permit2, vault } = parseConfig(data, name)
    write(name, { ...data, router: getAddress(routerAddress(wrapped, permit2, vault).address) })
  }
}

/** Excludes the localnet. */
export function chainFiles(): string[] {
  return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name) && name !== `${local}.json`)
}

function write(name: string, data: unknown): void {
  const file = `${folder}${name}`
  writeFileSync(file, JSON.stringify(data, null, 2))
  execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'ignore' })
}
