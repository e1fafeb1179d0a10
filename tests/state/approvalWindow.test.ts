import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Approval } from '../../src/domain/dapp/approval.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../src/domain/token/token.ts'
import { WalletError } from '../../src/errors.ts'
import { emptyForm } from '../../src/state/swap/swapForm.ts'
import { dai, local, pending, reviewOf, swapOf, usdc } from '../helpers/state/fakes.ts'
import { account, open, popup } from '../helpers/state/popup.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('approval window', () => {
  const approval: Approval = {
    id: 'a',
    origin: 'https://app.example',
    chainId: local.chainId,
    createdAt: 1,
    expiresAt: 2,
    ask: { kind: 'switch-chain', to: 1 },
  }

  it('lists pending requests while the wallet is locked', async () => {
    const { approvals } = await popup(
      { status: async () => ({ vault: 'locked' }), approvals: async () => [approval] },
      'requests',
    )
    expect(approvals.getState().open).toEqual([approval])
  })

  it('reads and writes no draft and loads no tokens or balances', async () => {
    const asked: string[] = []
    const stores = await popup(
      {
        async draft() {
          asked.push('draft')
          return undefined
        },
        async saveDraft() {
          asked.push('saveDraft')
        },
        async tokens() {
          asked.push('tokens')
          return []
        },
        async balances() {
          asked.push('balances')
          return {}
        },
      },
      'requests',
    )
    stores.trade.start({ ...emptyForm, chainId: local.chainId, sell: dai, buy: usdc })
    stores.trade.setText('1')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
    stores.stop()
  })

  it('does not open the progress of a swap that was started elsewhere', async () => {
    const running = swapOf()
    const form = await popup({ swaps: async () => [running] })
    expect(form.swap.getState().stage).toEqual({ at: 'progress', id: '1' })
    const requests = await popup({ swaps: async () => [running] }, 'requests')
    expect(requests.swap.getState()).toMatchObject({ stage: { at: 'form' }, swaps: [running] })
    form.stop()
    requests.stop()
  })

  const request = { id: 'mine', type: 'sell', chainId: local.chainId, from: account.address } as const
  const asked = (id: string, createdAt: number): Approval => ({
    ...approval,
    id,
    createdAt,
    ask: { kind: 'swap', request },
  })
  const [first, second] = [asked('a', 1), asked('b', 2)]
  const trade: Trade = { chainId: local.chainId, sell: nativeTokenAddress, buy: usdc.address, amount: 1n }
  const plan = { account: account.address, trade, slippageBps: 50, request: { id: 'a', filled: 1n } }
  const review = async () => reviewOf(trade)

  it('prices an amount to receive with no more slippage than the dapp allows', async () => {
    const searched: bigint[] = []
    const stores = await popup(
      {
        async findSellAmount({ returns }) {
          searched.push(returns)
          return 7n
        },
      },
      'requests',
    )
    const modest = { ...request, token: dai.address, pairToken: usdc.address, slippageBps: 10 }
    await stores.dappSwapRequest.open({ ...first, ask: { kind: 'swap', request: modest } }, modest, local, 50)
    stores.trade.setText('999', 'buy')
    await vi.advanceTimersByTimeAsync(300)
    expect(searched).toEqual([1_000_000_000n])
    stores.trade.setSlippage(5)
    await vi.advanceTimersByTimeAsync(300)
    expect(searched.at(-1)).toBe(999_499_750n)
    stores.stop()
  })

  it('closes the review when its request is over, and does not renew it', async () => {
    let reviews = 0
    const stores = await popup(
      {
        approvals: async () => [first, second],
        async review() {
          reviews += 1
          return review()
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    stores.events.approvals([first, second])
    expect(stores.swap.getState().stage.at).toBe('review')
    stores.events.approvals([second])
    expect(stores.swap.getState().stage).toEqual({ at: 'form' })
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: true })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reviews).toBe(1)
    expect(stores.approvals.getState()).toMatchObject({ shown: second, isOver: false })
    stores.stop()
  })

  it('shows the progress of a swap while another request is pending', async () => {
    const slow = pending<void>()
    const said: unknown[] = []
    const stores = await popup(
      {
        approvals: async () => [first, second],
        review,
        approve(...args) {
          said.push(args)
          return slow.promise
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    const confirmed = stores.swap.confirm()
    stores.events.approvals([second])
    expect(stores.swap.getState().stage.at).toBe('confirming')
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: false })
    slow.resolve()
    await confirmed
    expect(stores.swap.getState().stage.at).toBe('progress')
    expect(stores.approvals.getState()).toMatchObject({ open: [second], shown: second, isOver: false })
    expect(said).toMatchObject([['a', { kind: 'swap', filled: 1n }]])
    stores.stop()
  })

  it('closes a swap that was refused because its request is over', async () => {
    const stores = await popup(
      {
        approvals: async () => [first],
        review,
        async approve() {
          stores.events.approvals([])
          throw new WalletError('invalid-input', 'This request is no longer open.')
        },
      },
      'requests',
    )
    await stores.swap.prepare(plan)
    await stores.swap.confirm()
    expect(stores.swap.getState().stage).toEqual({ at: 'form' })
    expect(stores.approvals.getState()).toMatchObject({ shown: first, isOver: true })
    stores.stop()
  })

  it('reads the balances again after unlocking', async () => {
    let reads = 0
    const stores = await popup(
      {
        async balances() {
          reads += 1
          return {}
        },
        lock: async () => {},
      },
      'requests',
    )
    stores.tokens.setAccount(account.address)
    await stores.tokens.open(local)
    stores.events.status({ vault: 'locked' })
    await vi.advanceTimersByTimeAsync(60_000)
    const before = reads
    stores.events.status(open)
    await vi.advanceTimersByTimeAsync(0)
    expect(reads).toBe(before + 1)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(reads).toBe(before + 2)
    stores.stop()
  })
})
