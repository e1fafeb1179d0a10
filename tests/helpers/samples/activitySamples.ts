import type { CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import type { IncomingTransfer } from '../../../src/domain/activity/incoming.ts'
import type { Swap, SwapIntent } from '../../../src/domain/swap/swap.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'

export const account: Address = `0x${'a1'.repeat(20)}`
export const friend: Address = `0x${'f1'.repeat(20)}`
export const dai: Address = `0x${'da'.repeat(20)}`
export const usdc: Address = `0x${'5c'.repeat(20)}`

const nobody: Address = `0x${'0'.repeat(40)}`

export const hash = (digit: string): Hex => `0x${digit.repeat(64)}`

export const nameOf = (_chainId: number, token: Address) =>
  ({
    [dai]: { symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 },
    [usdc]: { symbol: 'USDC', name: 'USD Coin', decimals: 6 },
  })[token]

export function swap(changes: Partial<Swap> = {}, intent: Partial<SwapIntent> = {}): Swap {
  return {
    intent: {
      id: '01'.repeat(16),
      account,
      trade: { chainId: 1, sell: dai, buy: usdc, amount: 1_500_000_000_000_000_000n },
      slippageBps: 50,
      floor: 1_490_000n,
      router: `0x${'0b'.repeat(20)}`,
      feeCap: 9n,
      ...intent,
    },
    createdAt: Date.UTC(2026, 10, 22, 23, 30),
    steps: [{ kind: 'swap', state: 'final', hash: hash('1'), nonce: 3, fee: 21n, block: 77n }],
    paid: 21_000_000_000_000n,
    outcome: { status: 'done', received: 1_499_999n },
    ...changes,
  }
}

export function sending(changes: Partial<CallBatch> = {}, intent: Partial<CallsIntent> = {}): CallBatch {
  return {
    intent: {
      id: '02'.repeat(16),
      account,
      chainId: 10,
      calls: [{ to: friend, data: '0x', value: 5n }],
      feeCap: 9n,
      mayFail: false,
      ...intent,
    },
    createdAt: Date.UTC(2026, 10, 23, 0, 30),
    steps: [{ kind: 'call', state: 'final', hash: hash('2') }],
    paid: 0n,
    outcome: { status: 'done', received: 0n },
    ...changes,
  }
}

export const incoming: IncomingTransfer = {
  id: '05'.repeat(16),
  account,
  chainId: 1,
  token: usdc,
  amount: 2_500_000n,
  createdAt: Date.UTC(2026, 10, 24, 9, 15),
  from: friend,
  hash: hash('5'),
  block: 81n,
}

export const transfer = sending(
  {},
  { purpose: { kind: 'transfer', token: usdc, to: friend, amount: 12_345_678n } },
)
export const revocation = sending({}, { purpose: { kind: 'revoke', token: dai, spender: friend } })

export const failed = (code: 'cancelled' | 'reverted' | 'replaced' | 'dropped' | 'record-damaged') =>
  ({ status: 'failed', code, message: 'It failed.', facts: {} }) as const

export const unreadable = swap(
  { createdAt: 0, steps: [], paid: 0n, outcome: failed('record-damaged') },
  {
    id: '03'.repeat(16),
    account: nobody,
    trade: { chainId: 0, sell: nobody, buy: nobody, amount: 0n },
    router: nobody,
  },
)
