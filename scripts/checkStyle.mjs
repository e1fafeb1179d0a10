// Checks commit messages (form, at most 72 characters) and comments (at most 110 columns).
// Plain Node, no dependencies.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Last commit before the format was adopted. */
const before = 'c7afdd6'
const maxSubject = 72
const maxColumns = 110
const subject = /^(feat|fix|refactor|perf|test|docs|build|chore)(\([a-zA-Z0-9]+\))?: [^A-Z\s].*[^.]$/

/** Returns what is wrong with a commit's subject line. */
export function checkSubject(line) {
  if (line.length > maxSubject) return `${line.length} characters, at most ${maxSubject}`
  return subject.test(line) ? undefined : 'not of the form "type(scope): imperative"'
}

/** Returns the faults of a source's comments as `line: reason`. */
export function checkComments(source) {
  const faults = []
  source.split('\n').forEach((line, index) => {
    const text = /^\s*(?:\{?\/\*\*?|\/\/|\*(?!\/))\s*(.*)$/.exec(line)?.[1]
    if (text === undefined) return
    if (line.length > maxColumns) faults.push(`${index + 1}: ${line.length} columns, at most ${maxColumns}`)
    if (/^(What|Who|Whoever|Whatever|Nobody|Somebody|Anybody)\b/.test(text)) {
      faults.push(`${index + 1}: begins with a relative clause`)
    }
  })
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = [...commitFaults(), ...commentFaults()]
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}

function commitFaults() {
  const range = hasCommit(before) ? [`${before}..HEAD`] : []
  return git('log', '--no-merges', '--format=%h %s', ...range).flatMap((line) => {
    const [hash, ...words] = line.split(' ')
    const fault = checkSubject(words.join(' '))
    return fault === undefined ? [] : [`${hash}: ${fault}`]
  })
}

function commentFaults() {
  return git('ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sol').flatMap((file) =>
    checkComments(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}:${fault}`),
  )
}

function hasCommit(hash) {
  try {
    git('cat-file', '-e', `${hash}^{commit}`)
    return true
  } catch {
    return false
  }
}

function git(...args) {
  const out = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return out.split('\n').filter((line) => line !== '')
}
