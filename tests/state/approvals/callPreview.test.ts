import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallPreview } from '../../../src/domain/activity/callBatch.ts'
import { WalletError } from '../../../src/errors.ts'
import { createPreview } from '../../../src/state/approvals/callPreview.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { pending, quoteOf, tradeOfAmount } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function previewOf(feeCap: bigint): CallPreview {
  return {
    simulation: { status: 'succeeds', changes: [], grants: [] },
    networkFee: feeCap,
    expectedFee: feeCap,
    feeCap,
    risks: [],
  }
}

function watched(answer: (count: number) => Promise<CallPreview>) {
  const asked: string[] = []
  const store = createPreview(
    {
      previewCalls(id) {
        asked.push(id)
        return answer(asked.length)
      },
      quote: async ({ trade }) => quoteOf(trade),
      signRisks: async () => [],
      recipientRisks: async () => [],
    },
    systemClock(),
  )
  return { store, asked, state: () => store.getState() }
}

describe('watching a preview', () => {
  it('requests a preview at once, and again 12 s after an answer', async () => {
    const { store, asked, state } = watched(async (count) => previewOf(BigInt(count)))
    store.watch('one')
    expect(state()).toEqual({ status: 'loading', id: 'one', slow: false })
    await pass(0)
    expect(state()).toEqual({ status: 'ready', id: 'one', preview: previewOf(1n), trouble: undefined })
    await pass(11_999)
    expect(asked).toHaveLength(1)
    await pass(1)
    expect(state()).toMatchObject({ preview: { feeCap: 2n } })
  })

  it('asks once for a limit that changes while it is typed, and never shows the earlier one’s outcome', async () => {
    const { store, asked, state } = watched(async (count) => previewOf(BigInt(count)))
    store.watch('one')
    await pass(0)
    for (const limit of [1n, 12n, 123n]) {
      store.stop()
      store.watch('one', limit, 300)
      expect(state()).toEqual({ status: 'loading', id: 'one', slow: false })
      await pass(299)
    }
    expect(asked).toHaveLength(1)
    expect(state()).toMatchObject({ status: 'loading' })
    await pass(1)
    expect(asked).toHaveLength(2)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 2n } })
  })

  it('discards the answer to an earlier question once a delayed one is due', async () => {
    const first = pending<CallPreview>()
    const { store, state } = watched(async (count) => (count === 1 ? first.promise : previewOf(2n)))
    store.watch('one')
    store.watch('one', 5n, 300)
    first.resolve(previewOf(1n))
    await pass(299)
    expect(state()).toMatchObject({ status: 'loading' })
    await pass(1)
    expect(state()).toMatchObject({ preview: { feeCap: 2n } })
  })

  it('reports a slow answer after 5 s and still accepts it', async () => {
    const slow = pending<CallPreview>()
    const { store, state } = watched(() => slow.promise)
    store.watch('one')
    await pass(4_999)
    expect(state()).toMatchObject({ status: 'loading', slow: false })
    await pass(1)
    expect(state()).toMatchObject({ status: 'loading', slow: true })
    slow.resolve(previewOf(3n))
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 3n } })
    await pass(5_000)
    expect(state()).toMatchObject({ status: 'ready' })
  })

  it('never runs two requests at the same time', async () => {
    const { store, asked } = watched(() => pending<CallPreview>().promise)
    store.watch('one')
    await pass(60_000)
    expect(asked).toHaveLength(1)
  })

  it('keeps the last preview when a renewal fails, and reports the error until one succeeds', async () => {
    const down = new WalletError('node-unreachable', 'No answer.')
    const { store, state } = watched(async (count) => {
      if (count === 2) throw down
      return previewOf(BigInt(count))
    })
    store.watch('one')
    await pass(12_000)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 1n }, trouble: down })
    await pass(12_000)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 3n }, trouble: undefined })
  })

  it('reports why there is no preview and keeps requesting one', async () => {
    const down = new WalletError('node-unreachable', 'No answer.')
    const { store, state } = watched(async (count) => {
      if (count === 1) throw down
      return previewOf(7n)
    })
    store.watch('one')
    await pass(0)
    expect(state()).toEqual({ status: 'failed', id: 'one', error: down })
    await pass(5_000)
    expect(state()).toMatchObject({ status: 'failed' })
    await pass(7_000)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 7n } })
  })

  it('retries without an error while the worker restarts', async () => {
    const { store, asked, state } = watched(async (count) => {
      if (count < 3) throw new WalletError('worker-stopped', 'It stopped.')
      return previewOf(5n)
    })
    store.watch('one')
    await pass(0)
    expect(state()).toEqual({ status: 'loading', id: 'one', slow: false })
    await pass(900)
    expect(asked).toHaveLength(3)
    expect(state()).toMatchObject({ status: 'ready', preview: { feeCap: 5n } })
  })

  it('reports a worker that keeps stopping after five attempts, and polls on', async () => {
    const { store, asked, state } = watched(async () => {
      throw new WalletError('worker-stopped', 'It stopped.')
    })
    store.watch('one')
    await pass(5_000)
    expect(asked).toHaveLength(5)
    expect(state()).toMatchObject({ status: 'failed', error: { code: 'worker-stopped' } })
    await pass(12_000)
    expect(asked.length).toBeGreaterThan(5)
  })

  it('stops its retries when it is stopped', async () => {
    const { store, asked, state } = watched(async () => {
      throw new WalletError('worker-stopped', 'It stopped.')
    })
    store.watch('one')
    await pass(0)
    store.stop()
    await pass(60_000)
    expect(asked).toHaveLength(1)
    expect(state()).toEqual({ status: 'idle' })
  })

  it('ignores an answer for a request that is no longer watched', async () => {
    const late = pending<CallPreview>()
    const { store, asked, state } = watched((count) =>
      count === 1 ? late.promise : Promise.resolve(previewOf(2n)),
    )
    store.watch('one')
    store.watch('two')
    late.resolve(previewOf(1n))
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', id: 'two', preview: { feeCap: 2n } })
    await pass(12_000)
    expect(asked).toEqual(['one', 'two', 'two'])
  })

  it('stops polling and ignores a late answer when it is stopped', async () => {
    const late = pending<CallPreview>()
    const { store, asked, state } = watched(() => late.promise)
    store.watch('one')
    store.stop()
    late.resolve(previewOf(1n))
    await pass(60_000)
    expect(state()).toEqual({ status: 'idle' })
    expect(asked).toHaveLength(1)
  })
})

it('returns the quote of the swap service for a trade', async () => {
  const { store } = watched(async () => previewOf(0n))
  expect(await store.quote(tradeOfAmount(4n))).toMatchObject({ returns: 8n })
})
