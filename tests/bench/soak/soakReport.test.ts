import { describe, expect, it } from 'vitest'
import { check, type Minute } from '../../../bench/soak/soakReport.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import type { Hex } from '../../../src/domain/token/token.ts'

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

/** A successful run of `minutes` without swaps. */
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

const done: Swap['outcome'] = { status: 'done', received: 1n }
const failed = (code: 'below-floor' | 'node-timeout'): Swap['outcome'] => ({
  status: 'failed',
  code,
  message: 'It failed.',
  facts: {},
})

function swapOf(hash: Hex, outcome = done): Swap {
  const step = { kind: 'swap', state: 'final', hash } as const
  return { intent: {} as Swap['intent'], createdAt: 0, steps: [step], paid: 0n, outcome }
}

describe('soak report', () => {
  const swaps = [swapOf('0x01'), swapOf('0x02')]
  const onceEach = /^each swap on chain exactly once/
  const ofAccount = /^transactions of the account/
  const ends = /^swaps without an end/

  it('passes when the chain has each swap once and nothing else', () => {
    const found = run(1, { made: 2, swaps, chain: { hashes: ['0x01', '0x02'], sent: 2 } })
    for (const name of [onceEach, ofAccount, ends]) expect(found(name)).toBe(true)
  })

  it.each([
    { what: 'one twice', hashes: ['0x01', '0x02', '0x02'] },
    { what: 'one of them not', hashes: ['0x01'] },
    { what: 'another in its place', hashes: ['0x01', '0x03'] },
    { what: 'one more, that nobody was told of', hashes: ['0x01', '0x02', '0x03'] },
  ])('fails when the chain has $what', ({ hashes }) => {
    expect(run(1, { made: 2, swaps, chain: { hashes, sent: 2 } })(onceEach)).toBe(false)
  })

  it('fails when the user saw another number of completed swaps than the wallet lists', () => {
    const chain = { hashes: ['0x01', '0x02'], sent: 2 }
    expect(run(1, { made: 1, swaps, chain })(onceEach)).toBe(false)
    expect(run(1, { made: 3, swaps, chain })(onceEach)).toBe(false)
  })

  it('fails when the account sent more or fewer transactions than its swaps', () => {
    const hashes = ['0x01', '0x02']
    for (const sent of [1, 3])
      expect(run(1, { made: 2, swaps, chain: { hashes, sent } })(ofAccount)).toBe(false)
  })

  it('fails on unfinished swaps and unexpected errors, but not on a reported RPC timeout', () => {
    expect(run(1, { swaps: [swapOf('0x01', { status: 'working' })] })(ends)).toBe(false)
    expect(run(1, { swaps: [swapOf('0x01', { status: 'needs-unlock' })] })(ends)).toBe(false)
    expect(run(1, { swaps: [swapOf('0x01', failed('below-floor'))] })(ends)).toBe(false)
    // An RPC timeout that was reported is no failure of the soak.
    expect(run(1, { swaps: [swapOf('0x01', failed('node-timeout'))] })(ends)).toBe(true)
  })

  it('fails when storage ever exceeded five megabytes', () => {
    const stored = /^`storage.local`/
    const at = (storedBytes: number) => run(2, { rows: [{ ...minute, storedBytes }, minute] })(stored)
    expect(at(5_000_000)).toBe(true)
    expect(at(5_000_001)).toBe(false)
  })

  it('fails when too few swaps, kills or requests were made', () => {
    expect(run(1)(/^swaps made/)).toBe(false)
    expect(run(1, { made: 1 })(/^swaps made/)).toBe(true)
    expect(run(1, { made: 1, kills: { made: 0, meant: 1 } })(/^swaps made/)).toBe(false)
    expect(run(1, { made: 1, asked: 3 })(/^swaps made/)).toBe(false)
  })

  it('fails when a hang or an uncaught error was counted', () => {
    expect(run(1)(/^what hung/)).toBe(true)
    expect(run(1, { errors: 1 })(/^what hung/)).toBe(false)
  })

  it('checks growth only when there is a first and a last quarter', () => {
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
