import { describe, expect, it } from 'vitest'
import { type Fees, meetsMinFees, type Replacement } from '../../../src/domain/activity/replacement.ts'
import { formatMinimum, parseReplaceFees, replaceOptions } from '../../../src/ui/activity/replaceOptions.ts'

const gwei = 10n ** 9n
const at = (most: bigint, tip = 1n): Fees => ({
  maxFeePerGas: most * gwei,
  maxPriorityFeePerGas: tip * gwei,
})
const offer = (least: Fees, speeds = [at(10n), at(20n), at(40n)] as const): Replacement => ({
  replaces: `0x${'1'.repeat(64)}`,
  gas: 21_000n,
  expectedGas: 21_000n,
  l1Fee: 5n,
  baseFeePerGas: 1n,
  least,
  speeds: { slow: speeds[0], normal: speeds[1], fast: speeds[2] },
})

describe('replaceOptions', () => {
  it('offers the market fees where they suffice, and the minimum where they do not', () => {
    expect(replaceOptions(offer(at(15n)))).toEqual([
      { name: 'Minimum', fees: at(15n), gwei: '15', speeds: ['slow'] },
      { name: 'Normal', fees: at(20n), gwei: '20', speeds: ['normal'] },
      { name: 'Fast', fees: at(40n), gwei: '40', speeds: ['fast'] },
    ])
  })

  it('offers one option when the market pays less than the minimum', () => {
    const options = replaceOptions(offer(at(90n)))
    expect(options).toEqual([
      { name: 'Minimum', fees: at(90n), gwei: '90', speeds: ['slow', 'normal', 'fast'] },
    ])
  })

  it('rounds the minimum up to digits that suffice when they are typed', () => {
    const fees: Fees = { maxFeePerGas: 1_125_000_001n, maxPriorityFeePerGas: 1n }
    const [option] = replaceOptions(offer(fees, [fees, fees, fees]))
    expect(option).toMatchObject({ name: 'Minimum', gwei: '1.126' })
    expect(parseReplaceFees({ most: option?.gwei ?? '', tip: '1' }, offer(fees), '.')).toMatchObject({
      maxFeePerGas: 1_126_000_000n,
    })
  })
})

describe('parseReplaceFees', () => {
  const least: Fees = { maxFeePerGas: 22_500_000_001n, maxPriorityFeePerGas: 1_125_000_000n }

  it('accepts fees equal to or above the minimum', () => {
    expect(parseReplaceFees({ most: '22.51', tip: '1.125' }, offer(least), '.')).toEqual({
      maxFeePerGas: 22_510_000_000n,
      maxPriorityFeePerGas: 1_125_000_000n,
    })
  })

  it('reports an error for each field separately, with the minimum rounded up', () => {
    expect(parseReplaceFees({ most: '22.5', tip: '2' }, offer(least), '.')).toEqual({
      most: 'Enter at least 22.51 gwei',
      tip: undefined,
    })
    expect(parseReplaceFees({ most: '30', tip: '1' }, offer(least), '.')).toEqual({
      most: undefined,
      tip: 'Enter at least 1.125 gwei',
    })
    expect(parseReplaceFees({ most: '', tip: 'x' }, offer(least), '.')).toEqual({
      most: undefined,
      tip: 'Enter a number, such as 1.5',
    })
  })

  it('reports the minimum of one field while the other is empty', () => {
    expect(parseReplaceFees({ most: '0.001', tip: '' }, offer(at(15n, 2n)), '.')).toEqual({
      most: 'Enter at least 15 gwei',
    })
    expect(parseReplaceFees({ most: '', tip: '1' }, offer(at(15n, 2n)), '.')).toEqual({
      tip: 'Enter at least 2 gwei',
    })
  })

  it('uses the minimum priority fee when none is typed', () => {
    expect(parseReplaceFees({ most: '15', tip: '' }, offer(at(15n, 2n)), '.')).toEqual(at(15n, 2n))
  })

  it('accepts fees far above the market when the minimum requires them', () => {
    const dear = { maxFeePerGas: 900n * gwei, maxPriorityFeePerGas: 2n * gwei }
    expect(parseReplaceFees({ most: '950', tip: '3' }, offer(dear), '.')).toEqual(at(950n, 3n))
  })

  it.each([1n, 7n, 9_999n, 10_001n, 1_125_000_001n, 22_500_000_001n])(
    'formats a minimum of %d wei without rounding it down',
    (wei) => {
      const text = formatMinimum(wei, '.')
      const typed = parseReplaceFees(
        { most: text, tip: text },
        offer({ maxFeePerGas: wei, maxPriorityFeePerGas: wei }),
        '.',
      )
      expect(
        'maxFeePerGas' in typed && meetsMinFees(typed, { maxFeePerGas: wei, maxPriorityFeePerGas: wei }),
      ).toBe(true)
    },
  )
})
