import { beforeEach, describe, expect, it } from 'vitest'
import type { Swap } from '../../../../src/domain/swap/swap.ts'
import { type ErrorCode, WalletError } from '../../../../src/errors.ts'
import {
  asker,
  caught,
  createSwapStage,
  hashOf,
  newDisk,
  newIntent,
  nobody,
  origin,
  pageAsk,
  stranger,
  usdc,
  weth,
} from '../../../helpers/background/swapStage.ts'
import { until } from '../../../helpers/background/worker.ts'

let stage: Awaited<ReturnType<typeof createSwapStage>>

beforeEach(async () => {
  stage = await createSwapStage()
  await stage.connect()
})

const later = 1_800_000_060

describe('wallet_swap before the window opens', () => {
  const refused = async (params: unknown, code: ErrorCode, from = asker()) => {
    expect(await caught(stage.method(from, params))).toMatchObject({ code })
    expect(stage.opened()).toBe(0)
  }

  it('rejects an unconnected site after it validates the params', async () => {
    await stage.sites.disconnect(origin)
    await refused([{ token: nobody }], 'not-connected')
    await refused([{ amount: 'x' }], 'invalid-params')
    expect(stage.reads).toEqual([])
  })

  it('rejects an account that the site may not use', () => refused([{ from: stranger }], 'not-connected'))

  it('rejects a request while page swaps are off', async () => {
    await stage.settings.update((before) => ({ ...before, pageSwaps: false }))
    await refused([{}], 'unsupported-method')
    await refused([{ from: stranger }], 'not-connected')
  })

  it('rejects an unknown chain and a chain without a swap service', async () => {
    await refused([{ chainId: 424242 }], 'no-service')
    await refused([{ chainId: 8453, token: nobody }], 'no-service')
  })

  it('rejects a chain with a swap service but without an RPC', async () => {
    const settings = await stage.settings.get()
    const networks = settings.networks.map((each) =>
      each.chainId === 8453 ? { ...each, serviceUrl: 'https://service.example', rpcUrl: '' } : each,
    )
    await stage.settings.update(() => ({ ...settings, networks }))
    await refused([{ chainId: 8453 }], 'no-service')
  })

  it('rejects a used id and a throttled site before it reads anything', async () => {
    const first = caught(stage.method(asker(), [{ id: 'taken' }]))
    await stage.approvals.reject((await stage.shown()).id)
    await first
    const opened = stage.opened()
    const ask = { id: 'taken', token: nobody, amount: '1' }
    expect(await caught(stage.method(asker(2), [ask]))).toMatchObject({ code: 'id-used' })
    for (let one = 0; one < 3; one++) {
      const next = caught(stage.method(asker(3 + one), [{}]))
      await stage.approvals.reject((await stage.shown()).id)
      await next
    }
    expect(await caught(stage.method(asker(9), [{ token: nobody, amount: '1' }]))).toMatchObject({
      code: 'throttled',
    })
    expect(stage.reads).toEqual([])
    expect(stage.opened()).toBe(opened + 3)
  })

  it('allows one open request per site and claims no id for a second one', async () => {
    const first = caught(stage.method(asker(), [{ id: 'a' }]))
    await stage.shown()
    expect(await caught(stage.method(asker(2), [{ id: 'b' }]))).toMatchObject({ code: 'request-open' })
    expect(await stage.ids.get(origin, 'b')).toBeUndefined()
    expect(await caught(stage.method(asker(2), [{ chainId: 424242, token: nobody }]))).toMatchObject({
      code: 'request-open',
    })
    expect(stage.reads).toEqual([])
    await stage.approvals.rejectAll()
    await first
    const second = caught(stage.method(asker(3), [{ id: 'b', slippage: 0.1 }]))
    expect((await stage.shown()).ask.request.id).toBe('b')
    await stage.approvals.rejectAll()
    await second
  })

  it('claims no id for a throttled request', async () => {
    for (const requestId of [1, 2, 3, 4]) {
      const answer = caught(stage.method(asker(requestId), [{}]))
      await stage.approvals.reject((await stage.shown()).id)
      await answer
    }
    expect(await caught(stage.method(asker(9), [{ id: 'a' }]))).toMatchObject({ code: 'throttled' })
    expect(await stage.ids.get(origin, 'a')).toBeUndefined()
  })

  it('reads a token’s own contract when the list does not have the token', async () => {
    const broken = await createSwapStage()
    await broken.connect()
    expect(await caught(broken.method(asker(), [{ token: nobody }]))).toMatchObject({
      code: 'invalid-params',
    })
    expect(broken.reads).toEqual([`token ${nobody}`])
  })
})

describe('wallet_swap', () => {
  const { id } = newIntent()
  const signed = (swap: Swap['steps'][number]['state']) =>
    [
      { kind: 'approve', state: 'mined', hash: hashOf(1) },
      { kind: 'swap', state: swap, hash: hashOf(2) },
    ] as const

  async function accept(intent = newIntent()): Promise<void> {
    await stage.approvals.approve((await stage.shown()).id, { kind: 'swap', intent })
  }

  const data = () => stage.told.map(({ data }) => (data as { data: unknown }).data)

  it('returns the receipt, hashes, id and chain id once the swap is mined', async () => {
    const answer = stage.method(asker(), [pageAsk])
    await accept()
    const receipt = { transactionHash: hashOf(2), status: '0x1', extra: 'kept' }
    stage.receipts.set(hashOf(2), () => receipt)
    stage.journal.go(id, [...signed('sent')])
    await until(async () => (stage.told.length === 2 ? true : undefined), 'progress')
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toEqual({
      receipt,
      id: 'mine',
      chainId: '0x1',
      transactions: [hashOf(1), hashOf(2)],
    })
    expect(data()).toEqual([
      { id: 'mine', status: 100 },
      { id: 'mine', status: 100, hash: hashOf(2) },
      { id: 'mine', status: 200, hash: hashOf(2) },
    ])
    expect(stage.told[0]).toMatchObject({
      event: 'message',
      data: { type: 'wallet_swapStatus' },
      documentId: 'DOC',
    })
  })

  it('reports a swap below its minimum as belowMinimum, not as a failure', async () => {
    const answer = stage.method(asker(), [pageAsk])
    await accept()
    stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
    stage.journal.go(id, [...signed('mined')], { status: 'below-minimum', received: 0n })
    expect(await answer).toMatchObject({ receipt: { status: '0x1' }, belowMinimum: true })
  })

  it('stores the state of the request in its record', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await stage.shown()
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ kind: 'swap', state: 'open', chainId: 1 })
    await accept()
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'sent', intentId: id })
    stage.journal.go(id, [], { status: 'failed', code: 'no-route', message: '', facts: {} })
    await answer
  })

  it('retries while the RPC has no receipt or does not answer', async () => {
    const answer = stage.method(asker(), [pageAsk])
    await accept()
    let asks = 0
    stage.receipts.set(hashOf(2), () => {
      asks++
      if (asks === 2) throw new WalletError('node-timeout', 'Too late.')
      return asks < 4 ? null : { status: '0x1' }
    })
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toMatchObject({ receipt: { status: '0x1' } })
    expect(asks).toBe(4)
  })

  it('throws node-timeout when the RPC never has the receipt', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await accept()
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toMatchObject({ code: 'node-timeout' })
  })

  it('returns the receipt of a reverted swap', async () => {
    const answer = stage.method(asker(), [pageAsk])
    await accept()
    stage.receipts.set(hashOf(2), () => ({ status: '0x0' }))
    stage.journal.go(id, [...signed('reverted')], {
      status: 'failed',
      code: 'reverted',
      message: '',
      facts: {},
    })
    expect(await answer).toMatchObject({ receipt: { status: '0x0' }, transactions: [hashOf(1), hashOf(2)] })
    expect(data().at(-1)).toMatchObject({ status: 500 })
  })

  const failures: [ErrorCode, string][] = [
    ['no-route', 'noRoute'],
    ['not-enough-balance', 'insufficientFunds'],
    ['not-enough-gas', 'insufficientFunds'],
    ['not-enough-allowance', 'allowanceFailed'],
    ['below-floor', 'belowMinimum'],
    ['stale-review', 'belowMinimum'],
    ['would-fail', 'belowMinimum'],
    ['service-unreachable', 'serviceUnavailable'],
    ['service-busy', 'serviceUnavailable'],
    ['unsafe-transaction', 'serviceUnavailable'],
    ['replaced', 'replaced'],
    ['dropped', 'replaced'],
  ]
  it.each(failures)('reports %s as %s without account details', async (code, reason) => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await accept()
    stage.journal.go(
      id,
      [
        { kind: 'approve', state: 'final', hash: hashOf(1) },
        { kind: 'swap', state: 'waiting' },
      ],
      { status: 'failed', code, message: 'The account holds 5.', facts: { balance: '5' } },
    )
    const error = (await answer) as WalletError
    expect(error.code).toBe('not-sent')
    expect(error.facts).toEqual({ id: 'mine', reason, transactions: hashOf(1) })
    expect(error.message).not.toContain('5')
    expect(data().at(-1)).toMatchObject({ status: 400 })
  })

  it('reports a reverted approval as allowanceFailed', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await accept()
    stage.journal.go(
      id,
      [
        { kind: 'approve', state: 'reverted', hash: hashOf(1) },
        { kind: 'swap', state: 'waiting' },
      ],
      { status: 'failed', code: 'reverted', message: '', facts: {} },
    )
    expect(await answer).toMatchObject({ code: 'not-sent', facts: { reason: 'allowanceFailed' } })
  })

  it('reports an unreachable RPC as node-unreachable', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await accept()
    stage.journal.go(id, [], { status: 'failed', code: 'node-unreachable', message: 'x', facts: {} })
    expect(await answer).toMatchObject({ code: 'node-unreachable' })
  })

  it('throws record-damaged, without status 400, when its record is damaged', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await accept()
    stage.journal.go(id, [], { status: 'failed', code: 'record-damaged', message: 'x', facts: {} })
    expect(await answer).toMatchObject({
      code: 'record-damaged',
      message: 'What the wallet kept of it was damaged. It may have been sent.',
    })
    expect(data()).not.toContainEqual(expect.objectContaining({ status: 400 }))
  })

  it('throws rejected when the user rejects, and keeps the id used', async () => {
    const answer = caught(stage.method(asker(), [pageAsk]))
    await stage.approvals.reject((await stage.shown()).id)
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'rejected' } })
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'refused' })
    expect(await caught(stage.method(asker(2), [pageAsk]))).toMatchObject({ code: 'id-used' })
  })

  it('throws rejected with the reason expired at its expiry', async () => {
    const answer = caught(stage.method(asker(), [{ ...pageAsk, expiry: later }]))
    await stage.shown()
    stage.pass(60_001)
    await stage.approvals.expire()
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'expired' } })
  })

  it('joins the same request of another document while it is open and while it is pending', async () => {
    const first = stage.method(asker(), [pageAsk])
    await stage.shown()
    const second = stage.method(asker(9, 'OTHER'), [pageAsk])
    // Shows that the request before it was handled.
    expect(await caught(stage.method(asker(10), [{ ...pageAsk, id: 'another' }]))).toMatchObject({
      code: 'request-open',
    })
    expect(await stage.approvals.list()).toHaveLength(1)
    await accept()
    stage.journal.go(id, [...signed('sent')])
    const third = stage.method(asker(2), [pageAsk])
    stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
    await until(async () => (stage.told.length >= 4 ? true : undefined), 'all three to listen')
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    const [one, two, three] = await Promise.all([first, second, third])
    expect(two).toEqual(one)
    expect(three).toEqual(one)
    expect(stage.journal.stored.size).toBe(1)
    // Closed, except for the first asker.
    expect(await caught(stage.method(asker(5), [pageAsk]))).toMatchObject({ code: 'id-used' })
    expect(await stage.method(asker(), [pageAsk])).toEqual(one)
  })

  it('throws id-used for another request with the same id', async () => {
    const first = caught(stage.method(asker(), [pageAsk]))
    await stage.shown()
    expect(await caught(stage.method(asker(2), [{ ...pageAsk, amount: '2' }]))).toMatchObject({
      code: 'id-used',
    })
    await stage.approvals.rejectAll()
    await first
  })

  it('frees an id after a day', async () => {
    const first = caught(stage.method(asker(), [pageAsk]))
    await stage.approvals.reject((await stage.shown()).id)
    await first
    stage.pass(24 * 60 * 60_000 + 1)
    const again = caught(stage.method(asker(2), [{ ...pageAsk, amount: '2' }]))
    await stage.shown()
    await stage.approvals.rejectAll()
    expect(await again).toMatchObject({ code: 'rejected' })
  })

  it('resumes a request after a worker restart, with and without an id', async () => {
    for (const params of [[pageAsk], [{ token: weth, pairToken: usdc }]]) {
      const disk = newDisk()
      stage = await createSwapStage(disk)
      await stage.connect()
      caught(stage.method(asker(), params))
      const before = await stage.shown()
      stage = await createSwapStage(disk)
      const answer = stage.method(asker(), params)
      const after = await stage.shown()
      expect(after).toEqual(before)
      await accept()
      stage = await createSwapStage(disk)
      const again = stage.method(asker(), params)
      caught(answer)
      stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
      stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
      expect(await again).toMatchObject({ receipt: { status: '0x1' }, id: after.ask.request.id })
      expect(await stage.approvals.list()).toEqual([])
    }
  })

  it('answers an accepted request again past its expiry', async () => {
    const params = [{ ...pageAsk, expiry: later }]
    caught(stage.method(asker(), params))
    await accept()
    stage.pass(120_000)
    const again = stage.method(asker(), params)
    stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await again).toMatchObject({ id: 'mine' })
  })
})
