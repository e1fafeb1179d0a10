import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { encodeRouteWords } from '../../helpers/routeWords.ts'
import {
  agreed,
  answer,
  deadlines,
  floorOf,
  refusal,
  router,
  tellMutated,
  thief,
  zero,
} from '../../helpers/samples/swapCalldata.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

describe('verifySwapCalldata: routes of the built-in router', () => {
  const friend: Address = '0xf41e4d0000000000000000000000000000000003'
  const hop = { kind: 2, from: 0, to: 1, detail: 3_000, pool: friend, weight: 0 }

  function route(feePpm: number, referrer: Address, deadline = 1_900n): Hex {
    const branches = [{ weight: 0, hops: [hop, { ...hop, from: 1, to: 2 }] }]
    return encodeRouteWords({ connectors: [thief], branches, feePpm, referrer, deadline, permit: '0x' })
  }
  const routed = (agreement: SwapExpectations, data: Hex) => answer(agreement, {}, data, router)
  const refused = (agreement: SwapExpectations, data: Hex) =>
    refusal(routed(agreement, data), agreement).facts

  it('rejects a fee when none was set', () => {
    for (const referrer of [zero, thief])
      expect(floorOf(routed(agreed, route(0, referrer)))).toBe(agreed.floor)
    expect(refused(agreed, route(1, thief))).toEqual({
      fact: 'fee',
      expected: 'none',
      found: `1 ppm for ${thief}`,
    })
  })

  it('requires exactly the fee and the referrer that were set', () => {
    const agreement = { ...agreed, options: { feeBps: 40, referrer: friend } }
    expect(floorOf(routed(agreement, route(4_000, friend)), agreement)).toBe(agreed.floor)
    const others: [number, Address][] = [
      [4_000, thief],
      [4_001, friend],
      [3_999, friend],
      [0, friend],
      [0, zero],
    ]
    for (const [ppm, taker] of others) {
      expect(refused(agreement, route(ppm, taker))).toMatchObject({
        fact: 'fee',
        expected: `4000 ppm for ${friend}`,
      })
    }
    const none = { ...agreed, options: { feeBps: 0, referrer: friend } }
    expect(floorOf(routed(none, route(0, zero)), none)).toBe(agreed.floor)
  })

  it('rejects an unreadable route, and ignores the data of other executors', () => {
    const plain = route(0, zero)
    for (const data of ['0x', '0x0102030405', plain.slice(0, -192), `${plain}00`] as Hex[]) {
      expect(refused(agreed, data)).toMatchObject({ fact: 'fee' })
      expect(floorOf(answer(agreed, {}, data))).toBe(agreed.floor)
    }
  })

  it('requires a deadline within the accepted range', () => {
    for (const deadline of [1_001n, 1_900n, 2_200n])
      expect(floorOf(routed(agreed, route(0, zero, deadline)))).toBe(agreed.floor)
    for (const deadline of [0n, 999n, 1_000n, 2_201n, 2n ** 48n - 1n]) {
      expect(refused(agreed, route(0, zero, deadline))).toEqual({
        fact: 'deadline',
        expected: 'after 1000 and before 2201',
        found: String(deadline),
      })
    }
  })

  it('accepts only routes with the same fee and referrer among 5,000 mutations', () => {
    const agreement = { ...agreed, options: { feeBps: 40, referrer: friend } }
    const bytes = Buffer.from(route(4_000, friend).slice(2), 'hex')
    const words = bytes.length / 32
    const change = fc.oneof(
      fc.record({
        at: fc.integer({ min: 0, max: bytes.length - 1 }),
        flip: fc.integer({ min: 1, max: 255 }),
      }),
      fc.record({ at: fc.integer({ min: 0, max: words - 1 }), from: fc.integer({ min: 0, max: words - 1 }) }),
    )
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(change, (mutation) => {
        const data = Buffer.from(bytes)
        if ('flip' in mutation) data[mutation.at]! ^= mutation.flip
        else bytes.copy(data, 32 * mutation.at, 32 * mutation.from, 32 * mutation.from + 32)
        try {
          verifySwapCalldata(routed(agreement, `0x${data.toString('hex')}`), agreement, {
            strict: true,
            isBindingRouter: true,
            deadlines,
          })
          // Referrer and fee.
          for (const [from, to] of [
            [0, 20],
            [26, 29],
          ] as const)
            expect(data.subarray(from, to)).toEqual(bytes.subarray(from, to))
          expect(data[29]! + data[30]! + data[31]! + 2).toBeLessThanOrEqual(words)
          const deadline = BigInt(`0x${data.toString('hex', 20, 26)}`)
          expect(deadline > deadlines.after && deadline < deadlines.before).toBe(true)
          counts.accepted++
        } catch (error) {
          if (!(error instanceof WalletError)) throw error
          expect(error.facts.fact).toMatch(/^(fee|deadline)$/)
          counts.refused++
        }
      }),
      { numRuns: 5_000 },
    )
    expect(counts.accepted).toBeGreaterThan(500)
    expect(counts.refused).toBeGreaterThan(500)
    tellMutated(counts, 'routes of our own router')
  })
})
