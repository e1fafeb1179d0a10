import fc from 'fast-check'
import { type Address, encodeFunctionData, parseAbi, parseEventLogs, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer, send } from '../../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import { divDown, divUp, one, powUp } from '../../../../service/pools/math/fixedPoint.ts'
import { pow } from '../../../../service/pools/math/logExp.ts'

const abi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] weights, uint256 swapFeePercentage, address owner)',
  'event PoolCreated(address indexed pool)',
  'struct Request { uint8 kind; address tokenIn; address tokenOut; uint256 amount; bytes32 poolId; uint256 lastChangeBlock; address from; address to; bytes userData; }',
  'function onSwap(Request request, uint256 balanceTokenIn, uint256 balanceTokenOut) view returns (uint256)',
])

/** 0.0001%, a pool's minimum fee. */
const fee = 10n ** 12n

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

describe('pow', () => {
  it('matches the pool contract to the last digit, for the exponents and bases of swaps', async () => {
    for (const weight of [1n, 3n, 20n, 37n, 50n]) {
      const pool = await createPool(weight)
      const bases = [
        ...edges,
        ...fc.sample(fc.bigInt({ min: lowest, max: one }), { numRuns: 60, seed: Number(weight) }),
      ]
      for (const [weightIn, weightOut] of [
        [weight, 100n - weight],
        [100n - weight, weight],
      ] as const) {
        const exponent = divDown(weightIn * percent, weightOut * percent)
        const trades = bases.map(tradeOf)
        const [low, high] = [localnet.tokens.DAI, localnet.tokens.LINK].sort() as [Address, Address]
        const [tokenIn, tokenOut] = weightIn === weight ? [low, high] : [high, low]
        const answers = await localnet.client.multicall({
          contracts: trades.map(({ amount, held }) => {
            const request = {
              ...{ kind: 0, tokenIn, tokenOut, amount, poolId: zeroHash, lastChangeBlock: 0n },
              ...{ from: deployer, to: deployer, userData: '0x' as const },
            }
            // Shows every digit of the power.
            return { address: pool, abi, functionName: 'onSwap', args: [request, held, one * one] } as const
          }),
          allowFailure: false,
          batchSize: 40_000,
        })
        trades.forEach(({ base }, i) => {
          const power = powUp(base, exponent)
          const paid = power < one ? (one - power) * one : 0n
          expect(answers[i], `${base} ^ ${exponent}`).toBe(paid)
        })
      }
    }
  })

  it('matches floating-point powers to thirteen digits within the range of the contract', () => {
    const size = fc
      .integer({ min: 1, max: 140 })
      .chain((bits) => fc.bigInt(2n ** BigInt(bits - 1), 2n ** BigInt(bits)))
    let computed = 0
    for (const [x, y] of fc.sample(fc.tuple(size, size), { numRuns: 5_000, seed: 1 })) {
      const logarithm = Math.log(Number(x) / 1e18) * (Number(y) / 1e18)
      if (logarithm < -40.9 || logarithm > 129.9) continue
      computed++
      const expected = Math.exp(logarithm) * 1e18
      expect(Math.abs(Number(pow(x, y)) - expected), `${x} ^ ${y}`).toBeLessThan(1 + expected * 1e-13)
    }
    expect(computed).toBeGreaterThan(1_000)
  })

  it('returns one or zero without a logarithm, and throws RangeError out of range', () => {
    expect(pow(123n, 0n)).toBe(one)
    expect(pow(0n, 0n)).toBe(one)
    expect(pow(0n, 5n)).toBe(0n)
    const refused = [
      ...[[2n ** 255n, one] as const, [one, 2n ** 254n / 10n ** 20n] as const],
      // e^460 and e^-41.4.
      ...[[10n ** 38n, 10n * one] as const, [1n, one] as const],
    ]
    for (const [x, y] of refused) expect(() => pow(x, y), `${x} ^ ${y}`).toThrow(RangeError)
  })
})

const percent = 10n ** 16n

/** A swap sells at most 30% of a balance. */
const lowest = divUp(one, (13n * one) / 10n)

/** Around one, where logarithms gain digits, and the minimum. */
const edges = [one, (9n * one) / 10n, lowest].flatMap((edge) =>
  [-2n, -1n, 0n, 1n, 2n].map((off) => edge + off).filter((base) => base >= lowest && base <= one),
)

function tradeOf(base: bigint) {
  const held = 10n ** 30n
  const kept = (held * one) / base - held
  const amount = (kept * one) / (one - fee)
  const after = amount - divUp(amount * fee, one * one)
  return { held, amount, base: divUp(held, held + after) }
}

async function createPool(weight: bigint) {
  const tokens = [localnet.tokens.DAI, localnet.tokens.LINK].sort()
  const weights = [weight * percent, (100n - weight) * percent]
  const args = ['Pool', 'P', tokens, weights, fee, deployer] as const
  const data = encodeFunctionData({ abi, functionName: 'create', args })
  const { logs } = await send(localnet.client, { to: localnet.contracts.weightedFactory, data })
  return parseEventLogs({ abi, logs, eventName: 'PoolCreated' })[0]!.args.pool
}
