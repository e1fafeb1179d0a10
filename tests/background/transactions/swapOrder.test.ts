import { describe, expect, it } from 'vitest'
import type { IntentRecord, StepRecord } from '../../../src/background/transactions/schemas.ts'
import { hasEarlierSwap } from '../../../src/background/transactions/swapOrder.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'

const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

const signed: StepRecord = {
  kind: 'swap',
  state: 'sent',
  nonce: 0,
  raw: '0x02',
  hash: `0x${'01'.repeat(32)}`,
  deadline: 0,
  fee: 0n,
}

function record(
  id: string,
  createdAt: number,
  steps: StepRecord[] = [],
  sell: Address = dai,
): IntentRecord & { intent: SwapIntent } {
  const intent: SwapIntent = {
    id: id.repeat(32),
    account: weth,
    trade: { chainId: 1, sell, buy: weth, amount: 1n },
    floor: 1n,
    router: weth,
    feeCap: 1n,
    slippageBps: 50,
  }
  return { intent, createdAt, steps, outcome: { status: 'working' } }
}

describe('hasEarlierSwap', () => {
  it('orders swaps by age, and by id when they are equally old', () => {
    const [older, newer, twin] = [record('b', 1), record('a', 2), record('c', 1)]
    const all = [older, newer, twin]
    expect(all.map((one) => hasEarlierSwap(one, all))).toEqual([false, true, true])
  })

  it('puts a signed swap before an older unsigned one', () => {
    const [older, newer] = [record('a', 1), record('b', 2, [signed])]
    expect(hasEarlierSwap(older, [older, newer])).toBe(true)
    expect(hasEarlierSwap(newer, [older, newer])).toBe(false)
  })

  it('counts an earlier swap that needs an unlock', () => {
    const older = { ...record('a', 1), outcome: { status: 'needs-unlock' } as const }
    expect(hasEarlierSwap(record('b', 2), [older])).toBe(true)
  })

  it('returns false between a swap and an unwrap of the same token', () => {
    const unwrap = record('a', 1, [], weth)
    unwrap.intent.trade.buy = nativeTokenAddress
    const swap = record('b', 2, [], weth)
    expect(hasEarlierSwap(swap, [unwrap])).toBe(false)
    expect(hasEarlierSwap({ ...unwrap, createdAt: 3 }, [swap])).toBe(false)
  })

  it('ignores finished swaps, swaps of other tokens and swaps of native tokens', () => {
    const over = { ...record('a', 1), outcome: { status: 'done', received: 1n } as const }
    const mine = record('c', 3)
    expect(hasEarlierSwap(mine, [over, record('b', 2, [], weth), mine])).toBe(false)
    expect(
      hasEarlierSwap(record('c', 3, [], nativeTokenAddress), [record('b', 2, [], nativeTokenAddress)]),
    ).toBe(false)
  })
})
