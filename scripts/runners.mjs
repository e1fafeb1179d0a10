// Runs the test runners and reads their reports. No dependencies.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { root } from './setup.mjs'

export const reports = join(root, 'test-results')

/** Removes old reports. */
export function clearReports() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
}

/** Prints failures and totals; returns true when tests ran and all passed. */
export function tell(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  // Repeated where they are visible.
  for (const { names } of counts) for (const name of names) console.log(`✗ ${name}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0
}

/** Runs all unit and localnet tests, or `files`. */
export async function vitest(env = {}, files = []) {
  const report = join(reports, 'vitest.json')
  const done = await run(
    ['vitest', 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { TEST_PATIENCE: '1', ...env },
  )
  const result = read(report)
  let outside = 0
  const names = (result?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failures = assertionResults.filter(({ status }) => status === 'failed')
    // Failed before its tests, which the report counts as skipped.
    if (status === 'failed' && failures.length === 0) {
      outside++
      return [`${file}: ${brief([message])}`]
    }
    return failures.map((one) => `${file} › ${one.fullName}: ${brief(one.failureMessages)}`)
  })
  return count('vitest', done, names, result?.numPassedTests, (result?.numFailedTests ?? 0) + outside)
}

/** Runs all browser tests, or those selected by `more`. */
export async function playwright(more = [], env = {}) {
  const report = join(reports, 'playwright.json')
  const done = await run(['playwright', 'test', '--reporter=list,json', ...more], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  const result = read(report)
  const failures = specs(result?.suites ?? []).filter(({ ok }) => !ok)
  const names = failures.map(({ file, title, tests }) => {
    const errors = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
    return `tests/e2e/${file} › ${title}: ${brief(errors.map(({ message }) => message))}`
  })
  for (const { message } of result?.errors ?? []) names.push(`outside the tests: ${brief([message])}`)
  const failed = (result?.stats?.unexpected ?? 0) + (result?.stats?.flaky ?? 0)
  return count('playwright', done, names, result?.stats?.expected, failed)
}

/** Suites may be nested. */
function specs(suites) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specs(suite.suites ?? [])])
}

/** Without terminal colors. */
function brief([message = ''] = []) {
  return stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n  ')
}

/** Counts one failure when the runner failed without naming one, or no test passed. */
export function count(runner, isDone, names, passed = 0, failed = 0) {
  if (isDone && passed > 0) return { passed, failed, names }
  const fault = isDone ? 'passed no test' : 'ended without saying what failed'
  return {
    passed,
    failed: Math.max(failed, 1),
    names: names.length > 0 ? names : [`${runner} ${fault}`],
  }
}

/** Returns true on exit code 0. Logs whole lines, since runners run in parallel. */
export async function run(command, env = {}, say = (line) => console.log(line)) {
  const [program, ...rest] = command
  const [file, args] = program === 'node' ? [process.execPath, rest] : ['npx', command]
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', say)
  const [status] = await once(child, 'close')
  return status === 0
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
