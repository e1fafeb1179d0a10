// Prepares a fresh machine. No dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs dependencies and Chromium, generates types, compiles contracts. Returns Chromium's path. */
export function setUp() {
  requireNode(20, 19)
  installDependencies()
  const chromium = findChromium() ?? installChromium()
  process.env.CHROMIUM = chromium
  step('Preparing types', 'npx', ['wxt', 'prepare'])
  step('Compiling contracts (a minute the first time)', 'npx', ['tsx', 'contracts/compile.ts'])
  return chromium
}

/** Runs a command; on failure prints its output and exits. */
export function step(title, command, args, env = {}) {
  const started = Date.now()
  process.stdout.write(`${title} … `)
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } })
  if (done.status === 0) {
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`)
    return
  }
  console.log('failed')
  console.error(done.error?.message ?? `${done.stdout}${done.stderr}`)
  process.exit(done.status || 1)
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number)
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return
  console.error(`Sluice needs Node ${major}.${minor} or later; this is ${process.versions.node}.`)
  process.exit(1)
}

function installDependencies() {
  const stamp = join(root, 'node_modules', '.sluice-lock')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  step('Installing dependencies (about a minute)', 'npm', ['ci', '--no-progress'])
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(stamp, lock)
}

function findChromium() {
  const known = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  return known.find((path) => path !== undefined && path !== '' && existsSync(path))
}

function installChromium() {
  return install(
    'chromium',
    '/usr/bin/chromium',
    'Chromium was not found. Install it (on Debian or Ubuntu: sudo apt-get install chromium), or set CHROMIUM to its path.',
  )
}

/** Installs Redis for the cluster tests. */
export function setUpRedis() {
  const isThere = spawnSync('redis-server', ['--version']).status === 0
  if (isThere) return
  install(
    'redis-server',
    '/usr/bin/redis-server',
    'redis-server was not found. Install it (on Debian or Ubuntu: sudo apt-get install redis-server).',
  )
}

/** Installs Xvfb and xdotool for the toolbar popup tests. */
export function setUpScreen() {
  for (const [name, program] of [
    ['xvfb', 'Xvfb'],
    ['xdotool', 'xdotool'],
  ]) {
    const isThere = spawnSync(program, ['-help']).error === undefined
    if (isThere) continue
    install(
      name,
      `/usr/bin/${program}`,
      `${program} was not found. Install it (on Debian or Ubuntu: sudo apt-get install ${name}).`,
    )
  }
}

export function setUpFirefox() {
  const known = [
    process.env.FIREFOX_PATH,
    '/usr/bin/firefox-esr',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ]
  const found = known.find((path) => path && existsSync(path))
  // Not FIREFOX, which WXT defines and tests read.
  process.env.FIREFOX_PATH =
    found ??
    install(
      'firefox-esr',
      '/usr/bin/firefox-esr',
      'Firefox was not found. Install version 153 or later (on Debian: sudo apt-get install firefox-esr), or set FIREFOX_PATH to its path.',
    )
}

/** Installs a Debian package and returns its program's path; exits with `advice` when impossible. */
function install(name, path, advice) {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!isDebianRoot) {
    console.error(advice)
    process.exit(1)
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  step('Updating the package index', 'apt-get', ['update', '-qq'], env)
  step(`Installing ${name}`, 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], env)
  return path
}
