import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc/package.json' with { type: 'json' }
import solc07 from 'solc-0.7/package.json' with { type: 'json' }
import type { Abi, Hex } from 'viem'
import type { Artifact } from './artifact.ts'

const require = createRequire(import.meta.url)

const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * No metadata: the bytecode depends on code and settings alone. `cancun` has transient storage (EIP-1153).
 */
const ownSettings = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

const versions = { solc: solc.version, 'solc-0.7': solc07.version }

const outputs = { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] }

type Sources = Record<string, { content: string }>
type Contract = {
  abi: Abi
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}
type Problem = {
  severity: 'error' | 'warning' | 'info'
  formattedMessage: string
  sourceLocation?: { file: string }
}
type Output = {
  errors?: Problem[]
  contracts?: Record<string, Record<string, Contract>>
}

/** Settings that differ from those of the router, and the compiler, for sources of an older language. */
export type CompilerSettings = {
  compiler?: 'solc' | 'solc-0.7'
  viaIR?: boolean | undefined
  evmVersion?: string
  optimizer?: { enabled: boolean; runs: number }
  metadata?: { bytecodeHash: string }
}

/**
 * Compiles all Solidity files of `folder`, and what they import from packages, into its out folder, unless
 * sources and settings are unchanged. Throws the compiler's errors.
 */
export async function compileContracts(
  folder: string = here,
  { compiler = 'solc', ...changes }: CompilerSettings = {},
): Promise<void> {
  const settings = { ...ownSettings, ...changes }
  const sources = await readSources(folder)
  const compiled = compiledFiles(sources)
  const hash = createHash('sha256')
    .update(JSON.stringify([versions[compiler], settings, outputs, sources]))
    .digest('hex')
  const out = join(folder, 'out')
  if (hash === (await readFile(join(out, '.hash'), 'utf8').catch(() => undefined))) return

  // Loaded late, because it is slow.
  const { default: solc } = await import(compiler)
  const outputSelection = Object.fromEntries(compiled.map((path) => [path, outputs]))
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } }
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = output.errors ?? []
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  for (const { formattedMessage, sourceLocation } of problems) {
    if (!isInPackage(sourceLocation?.file ?? '')) process.stderr.write(`${formattedMessage}\n`)
  }

  await writeArtifacts(out, artifacts(output.contracts ?? {}), hash)
}

/** Sorted; keyed by the path that relative imports resolve to. */
async function readSources(folder: string): Promise<Sources> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.sol')).sort()
  const sources: Sources = {}
  for (const path of files) {
    sources[path.split(sep).join('/')] = { content: await readFile(join(folder, path), 'utf8') }
  }
  for (const queue = Object.keys(sources); queue.length > 0; ) {
    const name = queue.shift() ?? ''
    for (const path of packageImports(name, sources[name]?.content ?? '')) {
      if (sources[path]) continue
      sources[path] = { content: await readFile(require.resolve(path), 'utf8') }
      queue.push(path)
    }
  }
  return sources
}

/** The folder's own files, and what they import from packages; not what packages import. */
function compiledFiles(sources: Sources): string[] {
  const own = Object.keys(sources).filter((name) => !isInPackage(name))
  const imported = own.flatMap((name) => packageImports(name, sources[name]?.content ?? ''))
  return [...new Set([...own, ...imported])]
}

/** Returns imports from packages: `@chainlink/contracts/src/…`. */
function packageImports(name: string, content: string): string[] {
  return [...content.matchAll(/^import [^'"]*['"]([^'"]+)['"]/gm)]
    .map(([, path = '']) => (path.startsWith('.') ? posix.join(posix.dirname(name), path) : path))
    .filter(isInPackage)
}

function isInPackage(path: string): boolean {
  return path.startsWith('@') || path.startsWith('sphere-mezo-solidity-files/')
}

/** Names must be unique. */
function artifacts(contracts: NonNullable<Output['contracts']>): Map<string, Artifact> {
  const found = new Map<string, Artifact>()
  for (const [path, inFile] of Object.entries(contracts)) {
    for (const [name, { abi, evm }] of Object.entries(inFile)) {
      if (found.has(name)) throw new Error(`Two contracts are called ${name}, the second in ${path}.`)
      const bytecode: Hex = `0x${evm.bytecode.object}`
      const deployedBytecode: Hex = `0x${evm.deployedBytecode.object}`
      found.set(name, { abi, bytecode, deployedBytecode })
    }
  }
  return found
}

/**
 * The hash is written last, so that an interrupted run repeats. Files are renamed once complete, for
 * concurrent readers.
 */
async function writeArtifacts(out: string, found: Map<string, Artifact>, hash: string): Promise<void> {
  await mkdir(out, { recursive: true })
  await rm(join(out, '.hash'), { force: true })
  for (const [name, artifact] of found) {
    await writeWhole(join(out, `${name}.json`), `${JSON.stringify(artifact, null, 2)}\n`)
  }
  for (const file of await readdir(out)) {
    const isStale = /\.\d+$/.test(file)
      ? await isAbandoned(join(out, file))
      : file.endsWith('.json') && !found.has(file.slice(0, -'.json'.length))
    if (isStale) await rm(join(out, file), { force: true })
  }
  await writeWhole(join(out, '.hash'), hash)
}

/** Younger drafts may belong to a running process. */
async function isAbandoned(draft: string): Promise<boolean> {
  const found = await stat(draft).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > 60_000
}

async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await compileContracts().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
