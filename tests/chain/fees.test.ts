import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeeHistory } from '../../src/chain/answers.ts'
import { readFees, readMarket } from '../../src/chain/fees.ts'
import type { Rpc } from '../../src/chain/rpc.ts'
import type { Speed } from '../../src/domain/swap/swap.ts'

/** A node by what it answers. */
function node(history: Partial<FeeHistory>, suggested = 7n): Rpc {
  return {
    ask: async (method: string) =>
      method === 'eth_feeHistory' ? { baseFeePerGas: [90n, 100n], ...history } : suggested,
    attempt: () => expect.fail('is not used'),
  } as unknown as Rpc
}

async function tips(history: Partial<FeeHistory>, suggested?: bigint) {
  const speeds = ['slow', 'normal', 'fast'] as const
  const fees = await Promise.all(speeds.map((speed) => readFees(node(history, suggested), speed)))
  return fees.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)
}

const reward = [
  [1n, 20n, 300n],
  [3n, 40n, 500n],
  [2n, 30n, 90_000n],
]

describe('a speed', () => {
  it('takes the median tip of its percentile, and leaves room for the base fee', async () => {
    const at = (speed?: Speed) => readFees(node({ reward }), speed)
    expect(await at('slow')).toEqual({
      baseFeePerGas: 100n,
      maxFeePerGas: 127n,
      maxPriorityFeePerGas: 2n,
    })
    expect(await at('normal')).toEqual({
      baseFeePerGas: 100n,
      maxFeePerGas: 230n,
      maxPriorityFeePerGas: 30n,
    })
    expect(await at('fast')).toMatchObject({ maxFeePerGas: 700n, maxPriorityFeePerGas: 500n })
    expect(await at()).toEqual(await at('normal'))
  })

  it('takes the node’s suggestion when there is nothing to learn from', async () => {
    expect(await tips({})).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: null })).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: [[], []] })).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: [[0n, 0n, 0n]] })).toEqual([7n, 7n, 7n])
  })

  it('is not zero where the node suggests more, nor more than a faster one', async () => {
    expect(await tips({ reward: [[0n, 0n, 5n]] })).toEqual([5n, 5n, 5n])
    expect(await tips({ reward: [[0n, 4n, 50n]] })).toEqual([4n, 4n, 50n])
    expect(await tips({ reward: [[0n, 10n, 50n]] })).toEqual([7n, 10n, 50n])
    expect(await tips({ reward: [[0n, 0n, 0n]] }, 0n)).toEqual([0n, 0n, 0n])
  })

  it('learns nothing from empty blocks', async () => {
    const empty = [0n, 0n, 0n]
    const history = { reward: [empty, [1n, 2n, 3n], empty], gasUsedRatio: [0, 0.5, 0] }
    expect(await tips(history)).toEqual([1n, 2n, 3n])
  })

  it('is never dearer than a faster one, whatever the node says', async () => {
    const amount = fc.bigInt(0n, 2n ** 80n)
    const rewards = fc.array(fc.array(amount, { maxLength: 4 }), { maxLength: 12 })
    const property = fc.asyncProperty(rewards, amount, amount, async (reward, base, suggested) => {
      const rpc = node({ reward, baseFeePerGas: [base] }, suggested)
      const [slow, normal, fast] = await Promise.all(
        (['slow', 'normal', 'fast'] as const).map((speed) => readFees(rpc, speed)),
      )
      for (const [one, next] of [
        [slow, normal],
        [normal, fast],
      ]) {
        expect(one!.maxPriorityFeePerGas).toBeLessThanOrEqual(next!.maxPriorityFeePerGas)
        expect(one!.maxFeePerGas).toBeLessThanOrEqual(next!.maxFeePerGas)
        expect(one!.maxFeePerGas).toBeGreaterThanOrEqual(base + one!.maxPriorityFeePerGas)
      }
    })
    await fc.assert(property)
  })
})

describe('all speeds', () => {
  it('come of one reading, each as it is alone', async () => {
    const asked: string[] = []
    const { ask, ...rest } = node({ reward })
    const counted = {
      ...rest,
      ask: (...args: Parameters<Rpc['ask']>) => {
        asked.push(args[0])
        return ask(...args)
      },
    } as Rpc
    const feesOf = await readMarket(counted)
    const speeds: Speed[] = ['slow', 'normal', 'fast', { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }]
    for (const speed of speeds) expect(feesOf(speed)).toEqual(await readFees(node({ reward }), speed))
    expect(() => feesOf({ maxFeePerGas: 99n, maxPriorityFeePerGas: 1n })).toThrow('takes 100 wei')
    expect(asked.sort()).toEqual(['eth_feeHistory', 'eth_maxPriorityFeePerGas'])
  })
})

describe('a custom speed', () => {
  const custom = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
    readFees(node({ reward }), { maxFeePerGas, maxPriorityFeePerGas })

  it('is taken as it is', async () => {
    const fees = { baseFeePerGas: 100n, maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }
    expect(await custom(100n, 100n)).toEqual(fees)
    expect(await custom(5_000n, 1n)).toMatchObject({ maxFeePerGas: 5_000n, maxPriorityFeePerGas: 1n })
  })

  it('is refused with the numbers when the next block would not take it', async () => {
    await expect(custom(99n, 1n)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The next block takes 100 wei per gas; 99 is less.',
      facts: { field: 'maxFeePerGas', value: '99', least: '100' },
    })
  })

  it('is refused with a tip of nothing, or of more than all', async () => {
    for (const tip of [0n, -1n, 201n]) {
      await expect(custom(200n, tip)).rejects.toMatchObject({
        code: 'invalid-input',
        facts: { field: 'maxPriorityFeePerGas', value: String(tip), least: '1', most: '200' },
      })
    }
  })
})
