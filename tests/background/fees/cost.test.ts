import { expect, it } from 'vitest'
import { getCost } from '../../../src/background/fees/cost.ts'
import { builtInFeeLimits } from '../../../src/domain/network/feeLimits.ts'
import type { FeeSpeed } from '../../../src/domain/swap/swap.ts'
import type { Chain } from '../../../src/evm/client.ts'

/** Fee per gas: the speed's rank; L1: a wei per byte. */
function chain() {
  let readings = 0
  const rank = { slow: 1n, normal: 2n, fast: 3n }
  const feesOf = (speed: FeeSpeed) =>
    typeof speed === 'object'
      ? { baseFeePerGas: 1n, ...speed }
      : { baseFeePerGas: 1n, maxFeePerGas: rank[speed], maxPriorityFeePerGas: 1n }
  const stand: Partial<Chain> = {
    feeLimits: builtInFeeLimits(1),
    l1Fee: async (bytes) => BigInt(bytes),
    async feesBySpeed() {
      readings += 1
      return feesOf
    },
  }
  return { chain: stand as Chain, readings: () => readings }
}

it('computes the fee at each speed and the L1 fee from a single reading of the chain’s fees', async () => {
  const { chain: stand, readings } = chain()
  const { doubtOf, ...cost } = await getCost(stand, [{ data: '0x1234' }, { data: '0x' }], 1_000n)
  expect(doubtOf(undefined)).toBeUndefined()
  expect(cost).toEqual({
    gas: 1_000n,
    expectedGas: 833n,
    networkFee: 2_302n,
    // Base fee and tip of the gas without its margin, and the L1 fee without its headroom.
    expectedFee: 833n * 2n + 241n,
    l1Fee: 302n,
    feeCap: 3_453n,
    baseFeePerGas: 1n,
    speeds: {
      slow: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, networkFee: 1_302n, expectedFee: 833n + 241n },
      normal: { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, networkFee: 2_302n, expectedFee: 1_907n },
      fast: { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n, networkFee: 3_302n, expectedFee: 1_907n },
    },
  })
  expect(readings()).toBe(1)
})

it('computes the network fee at a custom speed', async () => {
  const asked = { maxFeePerGas: 50n, maxPriorityFeePerGas: 2n }
  const cost = await getCost(chain().chain, [], 10n, asked)
  expect(cost).toMatchObject({ networkFee: 500n, speeds: { normal: { networkFee: 20n } } })
  // The next block takes its base fee and the tip, whatever the maximum.
  expect(cost.expectedFee).toBe(8n * 3n)
})

it('expects the gas that was simulated, and never more than the maximum fee per gas', async () => {
  const tight = { maxFeePerGas: 2n, maxPriorityFeePerGas: 2n }
  expect(await getCost(chain().chain, [], 1_000n, tight, 600n)).toMatchObject({
    gas: 1_000n,
    expectedGas: 600n,
    expectedFee: 1_200n,
    feeCap: 3_000n,
  })
})
