// The table of bench/results/torture.md: what the long tests counted, each line with the file of tests that said it.

/** The lines of `text` that still stand: a file that was run again says all of its own anew. */
export function standing(text, ran) {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([, , , file]) => !ran.includes(file))
}

/** Each row tells the row of docs/security.md, what was seen, when and where, and the file. */
export function table(rows) {
  return [
    '| row of [docs/security.md](../../docs/security.md) | seen | when, and where | by |',
    '|---|---|---|---|',
    ...rows
      .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map((row) => `| ${row.join(' | ')} |`),
  ]
}
