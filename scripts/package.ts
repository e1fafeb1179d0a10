// `npm run package`: the zips of a release, made twice in two folders; ends well only when both gave the same bytes.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
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

/** What may differ between two machines and must not be in a release: where it was built, and what time it was there. */
const places = [
  { folder: 'one', zone: 'UTC' },
  { folder: 'another/that has/a longer path', zone: 'Asia/Kathmandu' },
]

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const work = mkdtempSync(join(tmpdir(), 'sluice-package-'))
try {
  process.exitCode = await main()
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function main(): Promise<number> {
  console.log(`Sluice ${version}, Node ${process.versions.node}, commit ${git('rev-parse', 'HEAD').trim()}`)
  // What an earlier run left there is not to be taken for this one's.
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const fault = whyNoRelease(root)
  if (fault !== undefined) {
    console.error(`✗ ${fault}`)
    return 1
  }
  const sources = read(root, git('ls-files', '-z').split('\0').filter(Boolean))
  const builds = places.map(({ folder, zone }) => build(join(work, folder), zone, sources))
  const [first = new Map(), second = new Map()] = builds
  let isSame = true
  for (const { name } of browsers) {
    const [here = new Map(), there = new Map()] = [first.get(name), second.get(name)]
    const different = firstDifference(here, there)
    if (different !== undefined) {
      isSame = false
      console.error(`✗ ${name}: ${different} is not the same in both folders.`)
      continue
    }
    isSame = (await write(name, here, there)) && isSame
  }
  // What Firefox's reviewers ask for: all that the extension is built from.
  isSame = (await write('sources', sources, sources)) && isSame
  return isSame ? 0 : 1
}

/** Both of them as zips, the first into dist/ with its hash. */
async function write(name: string, one: Files, other: Files): Promise<boolean> {
  const [here, there] = await Promise.all([zip(one), zip(other)])
  const file = `sluice-${version}-${name}.zip`
  if (Buffer.compare(here, there) !== 0) {
    console.error(`✗ ${file} is not the same twice.`)
    return false
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist', file), here)
  const hash = createHash('sha256').update(here).digest('hex')
  console.log(`${hash}  dist/${file} (${one.size} files, ${here.length} bytes)`)
  return true
}

/** What each browser's build gives of the sources alone, in a folder of their own. */
function build(folder: string, zone: string, sources: Files): Map<string, Files> {
  for (const [name, content] of sources) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  linkTree(join(root, 'node_modules'), join(folder, 'node_modules'))
  return new Map(
    browsers.map((browser) => {
      const started = Date.now()
      const wxt = join(folder, 'node_modules/wxt/bin/wxt.mjs')
      // Nothing of this machine's environment: the release starts with what src/config.ts says by itself.
      const done = spawnSync(process.execPath, [wxt, 'build', ...browser.args], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: zone },
      })
      if (done.status !== 0) {
        throw new Error(`The build for ${browser.name} failed.\n${done.stdout}${done.stderr}`)
      }
      console.log(`  built for ${browser.name} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
      const built = join(folder, '.output', browser.folder)
      return [browser.name, read(built, filesUnder(built))]
    }),
  )
}

/** The same files at another path, so that no build sees where the others are. What tools keep beside the packages stays behind. */
function linkTree(from: string, to: string, isTop = true): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isTop && entry.name.startsWith('.')) continue
    if (entry.isDirectory()) linkTree(source, target, false)
    else if (entry.isFile()) linkFile(source, target)
  }
}

/** Another disk takes no links. */
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
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}
