// `npm run package`: builds the release zips in two folders and fails unless the bytes are equal.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { whyNoRelease } from './commit.ts'
import { type Files, firstDifference, zip } from './zip.ts'

const root = resolve(import.meta.dirname, '..')
const browsers = [
  { name: 'chromium', args: [], folder: 'chrome-mv3' },
  { name: 'firefox', args: ['-b', 'firefox', '--mv3'], folder: 'firefox-mv3' },
] as const

/** Path and time zone must not affect the build. */
const places = [
  { folder: 'one', zone: 'UTC' },
  { folder: 'another/that has/a longer path', zone: 'Asia/Kathmandu' },
] as const

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const work = mkdtempSync(join(tmpdir(), 'sluice-package-'))
process.once('exit', () => rmSync(work, { recursive: true, force: true }))
// Removes the folder on interruption too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  await main()
} catch (error) {
  console.error(`✗ ${(error as Error).message}`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  // Removes earlier results.
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  console.log(`Sluice ${version}, Node ${process.versions.node}, commit ${git('rev-parse', 'HEAD').trim()}`)
  const fault = whyNoRelease(root)
  if (fault !== undefined) throw new Error(fault)
  const sources = read(root, git('ls-files', '-z').split('\0').filter(Boolean))
  for (const place of places) copy(place, sources)
  const packed: Packed[] = []
  for (const browser of browsers) {
    packed.push(await pack(browser.name, build(browser, places[0]), build(browser, places[1])))
  }
  // Required by Firefox's review.
  packed.push(await pack('sources', sources, sources))
  for (const zip of packed) write(zip)
  console.log('Both folders gave the same bytes.')
}

type Packed = { file: string; bytes: Uint8Array; count: number }

/** Throws on any difference. */
async function pack(name: string, here: Files, there: Files): Promise<Packed> {
  const different = firstDifference(here, there)
  if (different !== undefined) throw new Error(`${name}: ${different} is not the same in both folders.`)
  const file = `sluice-${version}-${name}.zip`
  const [bytes, again] = await Promise.all([zip(here), zip(there)])
  if (Buffer.compare(bytes, again) !== 0) throw new Error(`${file} is not the same twice.`)
  return { file, bytes, count: here.size }
}

function write({ file, bytes, count }: Packed): void {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist', file), bytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  console.log(`${hash}  dist/${file} (${count} files, ${bytes.length} bytes)`)
}

type Place = (typeof places)[number]

function copy({ folder }: Place, sources: Files): void {
  for (const [name, content] of sources) {
    const copied = join(work, folder, name)
    mkdirSync(dirname(copied), { recursive: true })
    writeFileSync(copied, content)
  }
  linkTree(join(root, 'node_modules'), join(work, folder, 'node_modules'))
}

function build(browser: (typeof browsers)[number], { folder, zone }: Place): Files {
  const started = Date.now()
  const cwd = join(work, folder)
  // A clean environment: the defaults of src/config.ts.
  const done = spawnSync(process.execPath, ['node_modules/wxt/bin/wxt.mjs', 'build', ...browser.args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TZ: zone },
  })
  if (done.status !== 0)
    throw new Error(`The build for ${browser.name} failed.\n${done.stdout}${done.stderr}`)
  const built = join(cwd, '.output', browser.folder)
  const names = existsSync(built) ? filesUnder(built) : []
  // Empty builds would be equal.
  if (!names.includes('manifest.json'))
    throw new Error(`The build for ${browser.name} made no manifest.json.`)
  console.log(`  built for ${browser.name} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return read(built, names)
}

/** Hard links, which hide the original path. Skips tool caches. */
function linkTree(from: string, to: string, isTop = true): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isTop && entry.name.startsWith('.')) continue
    if (entry.isDirectory()) linkTree(source, target, false)
    else if (entry.isFile()) linkFile(source, target)
  }
}

/** Copies across disks. */
function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}

function read(folder: string, names: string[]): Files {
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
}

function git(...args: string[]): string {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (done.status !== 0) throw new Error('No release: it is made of a commit, by git in a checkout of it.')
  return done.stdout
}
