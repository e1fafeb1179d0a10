import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import { createApprovals } from '../../../src/state/approvals.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createSwapFlow, type SwapStage } from '../../../src/state/swap/swapFlow.ts'
import { watchRequests } from '../../../src/ui/approvals/autoClose.ts'
import { standInWallet } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const approval: Approval = {
  id: 'a',
  origin: 'https://app.example',
  chainId: 1,
  createdAt: 1,
  expiresAt: 2,
  ask: { kind: 'switch-chain', to: 137 },
}

function opened() {
  const approvals = createApprovals(standInWallet({ reject: async () => {} }), systemClock())
  const swap = createSwapFlow(standInWallet({}), systemClock())
  const close = vi.fn()
  const stop = watchRequests({ approvals, swap }, close)
  return { approvals, swap, close, stop }
}

describe('closing the approval window', () => {
  it('keeps the window open until the worker has sent the pending requests', async () => {
    const { close, stop } = opened()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(close).not.toHaveBeenCalled()
    stop()
  })

  it('closes the window when the last request is answered', async () => {
    const { approvals, close, stop } = opened()
    approvals.heard([approval])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(close).not.toHaveBeenCalled()
    await approvals.reject('a')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(close).toHaveBeenCalledTimes(1)
    stop()
  })

  it('keeps the window open for another request that arrives at the last moment', async () => {
    const { approvals, close, stop } = opened()
    approvals.heard([])
    approvals.heard([approval])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(close).not.toHaveBeenCalled()
    stop()
  })

  it('keeps the window open while it shows that a request is over', async () => {
    const { approvals, close, stop } = opened()
    approvals.heard([approval])
    approvals.heard([])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(close).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(close).toHaveBeenCalledTimes(1)
    stop()
  })

  it('keeps the window open while a swap is being confirmed, although its request is answered', async () => {
    const { approvals, swap, close, stop } = opened()
    approvals.heard([approval])
    swap.setState({ stage: { at: 'confirming' } as SwapStage })
    approvals.heard([])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(close).not.toHaveBeenCalled()
    stop()
  })

  it('keeps the window open while a swap is followed, and closes it when the swap is left', async () => {
    const { approvals, swap, close, stop } = opened()
    approvals.heard([])
    swap.follow('1')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(close).not.toHaveBeenCalled()
    swap.leave()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(close).toHaveBeenCalledTimes(1)
    stop()
  })
})
