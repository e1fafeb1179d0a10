// `npm test`: sets up what is missing, then checks, unit and world tests, browser tests; ends with the real counts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, setUp, setUpRedis, step } from './setup.mjs'

setUp()
setUpRedis()
step('Building the extension', 'npx', ['wxt', 'build'])

const reports = join(root, 'test-results')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const counts = [
  check('types', ['tsc', '-p', '.']),
  check('types of the service', ['tsc', '-p', 'service']),
  check('lint and format', ['biome', 'check', '.']),
  check('unused code', ['knip']),
  vitest(join(reports, 'vitest.json')),
  playwright(join(reports, 'playwright.json')),
]
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** A check of the whole tree counts as one. */
function check(title, command) {
  const done = spawnSync('npx', command, { cwd: root, encoding: 'utf8' })
  const ok = done.status === 0
  console.log(`${ok ? '✓' : '✗'} ${title}`)
  if (!ok) console.log(done.stdout + done.stderr)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
}

function vitest(report) {
  const done = run(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  const result = read(report)
  return count(result?.numPassedTests, result?.numFailedTests, done)
}

function playwright(report) {
  const done = run(['playwright', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  const result = read(report)
  return count(result?.stats?.expected, result?.stats?.unexpected + result?.stats?.flaky, done)
}

/** A runner that ended badly without a failed test of its own (or without a report) is one failure. */
function count(passed = 0, failed = 0, ok = false) {
  return { passed, failed: ok ? failed : Math.max(failed, 1) }
}

function run(command, env = {}) {
  return (
    spawnSync('npx', command, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
  )
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
