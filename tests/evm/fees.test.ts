import fc from 'fast-check'
import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { FeeSpeed } from '../../src/domain/swap/swap.ts'
import { WalletError } from '../../src/errors.ts'
import { type Fees, readFeeHistory, readFees } from '../../src/evm/fees.ts'
import { createRpc, type Rpc } from '../../src/evm/rpc/rpc.ts'

/** Other methods are not found. */
type Answers = Record<string, unknown>

const refuses = (code: number, message: string) => ({ error: { code, message } })

function rpcOf(answers: Answers, asked: string[] = []): Rpc {
  return createRpc(async (method, _params, read) => {
    asked.push(method)
    const answer = method in answers ? answers[method] : refuses(-32601, 'Method not found')
    if (answer instanceof WalletError) throw answer
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer
    return read(isError ? (answer as { error: object }) : { result: answer })
  })
}

type History = { reward?: bigint[][] | null; baseFeePerGas?: bigint[]; gasUsedRatio?: number[] }

const block = (baseFeePerGas?: unknown) => ({
  number: '0x5',
  ...(baseFeePerGas !== undefined && { baseFeePerGas }),
})

function node(history: History, suggested = 7n, asked?: string[]): Rpc {
  const { reward, baseFeePerGas = [90n, 100n], ...rest } = history
  const written = {
    ...rest,
    baseFeePerGas: baseFeePerGas.map((fee) => toHex(fee)),
    ...(reward !== undefined && { reward: reward?.map((tips) => tips.map((tip) => toHex(tip))) ?? null }),
  }
  const answers = {
    eth_feeHistory: written,
    eth_maxPriorityFeePerGas: toHex(suggested),
    eth_getBlockByNumber: block(toHex(baseFeePerGas[0] ?? 0n)),
  }
  return rpcOf(answers, asked)
}

async function tips(history: History, suggested?: bigint) {
  const speeds = ['slow', 'normal', 'fast'] as const
  const fees = await Promise.all(speeds.map((speed) => readFees(node(history, suggested), speed)))
  return fees.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)
}

const reward = [
  [1n, 20n, 300n],
  [3n, 40n, 500n],
  [2n, 30n, 90_000n],
]

describe('fee speeds', () => {
  it('uses the median priority fee of the percentile, and leaves room for the base fee', async () => {
    const at = (speed?: FeeSpeed) => readFees(node({ reward }), speed)
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

  it('uses the node’s suggestion when the fee history holds no rewards', async () => {
    expect(await tips({})).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: null })).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: [[], []] })).toEqual([7n, 7n, 7n])
    expect(await tips({ reward: [[0n, 0n, 0n]] })).toEqual([7n, 7n, 7n])
  })

  it('raises a zero priority fee to the node’s suggestion, but not above a faster speed', async () => {
    expect(await tips({ reward: [[0n, 0n, 5n]] })).toEqual([5n, 5n, 5n])
    expect(await tips({ reward: [[0n, 4n, 50n]] })).toEqual([4n, 4n, 50n])
    expect(await tips({ reward: [[0n, 10n, 50n]] })).toEqual([7n, 10n, 50n])
    expect(await tips({ reward: [[0n, 0n, 0n]] }, 0n)).toEqual([0n, 0n, 0n])
  })

  it('ignores empty blocks', async () => {
    const empty = [0n, 0n, 0n]
    const history = { reward: [empty, [1n, 2n, 3n], empty], gasUsedRatio: [0, 0.5, 0] }
    expect(await tips(history)).toEqual([1n, 2n, 3n])
  })

  it('never costs more than a faster speed, for random fee histories', async () => {
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

describe('readFeeHistory', () => {
  it('serves all speeds from one read, each equal to a separate read', async () => {
    const asked: string[] = []
    const feesOf = await readFeeHistory(node({ reward }, 7n, asked))
    const speeds: FeeSpeed[] = ['slow', 'normal', 'fast', { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }]
    for (const speed of speeds) expect(feesOf(speed)).toEqual(await readFees(node({ reward }), speed))
    expect(() => feesOf({ maxFeePerGas: 99n, maxPriorityFeePerGas: 1n })).toThrow('takes 100 wei')
    expect(asked.sort()).toEqual(['eth_feeHistory', 'eth_getBlockByNumber', 'eth_maxPriorityFeePerGas'])
  })
})

describe('custom fees', () => {
  const custom = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
    readFees(node({ reward }), { maxFeePerGas, maxPriorityFeePerGas })

  it('keeps custom fees unchanged', async () => {
    const fees = { baseFeePerGas: 100n, maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }
    expect(await custom(100n, 100n)).toEqual(fees)
    expect(await custom(5_000n, 1n)).toMatchObject({ maxFeePerGas: 5_000n, maxPriorityFeePerGas: 1n })
  })

  it('rejects a maximum fee below the next base fee, and reports both values', async () => {
    await expect(custom(99n, 1n)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The next block takes 100 wei per gas; 99 is less.',
      facts: { field: 'maxFeePerGas', value: '99', least: '100' },
    })
  })

  it('rejects a priority fee below 1 or above the maximum fee', async () => {
    for (const tip of [0n, -1n, 201n]) {
      await expect(custom(200n, tip)).rejects.toMatchObject({
        code: 'invalid-input',
        facts: { field: 'maxPriorityFeePerGas', value: String(tip), least: '1', most: '200' },
      })
    }
  })
})

const gwei = 10n ** 9n
const silent = new WalletError('node-unreachable', 'The node asks for fewer questions.', { status: '429' })
const dynamic = {
  eth_getBlockByNumber: block(toHex(10n * gwei)),
  eth_gasPrice: toHex(12n * gwei),
}

describe('incomplete fee data', () => {
  const history = {
    baseFeePerGas: [toHex(9n * gwei), toHex(10n * gwei)],
    gasUsedRatio: [0.5],
    reward: [['0x1', '0x2', '0x3']],
  }
  const suggested = { eth_maxPriorityFeePerGas: toHex(gwei) }
  const byGasPrice = { baseFeePerGas: 10n * gwei, maxFeePerGas: 22n * gwei, maxPriorityFeePerGas: 2n * gwei }
  const bySuggestion = { baseFeePerGas: 10n * gwei, maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei }

  it.each<[string, Answers, Partial<Fees>]>([
    [
      'a negative reward, which paid nothing',
      {
        ...dynamic,
        ...suggested,
        eth_feeHistory: { ...history, reward: [['-0xfd', '-0xfd', '0x3b9aca00']] },
      },
      bySuggestion,
    ],
    [
      'negative rewards alone, without a suggestion',
      { ...dynamic, eth_feeHistory: { ...history, reward: [['-0xfd', '-0x1', '-0xFF']] } },
      byGasPrice,
    ],
    [
      'rewards that are no numbers',
      {
        ...dynamic,
        ...suggested,
        eth_feeHistory: { ...history, reward: [[null, '0x', 'NaN'], null, {}, [5]] },
      },
      bySuggestion,
    ],
    [
      'rewards of null',
      { ...dynamic, ...suggested, eth_feeHistory: { ...history, reward: null } },
      bySuggestion,
    ],
    [
      'rewards as a text',
      { ...dynamic, ...suggested, eth_feeHistory: { ...history, reward: '0x1' } },
      bySuggestion,
    ],
    [
      'ratios that are no numbers',
      { ...dynamic, ...suggested, eth_feeHistory: { ...history, gasUsedRatio: ['NaN', null] } },
      { ...bySuggestion, maxFeePerGas: 20n * gwei + 2n, maxPriorityFeePerGas: 2n },
    ],
    ['no suggestion', { ...dynamic, eth_feeHistory: { ...history, reward: null } }, byGasPrice],
    [
      'a negative suggestion',
      { ...dynamic, eth_maxPriorityFeePerGas: '-0x1', eth_feeHistory: { ...history, reward: null } },
      byGasPrice,
    ],
    ['no history', { ...dynamic, ...suggested }, bySuggestion],
    ['a history of null', { ...dynamic, ...suggested, eth_feeHistory: null }, bySuggestion],
    [
      'a history without base fees',
      { ...dynamic, ...suggested, eth_feeHistory: { oldestBlock: '0x1' } },
      bySuggestion,
    ],
    [
      'a history with a base fee that is no number',
      { ...dynamic, ...suggested, eth_feeHistory: { baseFeePerGas: ['0x1', '0x'] } },
      bySuggestion,
    ],
    [
      'a history whose next base fee is zero',
      { ...dynamic, ...suggested, eth_feeHistory: { baseFeePerGas: ['0x0', '0x0'] } },
      bySuggestion,
    ],
    [
      'a node that answers no more of both for now',
      { ...dynamic, eth_feeHistory: silent, eth_maxPriorityFeePerGas: silent },
      byGasPrice,
    ],
    ['a base fee and a gas price alone', dynamic, byGasPrice],
    [
      'a base fee alone: the tip is a tenth of it, 1 gwei at most',
      { eth_getBlockByNumber: block(toHex(4n * gwei)) },
      {
        baseFeePerGas: 4n * gwei,
        maxFeePerGas: 8n * gwei + 4n * 10n ** 8n,
        maxPriorityFeePerGas: 4n * 10n ** 8n,
      },
    ],
    [
      'a high base fee alone',
      { eth_getBlockByNumber: block(toHex(1_000n * gwei)) },
      { baseFeePerGas: 1_000n * gwei, maxFeePerGas: 2_001n * gwei, maxPriorityFeePerGas: gwei },
    ],
    [
      'a base fee of zero, and a gas price',
      { eth_getBlockByNumber: block('0x0'), eth_gasPrice: toHex(gwei) },
      { baseFeePerGas: 0n, maxFeePerGas: gwei, maxPriorityFeePerGas: gwei },
    ],
    [
      'a base fee of zero alone',
      { eth_getBlockByNumber: block('0x0') },
      { baseFeePerGas: 0n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    ],
    [
      'a base fee that is no number, and a gas price',
      { eth_getBlockByNumber: block('-0x5'), eth_gasPrice: toHex(10n * gwei) },
      { baseFeePerGas: 10n * gwei, maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei },
    ],
    [
      'no block, and a gas price',
      { eth_gasPrice: toHex(10n * gwei) },
      { baseFeePerGas: 10n * gwei, maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei },
    ],
    ['a history alone', { eth_feeHistory: history }, { baseFeePerGas: 10n * gwei, maxPriorityFeePerGas: 2n }],
  ])('derives fees with %s', async (_name, answers, expected) => {
    const fees = await readFees(rpcOf(answers))
    expect(fees).toMatchObject(expected)
    expect(fees.isLegacy).toBeUndefined()
  })

  it('throws the node’s error without any fee data, and on a wrong chain', async () => {
    await expect(readFees(rpcOf({}))).rejects.toMatchObject({ code: 'node-refused' })
    const down = { eth_feeHistory: silent, eth_maxPriorityFeePerGas: silent, eth_getBlockByNumber: silent }
    const asked: string[] = []
    await expect(readFees(rpcOf(down, asked))).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(asked).not.toContain('eth_gasPrice')
    const other = new WalletError('wrong-chain', 'The node serves another chain.')
    const wrong = { ...dynamic, eth_feeHistory: other }
    await expect(readFees(rpcOf(wrong))).rejects.toMatchObject({ code: 'wrong-chain' })
  })
})

describe('chains without EIP-1559', () => {
  const price = (gasPrice: bigint) => ({
    baseFeePerGas: 0n,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    isLegacy: true,
  })
  const all: FeeSpeed[] = ['slow', 'normal', 'fast', { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }]

  it.each<[string, Answers]>([
    ['no base fee', { eth_getBlockByNumber: block() }],
    ['a base fee of null', { eth_getBlockByNumber: block(null) }],
    [
      'answers of its own to the methods of EIP-1559',
      {
        eth_getBlockByNumber: block(),
        eth_maxPriorityFeePerGas: '0x7',
        eth_feeHistory: { baseFeePerGas: ['0x0', '0x0'], reward: [['0x1', '0x1', '0x1']] },
      },
    ],
    [
      'a history with a base fee that its blocks do not have',
      { eth_getBlockByNumber: block(), eth_feeHistory: { baseFeePerGas: ['0x64', '0x64'] } },
    ],
  ])('uses the gas price at each speed: %s', async (_name, answers) => {
    const feesOf = await readFeeHistory(rpcOf({ ...answers, eth_gasPrice: toHex(1_001n) }))
    expect(all.map(feesOf)).toEqual([price(1_001n), price(1_001n), price(1_252n), price(30n)])
  })

  it('uses the suggested priority fee without a gas price, and throws without either', async () => {
    const answers = { eth_getBlockByNumber: block(), eth_maxPriorityFeePerGas: '0x9' }
    expect(await readFees(rpcOf(answers))).toEqual(price(9n))
    const none = readFees(rpcOf({ eth_getBlockByNumber: block() }))
    await expect(none).rejects.toMatchObject({ code: 'node-refused' })
  })

  it('accepts a gas price of zero, also as a custom fee', async () => {
    const feesOf = await readFeeHistory(rpcOf({ eth_getBlockByNumber: block(), eth_gasPrice: '0x0' }))
    expect(feesOf('fast')).toEqual(price(0n))
    expect(feesOf({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })).toEqual(price(0n))
  })
})
