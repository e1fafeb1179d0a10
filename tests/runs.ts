/** Whether the tests try as much as they ever do (`npm run torture`), or a part of it, another one each time (`npm test`). */
export const isTorture = process.env.TORTURE === '1'

/** For who repeats a test often, and is content with less of it each time: `PART=0.25 npx playwright test kills --repeat-each 200`. */
const part = Number(process.env.PART ?? 1)

/** How often what is drawn at random is tried. */
export function runs(short: number, long: number): number {
  return isTorture ? long : Math.ceil(short * part)
}

/** The rows of a table of cases: all of them in the long form, about `short` of them, spread evenly, in the short one. */
export function partOf<Row>(rows: readonly Row[], short: number): Row[] {
  return numbersTo(rows.length, short).flatMap((number) => rows.slice(number - 1, number))
}

const shift = Math.floor(Math.random() * 60)

/**
 * The rows that column `column` of `columns` tries: all of them in the long form. In the short one each row is tried in one
 * column, in another one each time.
 */
export function columnOf<Row>(rows: readonly Row[], column: number, columns: number): Row[] {
  return isTorture ? [...rows] : rows.filter((_, row) => (row + shift) % columns === column)
}

/** The numbers from 1 to `last`: all of them in the long form, about `short` of them, spread evenly, in the short one. */
export function numbersTo(last: number, short: number): number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  if (isTorture) return all
  const every = Math.max(1, Math.floor(last / short))
  const first = Math.floor(Math.random() * every)
  return all.filter((_, index) => index % every === first)
}
