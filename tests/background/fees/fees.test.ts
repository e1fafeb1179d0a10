import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callGasLimit,
  estimateCallGas,
  estimateGas,
  expectedCallGas,
  feeCap,
  maxCallGas,
  requireNativeBalance,
} from '../../../src/background/fees/fees.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'

const most = 30_000_000n

describe('expectedCallGas', () => {
  it('is the simulated gas, else the limit without its margin', () => {
    expect(expectedCallGas(120_000n, 90_000n)).toBe(90_000n)
    expect(expectedCallGas(120_000n, undefined)).toBe(100_000n)
    expect(expectedCallGas(21_000n, undefined)).toBe(21_000n)
    expect(expectedCallGas(120_000n, 130_000n)).toBe(120_000n)
  })

  it('is the estimate where the RPC counts L1 fees or other units as gas', () => {
    expect(expectedCallGas(1_200_000n, 90_000n)).toBe(1_000_000n)
  })
})

describe('callGasLimit for arbitrary estimates', () => {
  const gas = fc.oneof(
    fc.bigInt(0n, 6_000_000n),
    fc.bigInt(24_000_000n, 31_000_000n),
    fc.bigInt(0n, 2n ** 64n),
  )
  const limitOf = (limit: () => bigint) => {
    try {
      return limit()
    } catch (error) {
      if (error instanceof WalletError && error.code === 'unsafe-transaction') return undefined
      throw error
    }
  }

  it('stays between the estimate and the block gas limit, or throws unsafe-transaction', () => {
    const counts = { signed: 0, refused: 0 }
    const count = (limit: bigint | undefined) => counts[limit === undefined ? 'refused' : 'signed']++
    fc.assert(
      fc.property(gas, gas, (one, other) => {
        const call = limitOf(() => callGasLimit(one, most, other))
        if (call !== undefined) expect([call >= one, call >= other, call <= most]).not.toContain(false)
        count(call)
      }),
      { numRuns: 1_000 },
    )
    expect(counts.signed).toBeGreaterThan(100)
    expect(counts.refused).toBeGreaterThan(100)
  })
})

describe('gas estimates before signing', () => {
  const failing = (code: 'reverted' | 'node-timeout') => ({
    estimateGas: () => Promise.reject(new WalletError(code, 'No.', { reason: 'paused' })),
    blockGasLimit: async () => most,
  })
  const call = { to: nativeTokenAddress, value: 0n, data: '0x' } as const

  it('reports a revert as would-fail with its reason, unless the call may fail and has its own gas', async () => {
    const refused = { code: 'would-fail', message: 'No.', facts: { reason: 'paused' } }
    await expect(
      estimateGas(failing('reverted'), { from: nativeTokenAddress, ...call }),
    ).rejects.toMatchObject(refused)
    await expect(estimateCallGas(failing('reverted'), nativeTokenAddress, call, false)).rejects.toMatchObject(
      refused,
    )
    expect(
      await estimateCallGas(failing('reverted'), nativeTokenAddress, { ...call, gas: 90_000n }, true),
    ).toBe(90_000n)
  })

  it('passes on an RPC timeout unchanged', async () => {
    const silent = estimateGas(failing('node-timeout'), { from: nativeTokenAddress, ...call })
    await expect(silent).rejects.toMatchObject({ code: 'node-timeout' })
  })
})

describe('feeCap', () => {
  it('adds 50% to the network fee', () => {
    expect(feeCap(1_000n)).toBe(1_500n)
  })
})

describe('callGasLimit', () => {
  it('adds 20% to the gas used, or returns the requested gas when it is higher', () => {
    expect(callGasLimit(100_000n, most)).toBe(120_000n)
    expect(callGasLimit(21_001n, most)).toBe(25_201n)
    expect(callGasLimit(100_000n, most, 90_000n)).toBe(120_000n)
    expect(callGasLimit(100_000n, most, 200_000n)).toBe(200_000n)
  })

  it('never exceeds the block gas limit, and drops the margin when it does not fit', () => {
    const unsafe = expect.objectContaining({ code: 'unsafe-transaction' })
    expect(callGasLimit(0n, most, most)).toBe(most)
    expect(callGasLimit(most, most)).toBe(most)
    expect(callGasLimit((most * 9n) / 10n, most)).toBe(most)
    expect(() => callGasLimit(0n, most, most + 1n)).toThrow(unsafe)
    expect(() => callGasLimit(most + 1n, most)).toThrow(unsafe)
  })
})

describe('maxCallGas', () => {
  it('returns the block gas limit, or 30 million when the RPC does not report it', async () => {
    expect(await maxCallGas({ blockGasLimit: async () => 8_000_000n })).toBe(8_000_000n)
    expect(await maxCallGas({ blockGasLimit: async () => 2n ** 50n })).toBe(2n ** 50n)
    expect(await maxCallGas({ blockGasLimit: async () => undefined })).toBe(30_000_000n)
  })

  it('limits the signed gas on a chain with a different gas unit', async () => {
    const chain = { estimateGas: async () => 269_580_441n, blockGasLimit: async () => 10_000_000_000n }
    const call = { to: nativeTokenAddress, value: 1n, data: '0x' } as const
    expect(await estimateCallGas(chain, nativeTokenAddress, call, false)).toBe(323_496_529n)
    const small = { ...chain, blockGasLimit: async () => 200_000_000n }
    await expect(estimateCallGas(small, nativeTokenAddress, call, false)).rejects.toMatchObject({
      code: 'unsafe-transaction',
      facts: { expected: '200000000', found: '269580441' },
    })
  })
})

describe('requireNativeBalance', () => {
  it('requires the amount and the fee', () => {
    requireNativeBalance(12n, 5n, 7n)
    expect(() => requireNativeBalance(11n, 5n, 7n)).toThrow(
      expect.objectContaining({ code: 'not-enough-gas', facts: expect.objectContaining({ missing: '1' }) }),
    )
  })
})
