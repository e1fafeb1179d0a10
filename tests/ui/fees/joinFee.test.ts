import { expect, it } from 'vitest'
import { joinFee } from '../../../src/ui/fees/useFeeFormat.ts'

it('names the likely fee and its maximum, or the only one of both that is known', () => {
  expect(joinFee('$0.48', '$1.15')).toBe('≈ $0.48, max $1.15')
  expect(joinFee('$0.48', undefined)).toBe('≈ $0.48')
  expect(joinFee(undefined, '0.01 ETH')).toBe('Max 0.01 ETH')
  expect(joinFee(undefined, undefined)).toBe('')
})

it('shows no “about” before a bound, and the maximum also if both are the same', () => {
  expect(joinFee('<$0.01', '$0.02')).toBe('<$0.01, max $0.02')
  expect(joinFee('<$0.01', undefined)).toBe('<$0.01')
  expect(joinFee('$0.01', '$0.01')).toBe('≈ $0.01, max $0.01')
})
