import { describe, expect, it } from 'vitest'
import { maxUint256 } from '../../../../src/domain/token/amount.ts'
import type { Token } from '../../../../src/domain/token/token.ts'
import { readLimit, toExtent } from '../../../../src/ui/components/fields/LimitChoice.tsx'

const token = {
  address: `0x${'1'.repeat(40)}`,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
} as Token
const range = { min: 5_000_000n, max: 2n ** 160n - 1n }
const read = (text: string) => readLimit(text, token, range)

describe('readLimit', () => {
  it('reads a limit in the token’s decimals', () => {
    expect(read('5')).toEqual({ limit: 5_000_000n })
    expect(read('1 500.25')).toEqual({ limit: 1_500_250_000n })
    expect(read('٧')).toEqual({ limit: 7_000_000n })
  })

  it('rejects a limit below the minimum, and says which it is', () => {
    expect(read('4.999999')).toEqual({ limit: 'invalid', fault: 'Enter at least 5 USDC' })
  })

  it('rejects zero, too many decimals and more than the type holds', () => {
    expect(read('0').fault).toBe('Enter an amount greater than 0')
    expect(read('5.1234567').fault).toMatch(/6 decimal places/)
    expect(read(`1${'0'.repeat(60)}`)).toEqual({
      limit: 'invalid',
      fault: 'This exceeds the maximum possible USDC amount.',
    })
  })

  it('takes an empty field as invalid without an error', () => {
    expect(read('')).toEqual({ limit: 'invalid', fault: undefined })
  })
})

describe('toExtent', () => {
  it('finds the option of a limit', () => {
    expect(toExtent(5n, 5n)).toBe('exact')
    expect(toExtent(6n, 5n)).toBe('custom')
    expect(toExtent(maxUint256, 5n)).toBe('unlimited')
    expect(toExtent(2n ** 96n - 1n, undefined)).toBe('unlimited')
  })
})
