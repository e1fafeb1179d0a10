/** Returns the rows of `text` from files that did not run again. */
export function standing(text, ran) {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([, , , file]) => !ran.includes(file))
}

/** Formats rows of: row of docs/security/threats.md, result, run, file. */
export function table(rows) {
  return [
    '| row of [docs/security/threats.md](../../docs/security/threats.md) | seen | when, and where | by |',
    '|---|---|---|---|',
    ...rows
      .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map((row) => `| ${row.join(' | ')} |`),
  ]
}
