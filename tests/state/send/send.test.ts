import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TransferPreview } from '../../../src/domain/activity/transfer.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { account, dai, friend } from '../../helpers/samples/activitySamples.ts'
import { eth, pending, standInSession, usdc } from '../../helpers/state/fakes.ts'
import { opening, openSendForm, plan, preview, sent, tried, uint } from '../../helpers/state/sendForm.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('send form', () => {
  it('keeps the values of a repeated transfer when the form opens', async () => {
    const store = openSendForm()
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
    const store = openSendForm()
    await store.open(opening)
    expect(store.getState()).toMatchObject({
      token: eth,
      text: '',
      stage: { at: 'form' },
    })
  })

  it('keeps the input and the chosen token while other routes are shown', async () => {
    const store = openSendForm()
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
    const store = openSendForm()
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
    const first = openSendForm({}, session)
    await first.open({ ...opening, wanted: usdc.address })
    first.setText('1.5')
    first.setTo(friend)
    for (const other of [
      { ...opening, chainId: 1 },
      { ...opening, account: dai },
    ]) {
      const elsewhere = openSendForm({}, { ...session, set: async () => undefined })
      await elsewhere.open(other)
      expect(elsewhere.getState()).toMatchObject({ token: eth, text: '', to: '' })
    }
    const second = openSendForm({}, session)
    await second.open(opening)
    expect(second.getState()).toMatchObject({
      token: usdc,
      text: '1.5',
      recipient: { kind: 'known', address: friend },
    })
    await second.prepare(plan)
    await second.confirm()
    const third = openSendForm({}, session)
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
      const store = openSendForm(
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
    const store = openSendForm({}, session)
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
    const store = openSendForm()
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
    const store = openSendForm({ balances: async () => ({ [nativeTokenAddress]: 21_000n }) })
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
    const store = openSendForm({ isContract: () => contract.promise, swaps })
    await store.open(opening)
    store.setTo(` 0x${friend.slice(2).toUpperCase()} `)
    expect(store.getState().recipient).toEqual({ kind: 'known', address: friend, isContract: undefined })
    contract.resolve(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().recipient).toEqual({ kind: 'known', address: friend, isContract: true })
  })

  it('distinguishes empty input, words, a wrong checksum and an address', async () => {
    const store = openSendForm()
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
    const store = openSendForm()
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
    const store = openSendForm({
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
    const store = openSendForm()
    await store.prepare(plan)
    const { stage } = store.getState()
    expect(stage).toMatchObject({ at: 'review', preview, facts: { isContract: false } })
    expect(tried).toEqual([
      { chainId: 31337, account, token: usdc.address, to: friend, amount: 5n, speed: 'normal' },
    ])
    expect(stage.at === 'review' && stage.id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('sends the whole balance of a token as the maximum', async () => {
    const store = openSendForm()
    await store.prepare({ ...plan, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ ask: { amount: 77n, speed: 'normal' }, preview })
  })

  it('sends the maximum native amount with the fees it was computed with, and caps the fee at the rest', async () => {
    const store = openSendForm()
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
    const store = openSendForm({ balances: async () => ({ [nativeTokenAddress]: 20n }) })
    await store.prepare({ ...plan, token: eth, amount: 'most' })
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'not-enough-gas' } })
  })

  it('fails while it is unknown whether the recipient is a contract', async () => {
    const error = new WalletError('node-timeout', 'Late.')
    const store = openSendForm({ isContract: () => Promise.reject(error) })
    await store.prepare(plan)
    expect(store.getState().stage).toEqual({ at: 'unprepared', plan, error })
  })

  it('renews the preview, reports a failed renewal, and ends after inactivity', async () => {
    const answers = [preview, { ...preview, feeCap: 9n }]
    const store = openSendForm({
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
    const store = openSendForm()
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
      const store = openSendForm()
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
    const store = openSendForm({ previewTransfer: () => answer.promise })
    await store.open(opening)
    const preparing = store.prepare(plan)
    await store.open({ ...opening, account: dai })
    answer.resolve(preview)
    await preparing
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('rejects a token whose contract reports other decimals than the list, or none', async () => {
    const wrong = openSendForm({ call: async () => uint(18) })
    await wrong.prepare(plan)
    expect(wrong.getState().stage).toMatchObject({
      at: 'unprepared',
      error: {
        code: 'unsafe-transaction',
        facts: { fact: 'decimals', expected: '18', found: '6', token: usdc.address },
      },
    })
    const none = openSendForm({ call: async () => '0x' })
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
      const store = openSendForm({ call })
      await store.prepare({ ...plan, token })
      expect(store.getState().stage).toMatchObject({ at: 'review' })
    }
    const limited = new WalletError('node-answered', 'Refused.', {
      rpcCode: '-32005',
      rpcMessage: 'limit exceeded',
    })
    const store = openSendForm({ call: () => Promise.reject(limited) })
    await store.prepare({ ...plan, token })
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', error: { code: 'node-answered' } })
  })

  it('reads no decimals for the native token', async () => {
    const store = openSendForm({ call: () => Promise.reject(new Error('Asked.')) })
    await store.prepare({ ...plan, token: eth })
    expect(store.getState().stage).toMatchObject({ at: 'review' })
  })

  it('renews the preview at another speed and shows the old numbers meanwhile', async () => {
    const store = openSendForm()
    await store.prepare(plan)
    const before = store.getState().stage
    const choosing = store.choose('slow')
    expect(store.getState().stage).toMatchObject({ at: 'preparing', before })
    await choosing
    expect(tried.at(-1)?.speed).toBe('slow')
  })
})
