import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TransferPreview, TransferRequest } from '../../../src/domain/activity/transfer.ts'
import { toShown } from '../../../src/domain/activity/worse.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createSend } from '../../../src/state/send/send.ts'
import type { SendPlan } from '../../../src/state/send/sendPlan.ts'
import { account, dai, friend, sending, swap, transfer } from '../../helpers/samples/activitySamples.ts'
import { eth, pending, standInSession, standInWallet, usdc } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const speed = { networkFee: 21_000n, expectedFee: 21_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
const preview: TransferPreview = {
  gas: 21_000n,
  expectedGas: 21_000n,
  baseFeePerGas: 1n,
  expectedFee: 21_000n,
  networkFee: 21_000n,
  speeds: { slow: speed, normal: speed, fast: { ...speed, maxFeePerGas: 3n } },
  l1Fee: 0n,
  feeCap: 31_500n,
  simulation: { status: 'succeeds', changes: [], grants: [] },
}
const plan: SendPlan = {
  chainId: 31337,
  account,
  token: usdc,
  to: friend,
  amount: 5n,
  speed: 'normal',
}

let tried: TransferRequest[]
let sent: (TransferRequest & { id: string; feeCap: bigint })[]

function opened(methods: Partial<WalletApi> = {}, session = standInSession()) {
  tried = []
  sent = []
  const wallet = standInWallet({
    async previewTransfer(ask) {
      tried.push(ask)
      return preview
    },
    async send(ask) {
      sent.push(ask)
      return sending()
    },
    balances: async () => ({ [nativeTokenAddress]: 100_000n, [usdc.address]: 77n }),
    isContract: async () => false,
    call: async () => uint(usdc.decimals),
    callBatch: async () => undefined,
    swaps: async () => [swap({}, { receiver: dai })],
    callBatches: async () => [transfer],
    ...methods,
  })
  return createSend(wallet, systemClock(), session)
}

const uint = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

const read = async (address: Address) => [eth, usdc].find((one) => one.address === address)
const opening = { chainId: 31337, account, coin: eth, wanted: undefined, read }

describe('send form', () => {
  it('keeps the values of a repeated transfer when the form opens', async () => {
    const store = opened()
    store.fill({ chainId: 31337, account, token: usdc, text: '2.5', to: friend })
    await store.open(opening)
    expect(store.getState()).toMatchObject({
      token: usdc,
      text: '2.5',
      to: friend,
      recipient: { kind: 'known', address: friend },
      stage: { at: 'form' },
    })
  })

  it('opens with the native token', async () => {
    const store = opened()
    await store.open(opening)
    expect(store.getState()).toMatchObject({
      token: eth,
      text: '',
      stage: { at: 'form' },
    })
  })

  it('keeps the input and the chosen token while other routes are shown', async () => {
    const store = opened()
    await store.open({ ...opening, wanted: usdc.address })
    store.setToken(eth)
    store.setText('1.5')
    store.setTo(friend)
    store.leave()
    await store.open({ ...opening, wanted: usdc.address })
    expect(store.getState()).toMatchObject({ token: eth, text: '1.5', to: friend })
    store.close()
    await store.open({ ...opening, wanted: usdc.address })
    expect(store.getState()).toMatchObject({ token: usdc, text: '', to: friend })
  })

  it('clears the amount for another account, and the token for another network', async () => {
    const store = opened()
    await store.open({ ...opening, wanted: usdc.address })
    store.setText('1.5')
    await store.open({ ...opening, account: dai })
    expect(store.getState()).toMatchObject({ token: usdc, text: '' })
    store.setTo(friend)
    await store.open({ ...opening, chainId: 1 })
    expect(store.getState()).toMatchObject({ token: eth, to: friend, recipient: { kind: 'known' } })
  })

  it('restores the draft in the next popup only for the same account and network', async () => {
    const session = standInSession()
    const first = opened({}, session)
    await first.open({ ...opening, wanted: usdc.address })
    first.setText('1.5')
    first.setTo(friend)
    for (const other of [
      { ...opening, chainId: 1 },
      { ...opening, account: dai },
    ]) {
      const elsewhere = opened({}, { ...session, set: async () => undefined })
      await elsewhere.open(other)
      expect(elsewhere.getState()).toMatchObject({ token: eth, text: '', to: '' })
    }
    const second = opened({}, session)
    await second.open(opening)
    expect(second.getState()).toMatchObject({
      token: usdc,
      text: '1.5',
      recipient: { kind: 'known', address: friend },
    })
    await second.prepare(plan)
    await second.confirm()
    const third = opened({}, session)
    await third.open(opening)
    expect(third.getState()).toMatchObject({ token: usdc, text: '', to: '' })
  })

  it('opens empty when the stored draft is invalid', async () => {
    for (const kept of [
      undefined,
      'send',
      {},
      { chainId: 31337, account, token: '0x12', text: '1', to: '' },
      { chainId: 31337, account, token: '0x12', text: '1', to: '', handed: 'me' },
    ]) {
      const store = opened(
        {},
        {
          remove: async () => undefined,
          get: async () => kept,
          set: () => Promise.reject(new Error('Full.')),
        },
      )
      await store.open(opening)
      expect(store.getState()).toMatchObject({ token: eth, text: '' })
    }
  })

  it('stores a partly typed recipient, but no secret pasted in its place', async () => {
    const session = standInSession()
    const store = opened({}, session)
    await store.open(opening)
    const keptOf = async (text: string) => {
      store.setTo(text)
      store.setText(`1.${text.length}`)
      return (await session.get('send')) as { to: string }
    }
    expect(await keptOf(`0x${'5e'.repeat(32)}`)).toMatchObject({ to: '' })
    expect(await keptOf('legal winner thank year wave sausage worth useful legal winner')).toMatchObject({
      to: '',
    })
    for (const half of ['0x12', 'vit', 'Bob of the club']) {
      expect(await keptOf(half)).toMatchObject({ to: half })
    }
    expect(await keptOf(friend)).toMatchObject({ to: friend })
    expect(await keptOf('bob.eth')).toMatchObject({ to: 'bob.eth' })
    store.setText('5e'.repeat(32))
    expect(await session.get('send')).toMatchObject({ text: '', to: 'bob.eth' })
  })

  it('estimates the maximum native amount from the fee of a transfer to the recipient', async () => {
    const store = opened()
    await store.open(opening)
    store.setMost()
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState()).toMatchObject({ isMost: true, most: { amount: 79_000n, networkFee: 21_000n } })
    store.setTo(friend)
    await vi.advanceTimersByTimeAsync(0)
    expect(tried.map(({ to }) => to)).toEqual([account, friend])
    store.setText('3')
    expect(store.getState()).toMatchObject({ isMost: false, most: undefined })
  })

  it('reports when the native balance does not exceed the fee', async () => {
    const store = opened({ balances: async () => ({ [nativeTokenAddress]: 21_000n }) })
    await store.open(opening)
    store.setMost()
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().most).toBeNull()
  })
})

describe('recipient', () => {
  it('accepts an address at once and adds its contract status, although the journal cannot be read', async () => {
    const contract = pending<boolean>()
    const swaps = () => Promise.reject(new WalletError('storage-failed', 'No disk.'))
    const store = opened({ isContract: () => contract.promise, swaps })
    await store.open(opening)
    store.setTo(` 0x${friend.slice(2).toUpperCase()} `)
    expect(store.getState().recipient).toEqual({ kind: 'known', address: friend, isContract: undefined })
    contract.resolve(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().recipient).toEqual({ kind: 'known', address: friend, isContract: true })
  })

  it('distinguishes empty input, words, a wrong checksum and an address', async () => {
    const store = opened()
    await store.open(opening)
    const kindOf = (text: string) => {
      store.setTo(text)
      return store.getState().recipient.kind
    }
    expect(kindOf('  ')).toBe('empty')
    expect(kindOf('bob')).toBe('words')
    expect(kindOf('0x12')).toBe('words')
    expect(kindOf('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('mistyped')
    expect(kindOf('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('known')
  })

  it('reads ERC-3770 and EIP-681 forms and rejects those for another network', async () => {
    const store = opened()
    await store.open(opening)
    const read = (text: string) => {
      store.setTo(text)
      return store.getState().recipient
    }
    for (const text of [
      `"${friend}"`,
      `eip155:${opening.chainId}:${friend}`,
      `ethereum:${friend}@${opening.chainId}`,
    ])
      expect(read(text)).toMatchObject({ kind: 'known', address: friend })
    for (const text of [`base:${friend}`, `ethereum:${friend}@8453`, 'ethereum:alice.eth@8453'])
      expect(read(text)).toEqual({ kind: 'other-network', chainId: 8453 })
    expect(read(`xyz:${friend}`)).toEqual({ kind: 'unknown-network', network: 'xyz' })
    expect(read(`ethereum:${dai}/transfer?address=${friend}&uint256=1`)).toEqual({ kind: 'call' })
  })

  it('ignores a late answer for another recipient', async () => {
    const first = pending<boolean>()
    const store = opened({
      isContract: (_chain, to) => (to === friend ? first.promise : Promise.resolve(false)),
    })
    await store.open(opening)
    store.setTo(friend)
    store.setTo(dai)
    await vi.advanceTimersByTimeAsync(0)
    first.resolve(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().recipient).toMatchObject({ address: dai, isContract: false })
  })
})

describe('transfer review', () => {
  it('previews the typed transfer under a new id', async () => {
    const store = opened()
    await store.prepare(plan)
    const { stage } = store.getState()
    expect(stage).toMatchObject({ at: 'review', preview, facts: { isContract: false } })
    expect(tried).toEqual([
      { chainId: 31337, account, token: usdc.address, to: friend, amount: 5n, speed: 'normal' },
    ])
    expect(stage.at === 'review' && stage.id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('sends the whole balance of a token as the maximum', async () => {
    const store = opened()
    await store.prepare({ ...plan, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ ask: { amount: 77n, speed: 'normal' }, preview })
  })

  it('sends the maximum native amount with the fees it was computed with, and caps the fee at the rest', async () => {
    const store = opened()
    await store.prepare({ ...plan, token: eth, amount: 'most', speed: 'fast' })
    expect(store.getState().stage).toMatchObject({
      at: 'review',
      ask: { amount: 37_000n, speed: { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n } },
      preview: { feeCap: 63_000n },
    })
    await store.confirm()
    expect(sent).toMatchObject([{ amount: 37_000n, feeCap: 63_000n, speed: { maxFeePerGas: 3n } }])
  })

  it('fails when the native balance is less than the fee', async () => {
    const store = opened({ balances: async () => ({ [nativeTokenAddress]: 20n }) })
    await store.prepare({ ...plan, token: eth, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'not-enough-gas' } })
  })

  it('fails while it is unknown whether the recipient is a contract', async () => {
    const error = new WalletError('node-timeout', 'Late.')
    const store = opened({ isContract: () => Promise.reject(error) })
    await store.prepare(plan)
    expect(store.getState().stage).toEqual({ at: 'unprepared', plan, error })
  })

  it('renews the preview, reports a failed renewal, and ends after inactivity', async () => {
    const answers = [preview, { ...preview, feeCap: 9n }]
    const store = opened({
      async previewTransfer() {
        const next = answers.shift()
        if (next === undefined) throw new WalletError('node-timeout', 'Late.')
        return next
      },
    })
    await store.prepare(plan)
    const first = store.getState().stage
    await vi.advanceTimersByTimeAsync(12_000)
    expect(store.getState().stage).toEqual({ ...first, preview: { ...preview, feeCap: 9n } })
    await vi.advanceTimersByTimeAsync(12_000)
    expect(store.getState().stage).toMatchObject({ at: 'review', trouble: { code: 'node-timeout' } })
    await vi.advanceTimersByTimeAsync(300_000)
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'stale-review' } })
  })

  it('stops renewing once it was left', async () => {
    const store = opened()
    await store.prepare(plan)
    store.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tried).toHaveLength(1)
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('ends when another account or network is chosen, and is not renewed', async () => {
    for (const other of [
      { ...opening, account: dai },
      { ...opening, chainId: 1 },
    ]) {
      const store = opened()
      await store.open(opening)
      await store.prepare(plan)
      await store.open(other)
      expect(store.getState().stage).toEqual({ at: 'form' })
      await store.confirm()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(tried).toHaveLength(1)
      expect(sent).toEqual([])
    }
  })

  it('does not open when another account was chosen before the RPC answered', async () => {
    const answer = pending<TransferPreview>()
    const store = opened({ previewTransfer: () => answer.promise })
    await store.open(opening)
    const preparing = store.prepare(plan)
    await store.open({ ...opening, account: dai })
    answer.resolve(preview)
    await preparing
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('rejects a token whose contract reports other decimals than the list, or none', async () => {
    const wrong = opened({ call: async () => uint(18) })
    await wrong.prepare(plan)
    expect(wrong.getState().stage).toMatchObject({
      at: 'unprepared',
      error: {
        code: 'unsafe-transaction',
        facts: { fact: 'decimals', expected: '18', found: '6', token: usdc.address },
      },
    })
    const none = opened({ call: async () => '0x' })
    await none.prepare({ ...plan, amount: 'most' })
    expect(none.getState().stage).toMatchObject({
      at: 'unprepared',
      error: { code: 'unsafe-transaction', facts: { expected: '0', found: '6' } },
    })
  })

  it('accepts a token without decimals in base units, but not after an unrelated RPC error', async () => {
    const token = { ...usdc, decimals: 0 }
    const reverted = new WalletError('node-answered', 'Refused.', {
      rpcCode: '3',
      rpcMessage: 'execution reverted',
      isRevert: 'true',
    })
    for (const call of [async () => '0x', () => Promise.reject(reverted)]) {
      const store = opened({ call })
      await store.prepare({ ...plan, token })
      expect(store.getState().stage).toMatchObject({ at: 'review' })
    }
    const limited = new WalletError('node-answered', 'Refused.', {
      rpcCode: '-32005',
      rpcMessage: 'limit exceeded',
    })
    const store = opened({ call: () => Promise.reject(limited) })
    await store.prepare({ ...plan, token })
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'node-answered' } })
  })

  it('reads no decimals for the native token', async () => {
    const store = opened({ call: () => Promise.reject(new Error('Asked.')) })
    await store.prepare({ ...plan, token: eth })
    expect(store.getState().stage).toMatchObject({ at: 'review' })
  })

  it('renews the preview at another speed and shows the old numbers meanwhile', async () => {
    const store = opened()
    await store.prepare(plan)
    const before = store.getState().stage
    const choosing = store.choose('slow')
    expect(store.getState().stage).toMatchObject({ at: 'preparing', before })
    await choosing
    expect(tried.at(-1)?.speed).toBe('slow')
  })
})

describe('confirming a transfer', () => {
  it('sends the shown values and clears the form', async () => {
    const store = opened()
    await store.open(opening)
    store.setText('5')
    await store.prepare(plan)
    const { stage } = store.getState()
    const id = stage.at === 'review' ? stage.id : ''
    await store.confirm()
    const expected = toShown(preview.simulation)
    expect(sent).toEqual([{ ...tried[0], id, feeCap: preview.feeCap, expected }])
    expect(store.getState()).toMatchObject({ stage: { at: 'sent', id }, text: '', to: '' })
  })

  it.each(['outcome-changed', 'would-fail'] as const)('requires a new review after %s', async (code) => {
    const store = opened({ send: () => Promise.reject(new WalletError(code, 'No.')) })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', plan, error: { code } })
    await store.prepare(plan)
    expect(store.getState().stage).toMatchObject({ at: 'review', preview })
  })

  it('keeps the same id when it is confirmed again', async () => {
    let fails = true
    const store = opened({
      async send(ask) {
        sent.push(ask)
        if (fails) throw new WalletError('storage-failed', 'Full.')
        return sending()
      },
    })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'storage-failed' } })
    fails = false
    await store.confirm()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
  })

  it('hands the price at confirmation over with the transfer', async () => {
    const store = opened({
      async send(ask) {
        sent.push(ask)
        return sending()
      },
    })
    await store.prepare(plan)
    await store.confirm({ usd: 3n, per: 4n })
    expect(sent.at(-1)).toMatchObject({ price: { usd: 3n, per: 4n } })
  })

  it('clears the form when the screen was left before the worker answered', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = opened({ send: () => answer.promise })
    await store.open(opening)
    store.setText('5')
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    expect(store.getState().text).toBe('5')
    answer.resolve(sending())
    await confirming
    expect(store.getState()).toMatchObject({ stage: { at: 'form' }, text: '' })
  })

  it('keeps the confirmation for another account or network until its result is known', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = opened({ send: () => answer.promise })
    await store.open(opening)
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    await store.open({ ...opening, account: dai })
    await store.open({ ...opening, chainId: 1 })
    expect(store.getState().stage).toMatchObject({ at: 'confirming', plan })
    answer.reject(new WalletError('storage-failed', 'Full.'))
    await confirming
    expect(store.getState().stage).toMatchObject({ at: 'refused', plan, error: { code: 'storage-failed' } })
  })

  it('shows the sent transfer when the form was opened again before the worker answered', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = opened({ send: () => answer.promise })
    await store.open(opening)
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    await store.open(opening)
    answer.resolve(sending())
    await confirming
    expect(store.getState().stage).toMatchObject({ at: 'sent' })
  })
})

describe('transfers with an unknown result', () => {
  const stopped = () => Promise.reject(new WalletError('worker-stopped', 'Gone.'))

  it('reuses the id for the same transfer after the worker stopped, and not for another transfer', async () => {
    const ids: string[] = []
    const store = opened({
      send: (ask) => {
        ids.push(ask.id)
        return stopped()
      },
    })
    await store.open(opening)
    const confirm = async (wanted: SendPlan) => {
      await store.prepare(wanted)
      const confirming = store.confirm()
      await vi.advanceTimersByTimeAsync(60_000)
      await confirming
      expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'worker-stopped' } })
      store.leave()
      return ids.at(-1)
    }
    const first = await confirm(plan)
    expect(await confirm({ ...plan, speed: 'fast' })).toBe(first)
    expect(await confirm({ ...plan, amount: 6n })).not.toBe(first)
  })

  it('uses a new id after a refusal, and for a transfer that is filled in once more', async () => {
    const answers = [() => Promise.reject(new WalletError('storage-failed', 'Full.')), stopped]
    const ids: string[] = []
    const store = opened({
      send: (ask) => {
        ids.push(ask.id)
        return (answers.shift() ?? stopped)()
      },
    })
    await store.open(opening)
    for (const filled of [false, false, true]) {
      if (filled) store.fill({ chainId: 31337, account, token: usdc, text: '5', to: friend })
      store.leave()
      await store.prepare(plan)
      const confirming = store.confirm()
      await vi.advanceTimersByTimeAsync(60_000)
      await confirming
    }
    expect(new Set(ids).size).toBe(3)
  })

  /** The popup closes on confirm, before the worker answers. */
  async function closed(session = standInSession()) {
    const told: unknown[] = []
    const store = opened(
      {
        send: async (ask) => {
          told.push(await session.get('send'), ask.id)
          return new Promise(() => undefined)
        },
      },
      session,
    )
    await store.open({ ...opening, wanted: usdc.address })
    store.setText('5')
    store.setTo(friend)
    await store.prepare(plan)
    store.confirm()
    await vi.advanceTimersByTimeAsync(0)
    const [draft, id] = told
    return { session, draft, id: String(id) }
  }

  it('stores the draft with the id before the worker is asked', async () => {
    const { draft, id } = await closed()
    expect(draft).toMatchObject({ text: '5', handed: { id } })
  })

  it('deletes the draft in the next popup when the worker has the transfer', async () => {
    const { session, id } = await closed()
    const asked: string[] = []
    const next = opened(
      {
        async callBatch(one) {
          asked.push(one)
          return sending()
        },
      },
      session,
    )
    await next.open({ ...opening, wanted: usdc.address })
    expect(asked).toEqual([id])
    expect(next.getState()).toMatchObject({ text: '', to: '', stage: { at: 'form' } })
    expect(await session.get('send')).not.toHaveProperty('handed')
  })

  it('restores the draft with the same id when the worker lacks the transfer or cannot answer', async () => {
    for (const answer of [async () => undefined, () => Promise.reject(new Error('Late.'))]) {
      const { session, id } = await closed()
      const next = opened({ callBatch: answer }, session)
      await next.open(opening)
      expect(next.getState()).toMatchObject({ text: '5', to: friend })
      await next.prepare(plan)
      await next.confirm()
      expect(sent).toMatchObject([{ id }])
      expect(await session.get('send')).not.toHaveProperty('handed')
      await next.prepare(plan)
      await next.confirm()
      expect(sent[1]?.id).not.toBe(id)
    }
  })

  it('keeps the id when another account opens the form in between', async () => {
    const { session, id } = await closed()
    const between = opened({}, session)
    await between.open({ ...opening, account: dai })
    between.setText('2')
    const next = opened({}, session)
    await next.open(opening)
    await next.prepare(plan)
    await next.confirm()
    expect(sent).toMatchObject([{ id }])
  })

  it('stores the draft without the id after a refusal, and not at all when the wallet is locked', async () => {
    for (const [code, kept] of [
      ['storage-failed', { text: '5', to: friend }],
      ['locked', null],
    ] as const) {
      const session = standInSession()
      const store = opened({ send: () => Promise.reject(new WalletError(code, 'No.')) }, session)
      await store.open({ ...opening, wanted: usdc.address })
      store.setText('5')
      store.setTo(friend)
      await store.prepare(plan)
      await store.confirm()
      const draft = await session.get('send')
      if (kept === null) expect(draft).toBeNull()
      else {
        expect(draft).toMatchObject(kept)
        expect(draft).not.toHaveProperty('handed')
      }
    }
  })
})
