import { describe, expect, it } from 'vitest'
import { formatGwei, parseFees } from '../../../src/ui/fees/gwei.ts'

const gwei = 10n ** 9n
const fast = { maxFeePerGas: 30n * gwei, maxPriorityFeePerGas: 2n * gwei }

describe('fees in gwei', () => {
  it('formats fees with at most four significant digits', () => {
    expect(formatGwei(30n * gwei, '.')).toBe('30')
    expect(formatGwei(1_234_567_890n, '.')).toBe('1.234')
    expect(formatGwei(7n, '.')).toBe('0.000000007')
  })

  it('parses up to nine decimals, with either decimal mark', () => {
    expect(parseFees({ most: '12.5', tip: '0,000000001' }, fast)).toEqual({
      maxFeePerGas: 12_500_000_000n,
      maxPriorityFeePerGas: 1n,
    })
  })

  it('rejects invalid fees with an error for the field', () => {
    const faults = (most: string, tip: string) => parseFees({ most, tip }, fast)
    expect(faults('abc', '1')).toEqual({ most: 'Enter a number, such as 1.5', tip: undefined })
    expect(faults('1.0000000001', '1')).toEqual({ most: 'Max 9 decimal places', tip: undefined })
    expect(faults('0', '0')).toEqual({ most: 'Must be greater than 0' })
    expect(faults('3', '4')).toEqual({ tip: 'Priority fee can’t exceed max fee' })
    expect(faults('300', '1')).toEqual({ maxFeePerGas: 300n * gwei, maxPriorityFeePerGas: gwei })
    expect(faults('300.1', '1')).toEqual({ most: 'Max 300 gwei' })
  })

  it('rejects a comma or dot that may be a thousands separator', () => {
    const huge = { maxFeePerGas: 10_000n * gwei, maxPriorityFeePerGas: gwei }
    const fault = 'Enter a number, such as 1.5'
    expect(parseFees({ most: '1,234', tip: '1' }, huge, '.')).toEqual({ most: fault, tip: undefined })
    expect(parseFees({ most: '1.234', tip: '1' }, huge, ',')).toEqual({ most: fault, tip: undefined })
  })

  it.each(['.', ','] as const)(
    'parses a formatted fee back to the same value with the decimal mark “%s”',
    (mark) => {
      const maxFeePerGas = 1_234_000_000n
      const most = formatGwei(maxFeePerGas, mark)
      expect(parseFees({ most, tip: '1' }, fast, mark)).toEqual({ maxFeePerGas, maxPriorityFeePerGas: gwei })
    },
  )

  it('uses the usual priority fee when none is typed, capped at the max fee', () => {
    const read = (most: string) => parseFees({ most, tip: '' }, fast, '.', 2n * gwei)
    expect(read('7.5')).toEqual({ maxFeePerGas: 7_500_000_000n, maxPriorityFeePerGas: 2n * gwei })
    expect(read('1')).toEqual({ maxFeePerGas: gwei, maxPriorityFeePerGas: gwei })
    expect(read('0')).toEqual({ most: 'Must be greater than 0' })
    expect(read('300.1')).toEqual({ most: 'Max 300 gwei' })
    expect(read('')).toEqual({ most: undefined, tip: undefined })
  })

  it('reports no error for empty fields', () => {
    expect(parseFees({ most: '', tip: '' }, fast)).toEqual({ most: undefined, tip: undefined })
  })
})
