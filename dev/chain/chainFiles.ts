import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createPublicClient, getAddress, http, keccak256 } from 'viem'
import { compileContracts } from '../../contracts/compile.ts'
import { routerAddress } from '../../contracts/create2.ts'
import { type ChainConfig, parseConfig } from '../../service/config.ts'
import { localnetConfig } from '../config.ts'
import { startAnvil } from './anvil.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}service/chains/`
const wallet = 'src/domain/swap/routers.ts'
const walletEntry = /\n {2}(\d+): \{\s+address: '0x\w+',\s+codeHash: '0x\w+'/g

const local = 31337

/**
 * Writes the localnet's config to service/chains, and the routers' addresses and code hashes, which depend on
 * the code, to every tracked file that names them.
 */
export async function writeChainFiles(): Promise<void> {
  await compileContracts()
  write(`${local}.json`, localnetConfig(local))
  const anvil = await startAnvil({ chainId: local, port: 0 })
  try {
    const renamed: Renamed[] = []
    for (const name of [...chainFiles(), `${local}.json`]) {
      const config = parseConfig(JSON.parse(readFileSync(`${folder}${name}`, 'utf8')), name)
      renamed.push(...(await renamedRouter(anvil.rpcUrl, config)))
    }
    renameEverywhere(renamed)
  } finally {
    await anvil.stop()
  }
}

type Renamed = readonly [old: string, current: string, chainId: number]

/** Pairs of old and current values of one chain; the old ones are the wallet's. */
async function renamedRouter(rpcUrl: string, config: ChainConfig): Promise<Renamed[]> {
  const { chainId } = config
  const { address: created, initCode } = routerAddress(config)
  const address = chainId === local ? config.router : created
  // The creation returns the runtime code.
  const { data = '0x' } = await createPublicClient({ transport: http(rpcUrl) }).call({ data: initCode })
  const entry = new RegExp(`\\n  ${chainId}: {\\s+address: '(0x\\w+)',\\s+codeHash: '(0x\\w+)'`)
  const [, oldAddress = '', oldHash = ''] = entry.exec(readFileSync(`${root}${wallet}`, 'utf8')) ?? []
  if (oldAddress === '') throw new Error(`${wallet} names no router of chain ${chainId}.`)
  return [
    [oldAddress, address, chainId],
    [getAddress(oldAddress), getAddress(address), chainId],
    [oldHash, keccak256(data), chainId],
  ]
}

/** Chains with equal arguments share an address: each config and each entry of the wallet gets its own. */
function renameEverywhere(renamed: readonly Renamed[]): void {
  const changed = renamed.filter(([old, current]) => old !== current)
  if (changed.length === 0) return
  const patterns = changed.flatMap(([old]) => ['-e', old])
  const files = execFileSync('git', ['grep', '-lF', ...patterns], { cwd: root, encoding: 'utf8' })
  for (const file of files.trim().split('\n')) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    const written = file === wallet ? text.replaceAll(walletEntry, renameEntry) : rename(text, file)
    writeFileSync(`${root}${file}`, written)
  }

  function renameEntry(entry: string, chainId: string): string {
    return rename(entry, `service/chains/${chainId}.json`)
  }

  function rename(text: string, file: string): string {
    const own = /^service\/chains\/(\d+)\.json$/.exec(file)?.[1]
    const pairs = changed.filter(([, , chainId]) => own === undefined || own === String(chainId))
    return pairs.reduce((renaming, [old, current]) => renaming.replaceAll(old, current), text)
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
