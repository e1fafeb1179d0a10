import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { constantProductPool } from '../../../service/pools/constantProduct.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const token0 = '0x0000000000000000000000000000000000000001'
const token1 = '0x0000000000000000000000000000000000000002'
const listing: PoolInfo<{ feePpm: number }> = {
  kind: 'constant-product',
  source: 'UNISWAP_V2',
  address: '0x000000000000000000000000000000000000000a',
  tokens: [token0, token1],
  fixed: { feePpm: 3_000 },
}
const mostReserve = 2n ** 112n - 1n

const magnitude = (bits: number) =>
  fc
    .integer({ min: 1, max: bits })
    .chain((bit) => fc.bigInt({ min: 2n ** BigInt(bit - 1), max: 2n ** BigInt(bit) - 1n }))

const abi = parseAbi(['function getAmountOut(uint256, uint256, uint256) pure returns (uint256)'])
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function swap(uint256, uint256, address, bytes)',
])
const tokenAbi = parseAbi(['function transfer(address, uint256)'])

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

describe('constant product pools', () => {
  it('quotes exactly the amounts of the v2 library, for any reserves and amount', async () => {
    const cases = fc.sample(fc.tuple(magnitude(112), magnitude(112), magnitude(112)), {
      numRuns: 2_000,
      seed: 1,
    })
    const fitting = cases.filter(([amount, reserve]) => amount + reserve <= mostReserve)
    const answers = await localnet.client.multicall({
      contracts: fitting.map((args) => ({
        address: localnet.contracts.v2Router,
        abi,
        functionName: 'getAmountOut',
        args,
      })),
      allowFailure: false,
    })
    fitting.forEach(([amount, reserveIn, reserveOut], i) => {
      const down = constantProductPool(listing, { reserve0: reserveIn, reserve1: reserveOut })
      const up = constantProductPool(listing, { reserve0: reserveOut, reserve1: reserveIn })
      expect(down.quote(token0, token1, amount)).toBe(answers[i])
      expect(up.quote(token1, token0, amount)).toBe(answers[i])
    })
    expect(fitting.length).toBeGreaterThan(600)
  })

  it('quotes the maximum amount that the pair contract pays out', async () => {
    const plan = localnet.pools.find(({ title }) => /v2/i.test(title) && title.includes('USDC'))
    const address = plan!.address
    const read = { address, abi: pairAbi } as const
    const [reserve0, reserve1] = await localnet.client.readContract({ ...read, functionName: 'getReserves' })
    const first = await localnet.client.readContract({ ...read, functionName: 'token0' })
    const pool = constantProductPool(listing, { reserve0, reserve1 })
    for (const amount of [1_000n, 123_456_789n, reserve0 / 7n, reserve0 * 3n]) {
      const bought = pool.quote(token0, token1, amount)
      const outcome = async (asked: bigint) => {
        const { results } = await localnet.client.simulateCalls({
          account: '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed',
          calls: [
            {
              to: first,
              data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [address, amount] }),
            },
            {
              to: address,
              data: encodeFunctionData({
                abi: pairAbi,
                functionName: 'swap',
                args: [0n, asked, token1, '0x'],
              }),
            },
          ],
        })
        return results.map(({ status }) => status)
      }
      expect(await outcome(bought)).toEqual(['success', 'success'])
      expect(await outcome(bought + 1n)).toEqual(['success', 'failure'])
    }
  })

  it('quotes zero beyond the maximum of its reserves and while it is empty', () => {
    const full = constantProductPool(listing, { reserve0: mostReserve - 10n, reserve1: 10n ** 20n })
    expect(full.quote(token0, token1, 11n)).toBe(0n)
    const empty = constantProductPool(listing, { reserve0: 0n, reserve1: 0n })
    expect(empty.quote(token0, token1, 10n ** 18n)).toBe(0n)
    expect(empty.curve(token0, token1).bought(1e18)).toBe(0)
  })

  it('draws a curve close to its exact quotes', () => {
    fc.assert(
      fc.property(magnitude(100), magnitude(100), magnitude(100), (amount, reserve0, reserve1) => {
        const pool = constantProductPool(listing, { reserve0, reserve1 })
        const exact = Number(pool.quote(token0, token1, amount))
        const estimate = pool.curve(token0, token1).bought(Number(amount))
        expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(1 + exact * 1e-12)
      }),
    )
  })
})
