// `npm run torture`: runs the long tests and writes bench/results/torture.md. Arguments select browser tests,
// or `unit`; other files keep their rows.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { standing, table } from './figures.mjs'
import { clearReports, playwright, reports, tell, vitest } from './runners.mjs'
import { root, setUp, setUpFirefox, setUpRedis, step } from './setup.mjs'

const chosen = process.argv.slice(2)
const specs = longTests('tests/e2e', '.spec.ts')
const unknown = chosen.filter((name) => name !== 'unit' && !specs.includes(specOf(name)))
if (unknown.length > 0) {
  console.error(
    `There is no long form of ${unknown.join(', ')}. Choose of: unit, ${specs.map(nameOf).join(', ')}.`,
  )
  process.exit(1)
}
const isChosen = (name) => chosen.length === 0 || chosen.includes(name)
const chosenSpecs = specs.filter((spec) => isChosen(nameOf(spec)))
const units = isChosen('unit') ? longTests('tests', '.test.ts') : []

setUp()
setUpRedis()
setUpFirefox()
step('Building the extension', 'npx', ['wxt', 'build'])
step('Building it for Firefox', 'npx', ['wxt', 'build', '-b', 'firefox'])
clearReports()

const started = Date.now()
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
const figures = join(reports, 'figures.jsonl')
const results = join(root, 'bench/results/torture.md')
const env = { TORTURE: '1', FIGURES: figures }
writeFileSync(figures, '')
// In sequence, so that processes killed at random times are not short of CPU.
const counts = [
  ...(units.length > 0 ? [await vitest(env, units)] : []),
  ...(chosenSpecs.length > 0
    ? [await playwright([...chosenSpecs, '--fully-parallel', '--workers=2'], env)]
    : []),
]
writeFileSync(results, report(counts))
process.exit(tell(counts) ? 0 : 1)

/** Test files with a long form or figures. */
function longTests(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').match(/\/(runs|figures)\.ts'/))
}

function specOf(name) {
  return `tests/e2e/${name}.spec.ts`
}

function nameOf(spec) {
  return basename(spec, '.spec.ts')
}

function report(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const day = new Date().toISOString().slice(0, 10)
  const where = `${day}, ${commit.stdout?.trim() || 'no commit'}, ${machine}`
  const seen = readFileSync(figures, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ name, said, file }) => [name, said, where, file])
  const before = chosen.length > 0 && existsSync(results) ? readFileSync(results, 'utf8') : ''
  return [
    `The last run, \`npm run torture${chosen.length === 0 ? '' : ` -- ${chosen.join(' ')}`}\` on ${day}, ${machine}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}: ${passed} passed, ${failed} failed, ${Math.round((Date.now() - started) / 60_000)} minutes.`,
    '',
    ...table([...seen, ...standing(before, [...units, ...chosenSpecs])]),
    '',
  ].join('\n')
}
