import { beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { type ErrorCode, WalletError } from '../../../../src/errors.ts'
import {
  asker,
  caught,
  createSwapStage,
  loner,
  newIntent,
  origin,
  pageAsk,
  stranger,
  usdc,
  weth,
} from '../../../helpers/background/swapStage.ts'

let stage: Awaited<ReturnType<typeof createSwapStage>>

beforeEach(async () => {
  stage = await createSwapStage()
  await stage.connect()
})

describe('swap execution', () => {
  const { id, trade } = newIntent()

  async function open() {
    caught(stage.method(asker(), [pageAsk]))
    return stage.shown()
  }

  const wrong: [string, Parameters<typeof newIntent>[0], ErrorCode][] = [
    ['another account', { account: stranger }, 'invalid-input'],
    ['another chain', { trade: { ...trade, chainId: 31337 } }, 'invalid-input'],
    ['more slippage', { slippageBps: 51 }, 'invalid-input'],
    ['a lower floor', { floor: 2_989_999_999n }, 'below-floor'],
    ['an intent that is none', { id: 'x' }, 'invalid-input'],
  ]
  it.each(wrong)('rejects %s and keeps the request open', async (_name, changes, code) => {
    const approval = await open()
    const decision = { kind: 'swap', intent: newIntent(changes) } as const
    expect(await caught(stage.approvals.approve(approval.id, decision))).toMatchObject({ code })
    expect(stage.journal.stored.size).toBe(0)
    expect(await stage.approvals.list()).toHaveLength(1)
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'open' })
  })

  it('does not enforce the minimum when the user changes the pair or the amount', async () => {
    for (const changed of [
      { ...trade, amount: 1n },
      { ...trade, buy: nativeTokenAddress },
      { ...trade, sell: loner },
    ]) {
      stage = await createSwapStage()
      await stage.connect()
      const approval = await open()
      await stage.approvals.approve(approval.id, {
        kind: 'swap',
        intent: newIntent({ trade: changed, floor: 1n }),
      })
      expect(stage.journal.stored.size).toBe(1)
    }
  })

  it('enforces the minimum for any amount when the page gives none', async () => {
    caught(stage.method(asker(), [{ token: weth, pairToken: usdc, minReceived: '2990' }]))
    const approval = await stage.shown()
    const answer = (changes: Parameters<typeof newIntent>[0]) =>
      caught(stage.approvals.approve(approval.id, { kind: 'swap', intent: newIntent(changes) }))
    expect(await answer({ trade: { ...trade, amount: 1n }, floor: 2_989_999_999n })).toMatchObject({
      code: 'below-floor',
    })
    expect(await answer({ trade: { ...trade, amount: 1n }, floor: 2_990_000_000n })).toBeUndefined()
  })

  it('rejects a partial fill when the page gives a minimum for the whole amount', async () => {
    caught(stage.method(asker(), [{ token: weth, pairToken: usdc, minReceived: '2990' }]))
    const approval = await stage.shown()
    const answer = (changes: Parameters<typeof newIntent>[0]) =>
      caught(stage.approvals.approve(approval.id, { kind: 'swap', intent: newIntent(changes) }))
    expect(await answer({ allowPartialFill: true })).toMatchObject({
      code: 'invalid-input',
      facts: { field: 'allowPartialFill' },
    })
    expect(await answer({ allowPartialFill: false })).toBeUndefined()
  })

  it('enforces the amount to buy only while the user sells the prefilled amount', async () => {
    const purchase = { type: 'buy', token: usdc, pairToken: weth, amount: '3000' }
    for (const [filled, floor, code] of [
      [trade.amount, 2_999_999_999n, 'below-floor'],
      [trade.amount, 3_000_000_000n, undefined],
      // The user changed the amount.
      [trade.amount + 1n, 1n, undefined],
      [undefined, 1n, undefined],
    ] as const) {
      stage = await createSwapStage()
      await stage.connect()
      caught(stage.method(asker(), [purchase]))
      const approval = await stage.shown()
      const decision = {
        kind: 'swap',
        intent: newIntent({ floor }),
        ...(filled === undefined ? {} : { filled }),
      } as const
      const error = await caught(stage.approvals.approve(approval.id, decision))
      expect((error as WalletError | undefined)?.code).toBe(code)
      expect(stage.journal.stored.size).toBe(code === undefined ? 1 : 0)
    }
  })

  it('stores one intent for repeated executions', async () => {
    const approval = await open()
    const decision = { kind: 'swap', intent: newIntent() } as const
    expect(await stage.carryOut(approval, decision)).toEqual({ intentId: id })
    expect(await stage.carryOut(approval, decision)).toEqual({ intentId: id })
    const other = { kind: 'swap', intent: newIntent({ id: 'f'.repeat(32) }) } as const
    expect(await stage.carryOut(approval, other)).toEqual({ intentId: id })
    expect([...stage.journal.stored.keys()]).toEqual([id])
  })

  it('reopens the id when the journal rejects the intent', async () => {
    const approval = await open()
    stage.journal.refuse(new WalletError('locked', 'Locked.'))
    const decision = { kind: 'swap', intent: newIntent() } as const
    expect(await caught(stage.approvals.approve(approval.id, decision))).toMatchObject({ code: 'locked' })
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'open' })
    stage.journal.refuse(undefined)
    await stage.approvals.approve(approval.id, decision)
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'sent', intentId: id })
  })
})
