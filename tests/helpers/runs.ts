/** The full run (`npm run torture`) rather than a varying part (`npm test`). */
export const isTorture = process.env.TORTURE === '1'

/** For repeated runs: `PART=0.25 npx playwright test kills --repeat-each 200`. */
const part = Number(process.env.PART ?? 1)

export function runs(short: number, long: number): number {
  return isTorture ? long : Math.ceil(short * part)
}

/** All rows in the full run, else about `short`, evenly spread. */
export function partOf<Row>(rows: readonly Row[], short: number): Row[] {
  return numbersTo(rows.length, short).flatMap((number) => rows.slice(number - 1, number))
}

const shift = Math.floor(Math.random() * 60)

/** All rows in the full run, else each in one column that varies by run. */
export function columnOf<Row>(rows: readonly Row[], column: number, columns: number): Row[] {
  return isTorture ? [...rows] : rows.filter((_, row) => (row + shift) % columns === column)
}

/** 1 to `last` in the full run, else about `short`, evenly spread. */
export function numbersTo(last: number, short: number): number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  if (isTorture) return all
  const every = Math.max(1, Math.floor(last / short))
  const first = Math.floor(Math.random() * every)
  return all.filter((_, index) => index % every === first)
}
