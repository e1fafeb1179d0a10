import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import {
  stableSwapPoolAddress,
  stableSwapPools,
  stableSwapPoolTitle,
} from '../../dev/pools/stableSwapPools.ts'
import { findToken, unitsForUsd } from '../../dev/pools/tokens.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

const signed = parseAbi(['function get_dy(int128, int128, uint256) view returns (uint256)'])
const unsigned = parseAbi(['function get_dy(uint256, uint256, uint256) view returns (uint256)'])

it('opens StableSwap pools that price their tokens within two fees below the reference', async () => {
  for (const plan of stableSwapPools) {
    const address = stableSwapPoolAddress(plan)
    for (const [i, sell] of plan.tokens.entries()) {
      for (const [j, buy] of plan.tokens.entries()) {
        if (i === j) continue
        const args = [BigInt(i), BigInt(j), unitsForUsd(findToken(sell), 1_000)] as const
        const abi = plan.factory === 'pancakeStableFactory' ? unsigned : signed
        const bought = await localnet.client.readContract({ address, abi, functionName: 'get_dy', args })
        const dollars = Number(bought) / 10 ** findToken(buy).decimals
        const fee = Number(plan.fee) / 1e10
        expect(dollars, stableSwapPoolTitle(plan)).toBeLessThan(1_000)
        expect(dollars, stableSwapPoolTitle(plan)).toBeGreaterThan(1_000 * (1 - 2.2 * fee))
      }
    }
  }
})
