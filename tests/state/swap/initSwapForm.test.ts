import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Draft } from '../../../src/protocol.ts'
import { dai, local, reviewOf, settings, swapOf, usdc } from '../../helpers/state/fakes.ts'
import { account, popup } from '../../helpers/state/popup.ts'

const other = { ...local, chainId: 5, name: 'Other' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('clearing the swap form', () => {
  const trade: Trade = {
    chainId: local.chainId,
    sell: nativeTokenAddress,
    buy: usdc.address,
    amount: 10n ** 18n,
  }
  const done = { status: 'done', received: 1n } as const

  async function swapped() {
    const kept: { draft?: Draft; swap?: Swap } = {}
    const stores = await popup({
      async saveDraft(draft) {
        kept.draft = draft
      },
      review: async () => reviewOf(trade),
      async swap({ id }) {
        kept.swap = swapOf({ id })
        return kept.swap
      },
    })
    stores.trade.setText('1')
    stores.trade.setReceiver(dai.address)
    await stores.swap.prepare({ account: account.address, trade, slippageBps: 50, receiver: dai.address })
    await stores.swap.confirm()
    return { stores, kept }
  }

  it('clears the form and its recipient once the swap is done', async () => {
    const { stores, kept } = await swapped()
    expect(stores.trade.getState()).toMatchObject({ text: '1', receiver: dai.address })
    stores.events.swap({ ...kept.swap!, outcome: done })
    expect(stores.trade.getState()).toMatchObject({ buy: usdc, text: '', receiver: undefined })
    expect(kept.draft).not.toHaveProperty('receiver')
    stores.stop()
  })

  it('clears the form in a popup that opens after the swap was done', async () => {
    const { stores, kept } = await swapped()
    stores.stop()
    const later = await popup({
      draft: async () => kept.draft,
      swaps: async () => [{ ...kept.swap!, outcome: done }],
    })
    expect(later.trade.getState()).toMatchObject({ text: '', receiver: undefined })
    later.stop()
  })

  it('keeps the form when its swap fails, or when another swap is done', async () => {
    const { stores, kept } = await swapped()
    stores.events.swap(swapOf({ id: 'another' }, done))
    const failed = { status: 'failed', code: 'reverted', message: 'No.', facts: {} } as const
    stores.events.swap({ ...kept.swap!, outcome: failed })
    expect(stores.trade.getState()).toMatchObject({ text: '1', receiver: dai.address })
    stores.stop()
  })
})

describe('opening the swap form', () => {
  it('does not offer a token that was chosen meanwhile for itself', async () => {
    const stores = await popup({ settings: async () => ({ ...settings, networks: [local, other] }) })
    await stores.settings.save({ chainId: other.chainId })
    // As a token's page does after it switched the network.
    stores.trade.setSell(usdc)
    await vi.advanceTimersByTimeAsync(0)
    const { sell, buy } = stores.trade.getState()
    expect([sell?.symbol, buy?.symbol]).toEqual(['USDC', 'ETH'])
    stores.stop()
  })
})
