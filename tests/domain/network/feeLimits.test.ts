import { parseEther, parseGwei } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  assessedTip,
  builtInFeeLimits,
  getFeeLimits,
  warnFee,
} from '../../../src/domain/network/feeLimits.ts'

/** As in a review: twice the base fee plus the tip, times 1.5. */
function feeOf(gas: number, base: string, tip: string) {
  const [baseFeePerGas, tipWei] = [parseGwei(base), parseGwei(tip)]
  return { fee: (BigInt(gas) * (2n * baseFeePerGas + tipWei) * 3n) / 2n, tip: tipWei, baseFeePerGas }
}

describe('fee limits for ordinary fees', () => {
  // Chain, gas, base fee and tip in gwei, native value.
  it.each([
    ['Ethereum at 1 gwei', 1, 300_000, '1', '0.5', '0.1'],
    ['Ethereum at 50 gwei', 1, 400_000, '50', '2', '1'],
    ['Ethereum at 50 gwei, a call of unknown worth', 1, 500_000, '50', '2', undefined],
    ['Optimism', 10, 300_000, '0.01', '0.001', '0.01'],
    ['Base when it is busy', 8453, 400_000, '2', '1.5', undefined],
    ['Arbitrum', 42161, 1_000_000, '0.1', '0', '0.05'],
    ['BNB Chain, which has no base fee', 56, 400_000, '0', '3', '0.5'],
    ['Polygon at tips of 30 gwei', 137, 400_000, '25', '30', '50'],
    ['Polygon at tips of 500 gwei', 137, 400_000, '60', '500', undefined],
    ['Gnosis', 100, 300_000, '2', '1', '10'],
    ['Avalanche', 43114, 400_000, '25', '2', '5'],
    ['Linea', 59144, 400_000, '0', '0.05', '0.01'],
    ['a local chain', 31337, 300_000, '1', '1', '0.1'],
  ])('returns no warning for %s', (_name, chainId, gas, base, tip, moved) => {
    const limits = builtInFeeLimits(chainId)
    const facts = feeOf(gas, base, tip)
    expect(warnFee({ ...facts, moved: moved === undefined ? undefined : parseEther(moved) }, limits)).toBe(
      undefined,
    )
    expect(facts.fee).toBeLessThan(limits.total)
    expect(facts.tip).toBeLessThan(limits.tip)
  })
})

it.each([1, 10, 56, 100, 130, 137, 8453, 42161, 43114, 59144, 31337, 777])(
  'limits the tip to less than 50,000 gwei on chain %i',
  (chainId) => expect(builtInFeeLimits(chainId).tip).toBeLessThan(parseGwei('50000')),
)

it('compares a fee with the moved amount, then its tip, then its total', () => {
  const limits = builtInFeeLimits(1)
  const kind = (facts: Parameters<typeof warnFee>[0]) => warnFee(facts, limits)?.kind
  const ether = parseEther('1')
  expect(kind({ fee: ether, moved: ether - 1n })).toBe('more-than-moved')
  expect(kind({ fee: ether / 10n + 1n, moved: ether })).toBe('large-share')
  expect(kind({ fee: ether / 10n, moved: ether })).toBeUndefined()
  const gwei = parseGwei('1')
  expect(kind({ fee: 1n, tip: 40n * gwei, baseFeePerGas: 13n * gwei, moved: ether })).toBe('tip')
  expect(kind({ fee: 1n, tip: 40n * gwei, baseFeePerGas: 14n * gwei, moved: ether })).toBeUndefined()
  expect(kind({ fee: ether / 10n + 1n })).toBe('large')
  expect(kind({ fee: ether / 10n + 1n, moved: 0n })).toBe('large')
  expect(kind({ fee: ether / 10n })).toBeUndefined()
})

it('prefers the user’s fee limits to the built-in ones', () => {
  expect(getFeeLimits({ chainId: 1, feeLimit: 5n, tipLimit: 6n })).toEqual({
    ...builtInFeeLimits(1),
    total: 5n,
    tip: 6n,
  })
  expect(getFeeLimits({ chainId: 1 })).toEqual(builtInFeeLimits(1))
})

it('treats a legacy gas price as a tip only on chains with a known base fee', () => {
  const legacy = { maxPriorityFeePerGas: 7n, isLegacy: true } as const
  expect(assessedTip(legacy, builtInFeeLimits(1))).toBe(7n)
  expect(assessedTip(legacy, getFeeLimits({ chainId: 137, tipLimit: 1n }))).toBe(7n)
  expect(assessedTip(legacy, builtInFeeLimits(31337))).toBe(0n)
  expect(assessedTip({ maxPriorityFeePerGas: 7n }, builtInFeeLimits(31337))).toBe(7n)
})
