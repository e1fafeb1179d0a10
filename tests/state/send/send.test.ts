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

const speed = { networkFee: 21_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
const preview: TransferPreview = {
  gas: 21_000n,
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

describe('the form', () => {
  it('is filled with what goes to somebody once more, and stays so when it is opened', async () => {
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

  it('opens with the coin', async () => {
    const store = opened()
    await store.open(opening)
    expect(store.getState()).toMatchObject({
      token: eth,
      text: '',
      stage: { at: 'form' },
    })
  })

  it('keeps what was typed while other places are looked at, also the token chosen instead of the one it opened with', async () => {
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

  it('forgets the amount with another account, and the token with another network', async () => {
    const store = opened()
    await store.open({ ...opening, wanted: usdc.address })
    store.setText('1.5')
    await store.open({ ...opening, account: dai })
    expect(store.getState()).toMatchObject({ token: usdc, text: '' })
    store.setTo(friend)
    await store.open({ ...opening, chainId: 1 })
    expect(store.getState()).toMatchObject({ token: eth, to: friend, recipient: { kind: 'known' } })
  })

  it('is found again by a popup after one that closed, for the same account on the same network', async () => {
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

  it('opens empty where what was left cannot be read', async () => {
    for (const kept of [
      undefined,
      'send',
      {},
      { chainId: 31337, account, token: '0x12', text: '1', to: '' },
      { chainId: 31337, account, token: '0x12', text: '1', to: '', handed: 'me' },
    ]) {
      const store = opened({}, { get: async () => kept, set: () => Promise.reject(new Error('Full.')) })
      await store.open(opening)
      expect(store.getState()).toMatchObject({ token: eth, text: '' })
    }
  })

  it('keeps a recipient that is half typed, and no secret that was pasted in its place', async () => {
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

  it('guesses at all coins by what sending them to the receiver would cost', async () => {
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

  it('says where there is less of the coin than the fee', async () => {
    const store = opened({ balances: async () => ({ [nativeTokenAddress]: 21_000n }) })
    await store.open(opening)
    store.setMost()
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().most).toBeNull()
  })
})

describe('the receiver', () => {
  it('is known by the address, and then by what the chain knows, whether the journal can be read or not', async () => {
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

  it('is nobody yet for words, and a mistake where the capitals do not fit', async () => {
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

  it('is read as ERC-3770 and EIP-681 write it, and refused where that is for another network', async () => {
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

  it('drops a late answer about somebody else', async () => {
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

describe('the review', () => {
  it('tries out what was typed, with an id of its own', async () => {
    const store = opened()
    await store.prepare(plan)
    const { stage } = store.getState()
    expect(stage).toMatchObject({ at: 'review', preview, facts: { isContract: false } })
    expect(tried).toEqual([
      { chainId: 31337, account, token: usdc.address, to: friend, amount: 5n, speed: 'normal' },
    ])
    expect(stage.at === 'review' && stage.id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('sends every unit of a token as the most', async () => {
    const store = opened()
    await store.prepare({ ...plan, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ ask: { amount: 77n, speed: 'normal' }, preview })
  })

  it('sends all coins with the very fees that they were counted with, and no more for the fee', async () => {
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

  it('is not made where all coins are less than the fee', async () => {
    const store = opened({ balances: async () => ({ [nativeTokenAddress]: 20n }) })
    await store.prepare({ ...plan, token: eth, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'not-enough-gas' } })
  })

  it('is not made while nobody knows whether the receiver is a contract', async () => {
    const error = new WalletError('node-timeout', 'Late.')
    const store = opened({ isContract: () => Promise.reject(error) })
    await store.prepare(plan)
    expect(store.getState().stage).toEqual({ at: 'unprepared', plan, error })
  })

  it('is renewed while it stands, says when it cannot be, and ends when nobody is here', async () => {
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

  it('asks nothing more once it was left', async () => {
    const store = opened()
    await store.prepare(plan)
    store.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tried).toHaveLength(1)
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('ends where another account or network is chosen, and is not renewed', async () => {
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

  it('is not made where another account was chosen before the node answered', async () => {
    const answer = pending<TransferPreview>()
    const store = opened({ previewTransfer: () => answer.promise })
    await store.open(opening)
    const preparing = store.prepare(plan)
    await store.open({ ...opening, account: dai })
    answer.resolve(preview)
    await preparing
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('is not made of a token whose contract has other decimals than the list, or none', async () => {
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

  it('is made of a token without decimals in base units, but not where the RPC only failed to tell', async () => {
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

  it('asks no contract for the decimals of the coin', async () => {
    const store = opened({ call: () => Promise.reject(new Error('Asked.')) })
    await store.prepare({ ...plan, token: eth })
    expect(store.getState().stage).toMatchObject({ at: 'review' })
  })

  it('is made anew at another speed, and shows the old numbers meanwhile', async () => {
    const store = opened()
    await store.prepare(plan)
    const before = store.getState().stage
    const choosing = store.choose('slow')
    expect(store.getState().stage).toMatchObject({ at: 'preparing', before })
    await choosing
    expect(tried.at(-1)?.speed).toBe('slow')
  })
})

describe('the yes', () => {
  it('hands over what was shown, and empties the form', async () => {
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

  it.each(['outcome-changed', 'would-fail'] as const)('is reviewed anew after %s', async (code) => {
    const store = opened({ send: () => Promise.reject(new WalletError(code, 'No.')) })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', plan, error: { code } })
    await store.prepare(plan)
    expect(store.getState().stage).toMatchObject({ at: 'review', preview })
  })

  it('carries the same id when it is said again', async () => {
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

  it('empties the form also where the screen was left before the worker answered', async () => {
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

  it('is not left, also with another account, before it is known how it ends: whoever comes back sees why not', async () => {
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

  it('is followed by whoever came back before the worker answered', async () => {
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

describe('a transfer that may have been taken', () => {
  const stopped = () => Promise.reject(new WalletError('worker-stopped', 'Gone.'))

  it('goes by the same id when the same is reviewed again after the worker stopped, and by another when it is another', async () => {
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

  it('goes by another id when it was refused, and where the list shows it and it is wanted again', async () => {
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

  it('is written down with its id before the worker is asked', async () => {
    const { draft, id } = await closed()
    expect(draft).toMatchObject({ text: '5', handed: { id } })
  })

  it('is no draft for the next popup once the worker has it', async () => {
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

  it('is a draft with the same id where the worker has it not, or cannot say', async () => {
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

  it('keeps its id also where another account opens the form in between', async () => {
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

  it('is written without the id once it is refused, and not at all where the wallet is locked', async () => {
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
