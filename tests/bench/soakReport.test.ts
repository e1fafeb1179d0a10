import { describe, expect, it } from 'vitest'
import { check, type Minute } from '../../bench/soakReport.ts'

const minute: Minute = {
  minute: 1,
  swaps: 1,
  kills: 1,
  workerMb: 2.5,
  popupMb: 3,
  storedBytes: 20_000,
  records: 1,
  errors: 0,
}

/** A run of `minutes` in which all went well, but for no swap. */
function run(minutes: number, changes: Partial<Parameters<typeof check>[0]> = {}) {
  const checks = check({
    rows: Array.from({ length: minutes }, (_, index) => ({ ...minute, minute: index + 1 })),
    ...{ made: 0, swaps: [], chain: { hashes: [], sent: 0 }, minutes, errors: 0 },
    kills: { made: minutes, meant: minutes },
    asked: 18 * minutes,
    ...changes,
  })
  return (name: RegExp) => checks.find((one) => name.test(one.name))?.holds
}

describe('a soak', () => {
  it('in which nothing was done, killed or asked shows nothing, however short it is', () => {
    expect(run(1)(/^swaps made/)).toBe(false)
    expect(run(1, { made: 1 })(/^swaps made/)).toBe(true)
    expect(run(1, { made: 1, kills: { made: 0, meant: 1 } })(/^swaps made/)).toBe(false)
    expect(run(1, { made: 1, asked: 3 })(/^swaps made/)).toBe(false)
  })

  it('fails by whatever hung or was not caught', () => {
    expect(run(1)(/^what hung/)).toBe(true)
    expect(run(1, { errors: 1 })(/^what hung/)).toBe(false)
  })

  it('tells of growth only when there is a first quarter and a last', () => {
    const growth = /^growth/
    expect(run(1, { rows: [{ ...minute, workerMb: 99 }] })(growth)).toBeUndefined()
    const grown = (workerMb: number) =>
      Array.from({ length: 8 }, (_, at) => ({ ...minute, workerMb: 2 + at * workerMb }))
    expect(run(8, { rows: grown(0.1) })(growth)).toBe(true)
    expect(run(8, { rows: grown(2) })(growth)).toBe(false)
    expect(run(8, { rows: [...grown(0.1).slice(1), { ...minute, workerMb: Number.NaN }] })(growth)).toBe(
      false,
    )
  })
})
