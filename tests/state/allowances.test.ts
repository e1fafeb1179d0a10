import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallBatch } from '../../src/domain/activity/callBatch.ts'
import { WalletError } from '../../src/errors.ts'
import type { Allowance, RevokeRequest, WalletApi } from '../../src/protocol.ts'
import { allowanceKey, createAllowances } from '../../src/state/allowances.ts'
import { systemClock } from '../../src/state/clock.ts'
import { dai, pending, standInWallet, usdc } from '../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const account = `0x${'1'.repeat(40)}` as const
const router = `0x${'2'.repeat(40)}` as const
const granted: Allowance[] = [
  { token: usdc, spender: router, amount: 25n },
  { token: dai, spender: router, amount: 2n ** 160n - 1n, via: 'permit2' },
]
const ask: RevokeRequest = { chainId: 31337, account, token: usdc.address, spender: router }
const key = allowanceKey(ask)
const stopped = () => Promise.reject(new WalletError('worker-stopped', 'Stopped.'))

function opened(methods: Partial<WalletApi>) {
  return createAllowances(standInWallet(methods), systemClock(), () => 'id')
}

function sendingOf(outcome: CallBatch['outcome'], state: 'sent' | 'mined' = 'sent'): CallBatch {
  const intent = { id: 'id', account, chainId: 31337, calls: [], feeCap: 9n, mayFail: false }
  return { intent, createdAt: 1, paid: 0n, steps: [{ kind: 'call', state }], outcome }
}

describe('reading allowances', () => {
  it('reads the allowances of the account from the worker', async () => {
    const asked: unknown[] = []
    const store = opened({
      async allowances(...of) {
        asked.push(of)
        return granted
      },
    })
    await store.load(31337, account)
    expect(asked).toEqual([[31337, account]])
    expect(store.getState()).toMatchObject({ list: granted, error: undefined })
  })

  it('reads again when the worker stops before it answers', async () => {
    let asked = 0
    const store = opened({
      async allowances() {
        asked += 1
        return asked < 3 ? stopped() : granted
      },
    })
    const loaded = store.load(31337, account)
    await vi.advanceTimersByTimeAsync(5_000)
    await loaded
    expect(store.getState().list).toEqual(granted)
  })

  it('reports why the allowances cannot be read', async () => {
    const store = opened({ allowances: () => Promise.reject(new WalletError('node-timeout', 'Late.')) })
    await store.load(31337, account)
    expect(store.getState()).toMatchObject({ list: undefined, error: { code: 'node-timeout' } })
  })

  it('ignores a late answer for another account', async () => {
    const slow = pending<Allowance[]>()
    const store = opened({ allowances: (_, of) => (of === account ? slow.promise : Promise.resolve([])) })
    const late = store.load(31337, account)
    await store.load(31337, router)
    slow.resolve(granted)
    await late
    expect(store.getState().list).toEqual([])
  })

  it('reads the allowance of one token for one spender', async () => {
    const asked: unknown[] = []
    const store = opened({
      async allowance(...of) {
        asked.push(of)
        return 5n
      },
    })
    await store.look(ask)
    expect(asked).toEqual([[31337, account, usdc.address, router]])
    expect(store.getState().named).toEqual({ [key]: 5n })
  })

  it('prefers a single allowance to the list when it was read after the list was requested', async () => {
    const slow = pending<Allowance[]>()
    const store = opened({ allowances: () => slow.promise, allowance: async () => 0n })
    await store.look({ ...ask, token: dai.address })
    const loaded = store.load(31337, account)
    await store.look(ask)
    slow.resolve(granted)
    await loaded
    expect(store.getState()).toMatchObject({ list: granted })
    expect(store.getState().named).toEqual({ [key]: 0n })
  })

  it('reads a Permit2 allowance from the allowance list, and 0 when it is missing there', async () => {
    const inside: RevokeRequest = { ...ask, token: dai.address, via: 'permit2' }
    const store = opened({ allowances: async () => granted })
    await store.look(inside)
    await store.look({ ...inside, token: usdc.address })
    expect(Object.values(store.getState().named)).toEqual([2n ** 160n - 1n, 0n])
  })
})

describe('revoking an allowance', () => {
  it('sends nothing before the fee was priced', async () => {
    const store = opened({})
    await store.revoke(ask)
    expect(store.getState().revocations).toEqual({})
  })

  it('sends the shown fee as the cap and polls every two seconds until the revocation is mined', async () => {
    const handed: unknown[] = []
    let looked = 0
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      async revoke(intent) {
        handed.push(intent)
        return sendingOf({ status: 'working' })
      },
      async callBatch() {
        looked += 1
        if (looked === 2) return stopped()
        // The worker has not built it yet.
        if (looked === 1) return { ...sendingOf({ status: 'working' }), steps: [] }
        return sendingOf({ status: 'working' }, looked < 4 ? 'sent' : 'mined')
      },
      allowance: async () => 0n,
    })
    await store.price(ask)
    expect(store.getState().revocations[key]).toEqual({ at: 'priced', fee: { expectedFee: 4n, feeCap: 9n } })
    const revoked = store.revoke(ask)
    await vi.advanceTimersByTimeAsync(5_999)
    expect(store.getState().revocations[key]).toEqual({ at: 'sending' })
    expect(looked).toBe(3)
    await vi.advanceTimersByTimeAsync(1)
    await revoked
    expect(handed).toEqual([{ ...ask, id: 'id', feeCap: 9n }])
    expect(store.getState()).toMatchObject({ named: { [key]: 0n }, revocations: {} })
  })

  it('keeps one id across worker restarts', async () => {
    const ids: string[] = []
    let made = 0
    const wallet = standInWallet({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      async revoke({ id }) {
        ids.push(id)
        return ids.length < 3 ? stopped() : sendingOf({ status: 'working' })
      },
      callBatch: async () => sendingOf({ status: 'done', received: 0n }),
      allowance: async () => 0n,
    })
    const store = createAllowances(wallet, systemClock(), () => `id${made++}`)
    await store.price(ask)
    const revoked = store.revoke(ask)
    await vi.advanceTimersByTimeAsync(5_000)
    await revoked
    expect(ids).toEqual(['id0', 'id0', 'id0'])
  })

  it('sends one revocation for two clicks', async () => {
    let revoked = 0
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      async revoke() {
        revoked += 1
        return sendingOf({ status: 'working' })
      },
      callBatch: async () => sendingOf({ status: 'done', received: 0n }),
      allowance: async () => 0n,
    })
    await store.price(ask)
    await Promise.all([store.revoke(ask), store.revoke(ask)])
    expect(revoked).toBe(1)
  })

  it('reports why the revocation failed and can be priced again', async () => {
    const failed = { status: 'failed', code: 'reverted', message: 'No.', facts: {} } as const
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      revoke: async () => sendingOf({ status: 'working' }),
      callBatch: async () => sendingOf(failed),
    })
    await store.price(ask)
    await store.revoke(ask)
    expect(store.getState().revocations[key]).toMatchObject({ at: 'failed', error: { code: 'reverted' } })
    expect(store.getState().named).toEqual({})
    await store.price(ask)
    expect(store.getState().revocations[key]).toEqual({ at: 'priced', fee: { expectedFee: 4n, feeCap: 9n } })
  })

  it('reports that the wallet must be unlocked, and continues afterwards', async () => {
    let outcome: CallBatch['outcome'] = { status: 'needs-unlock' }
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      revoke: async () => sendingOf(outcome),
      callBatch: async () => sendingOf(outcome),
      allowance: async () => 0n,
    })
    await store.price(ask)
    const revoked = store.revoke(ask)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().revocations[key]).toEqual({ at: 'needs-unlock' })
    await store.price(ask)
    expect(store.getState().revocations[key]).toEqual({ at: 'needs-unlock' })
    outcome = { status: 'working' }
    await vi.advanceTimersByTimeAsync(2_000)
    expect(store.getState().revocations[key]).toEqual({ at: 'sending' })
    outcome = { status: 'done', received: 0n }
    await vi.advanceTimersByTimeAsync(2_000)
    await revoked
    expect(store.getState().revocations).toEqual({})
  })

  it('stops waiting after ten minutes', async () => {
    let looked = 0
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      revoke: async () => sendingOf({ status: 'working' }),
      async callBatch() {
        looked += 1
        return sendingOf({ status: 'working' })
      },
    })
    await store.price(ask)
    const revoked = store.revoke(ask)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    await revoked
    expect(store.getState().revocations[key]).toMatchObject({ at: 'failed', error: { code: 'node-timeout' } })
    expect(looked).toBe(300)
  })

  it('fails at once when the worker does not know the revocation', async () => {
    const store = opened({
      revokeFee: async () => ({ expectedFee: 4n, feeCap: 9n }),
      revoke: async () => sendingOf({ status: 'working' }),
      callBatch: async () => undefined,
    })
    await store.price(ask)
    await store.revoke(ask)
    expect(store.getState().revocations[key]).toMatchObject({ at: 'failed', error: { code: 'internal' } })
  })
})
