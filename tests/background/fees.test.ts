import { describe, expect, it } from 'vitest'
import { feeCap, gasLimit } from '../../src/background/fees.ts'

describe('gasLimit', () => {
  it('allows a fifth more than the highest estimate', () => {
    expect(gasLimit(100_000n, 150_000n, 0n)).toBe(180_000n)
    expect(gasLimit(21_001n)).toBe(25_201n)
  })

  it('refuses more than five million', () => {
    expect(gasLimit(4_166_666n)).toBe(4_999_999n)
    expect(() => gasLimit(1n, 4_166_668n)).toThrow(expect.objectContaining({ code: 'unsafe-transaction' }))
  })
})

describe('feeCap', () => {
  it('is half as much again', () => {
    expect(feeCap(1_000n)).toBe(1_500n)
  })
})
