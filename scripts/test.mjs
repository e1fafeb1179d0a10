// `npm test`: sets up, then runs checks, unit and browser tests.
import { clearReports, playwright, run, tell, vitest } from './runners.mjs'
import { setUp, setUpFirefox, setUpRedis, setUpScreen, step } from './setup.mjs'

setUp()
setUpRedis()
setUpFirefox()
setUpScreen()
step('Building the extension', 'npx', ['wxt', 'build'])
step('Building it for Firefox', 'npx', ['wxt', 'build', '-b', 'firefox'])

clearReports()
// In parallel: browser tests mostly wait.
const counts = await Promise.all([checks(), vitest(), playwright()])
process.exit(tell(counts.flat()) ? 0 : 1)

/** Each check counts as one. */
async function checks() {
  const counts = []
  for (const [title, ...command] of [
    ['types', 'tsc', '-p', '.'],
    ['types of the service', 'tsc', '-p', 'service'],
    ['lint and format', 'biome', 'check', '.'],
    ['unused code', 'knip'],
    ['commit messages and comments', 'node', 'scripts/checkStyle.mjs'],
  ]) {
    const lines = []
    const ok = await run(command, {}, (line) => lines.push(line))
    console.log([`${ok ? '✓' : '✗'} ${title}`, ...(ok ? [] : lines)].join('\n'))
    counts.push({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, names: ok ? [] : [title] })
  }
  return counts
}
