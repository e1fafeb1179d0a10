import { describe, expect, it } from 'vitest'
import { getKept, keptScale } from '../../../src/domain/swap/kept.ts'
import { swap } from '../../helpers/samples/activitySamples.ts'

const shown = { returns: 1_500_000n, networkFee: 1n }

describe('getKept', () => {
  it('compares what a swap paid with its minimum and with what was expected', () => {
    const one = swap({ outcome: { status: 'done', received: 1_497_450n } }, { shown })
    expect(getKept(one)).toEqual({
      minimum: 1_490_000n,
      expected: 1_500_000n,
      received: 1_497_450n,
      more: 7_450n,
      moreBps: 50,
    })
  })

  it('scales minimum and expectation to the sold part of a partial fill', () => {
    const outcome = { status: 'done', received: 750_000n, spent: 750_000_000_000_000_000n } as const
    const one = swap({ outcome }, { shown, allowPartialFill: true })
    expect(getKept(one)).toMatchObject({ minimum: 745_000n, expected: 750_000n, more: 5_000n })
  })

  it('lacks the expectation of old records', () => {
    expect(getKept(swap())).toEqual({
      minimum: 1_490_000n,
      received: 1_499_999n,
      more: 9_999n,
      moreBps: 67.1,
    })
  })

  it('is undefined for unknown amounts, broken promises, pending swaps and wraps', () => {
    const all = [
      swap({ outcome: { status: 'done', received: 1_490_000n, isLeast: true } }),
      swap({ outcome: { status: 'below-minimum', received: 1n } }),
      swap({ outcome: { status: 'done', received: 1n } }),
      swap({ outcome: { status: 'working' } }),
      swap({ steps: [{ kind: 'wrap', state: 'final' }] }),
    ]
    expect(all.map(getKept)).toEqual(all.map(() => undefined))
  })

  it('is undefined without a minimum, of which nothing is a share', () => {
    const outcome = { status: 'done', received: 5n } as const
    expect(getKept(swap({ outcome }, { floor: 0n }))).toBeUndefined()
    const unspent = swap({ outcome: { ...outcome, spent: 0n } }, { allowPartialFill: true })
    expect(getKept(unspent)).toBeUndefined()
  })
})

describe('keptScale', () => {
  const at = (minimum: bigint, expected: bigint | undefined, received: bigint) =>
    keptScale({
      minimum,
      ...(expected !== undefined && { expected }),
      received,
      more: received - minimum,
      moreBps: 0,
    })

  it('runs from the minimum to the higher of expected and received', () => {
    expect(at(100n, 200n, 150n)).toEqual({ expected: 100, received: 50 })
    expect(at(100n, 150n, 200n)).toEqual({ expected: 50, received: 100 })
  })

  it('stays within the scale when nothing lies between or the expectation is below the minimum', () => {
    expect(at(100n, 100n, 100n)).toEqual({ expected: 100, received: 100 })
    expect(at(100n, 90n, 200n)).toEqual({ expected: 0, received: 100 })
    expect(at(100n, undefined, 200n)).toEqual({ expected: 0, received: 100 })
  })
})
