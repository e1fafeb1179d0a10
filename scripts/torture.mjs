// `npm run torture`: the long form of every test that has one, and what it counted in bench/results/torture.md. With names of browser tests
// (`npm run torture -- crashes vaultKills`) of those alone, with `unit` of the others: what is not run again keeps its line, and its day.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { basename, join } from 'node:path'
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

setUp()
setUpRedis()
setUpFirefox()
step('Building the extension', 'npx', ['wxt', 'build'])
step('Building it for Firefox', 'npx', ['wxt', 'build', '-b', 'firefox'])
clearReports()

const started = Date.now()
const figures = join(reports, 'figures.jsonl')
const results = join(root, 'bench/results/torture.md')
const env = { TORTURE: '1', FIGURES: figures }
writeFileSync(figures, '')
// One after the other: what is killed at random moments shall not wait for a core all the time.
const counts = [
  ...(isChosen('unit') ? [await vitest(env, longTests('tests', '.test.ts'))] : []),
  ...(chosenSpecs.length > 0
    ? [await playwright([...chosenSpecs, '--fully-parallel', '--workers=2'], env)]
    : []),
]
writeFileSync(results, report(counts))
process.exit(tell(counts) ? 0 : 1)

/** The files of tests below `folder` that have a long form, or figures to tell. */
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
  const seen = readFileSync(figures, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ name, said }) => [name, said, `${day}, ${machine}`])
  // Two runs of one test say the same in other numbers.
  const kindOf = ([name, said]) => `${name} ${said.replace(/\d/g, '')}`
  const isNew = (row) => seen.some((one) => kindOf(one) === kindOf(row))
  return [
    `The last run, \`npm run torture${chosen.length === 0 ? '' : ` -- ${chosen.join(' ')}`}\` on ${day}, ${machine}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}: ${passed} passed, ${failed} failed, ${Math.round((Date.now() - started) / 60_000)} minutes.`,
    '',
    '| row of [docs/security.md](../../docs/security.md) | seen | when, and where |',
    '|---|---|---|',
    ...[...seen, ...before().filter((row) => !isNew(row))]
      .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n')
}

/** The lines of the runs before. */
function before() {
  const text = existsSync(results) ? readFileSync(results, 'utf8') : ''
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line))
  return rows.map((line) => line.slice(2, -2).split(' | '))
}
