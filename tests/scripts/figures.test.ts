import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { standing, table } from '../../scripts/figures.mjs'
import { count } from '../../scripts/runners.mjs'
import { figure } from '../helpers/figures.ts'

const rows = [
  ['70', '60 requests', '2026-11-23, abc1234, a machine', 'tests/e2e/faults/pageKills.spec.ts'],
  ['70', '90 reads', '2026-11-23, abc1234, a machine', 'tests/e2e/faults/pageKills.spec.ts'],
  ['8', '1050 kills', '2026-11-24, abc1234, a machine', 'tests/vault/storage/store.test.ts'],
]

describe('figures table', () => {
  it('sorts rows by number, and reads them back unchanged', () => {
    const [eight, ...seventy] = [rows[2], rows[0], rows[1]]
    expect(standing(table(rows).join('\n'), [])).toEqual([eight, ...seventy])
  })

  it('drops all rows of a file that ran again, and no others', () => {
    expect(standing(table(rows).join('\n'), ['tests/e2e/faults/pageKills.spec.ts'])).toEqual([rows[2]])
  })
})

it('records the test file of a figure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-figures-'))
  vi.stubEnv('FIGURES', join(folder, 'figures.jsonl'))
  try {
    figure('1', 'seen')
    const line = readFileSync(join(folder, 'figures.jsonl'), 'utf8')
    expect(JSON.parse(line)).toEqual({ name: '1', said: 'seen', file: 'tests/scripts/figures.test.ts' })
  } finally {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  }
})

describe('test runner counts', () => {
  it('reports the numbers of passed and failed tests', () => {
    expect(count('vitest', true, [], 7)).toEqual({ passed: 7, failed: 0, names: [] })
    const names = ['a › b: no']
    expect(count('vitest', false, names, 7, 1)).toEqual({ passed: 7, failed: 1, names })
  })

  it.each([undefined, 0])('counts a failure when the runner succeeds and %s tests passed', (passed) => {
    const names = ['vitest passed no test']
    expect(count('vitest', true, [], passed)).toEqual({ passed: 0, failed: 1, names })
  })

  it('counts a failure when the runner fails without naming one', () => {
    const names = ['playwright ended without saying what failed']
    expect(count('playwright', false, [], 7)).toEqual({ passed: 7, failed: 1, names })
  })
})
