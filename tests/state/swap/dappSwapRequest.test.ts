import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import type { SwapRequest } from '../../../src/domain/dapp/swapRequest.ts'
import type { Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { createDappSwapRequest } from '../../../src/state/swap/dappSwapRequest.ts'
import { createSwapFormStore } from '../../../src/state/swap/swapForm.ts'
import { dai, local, pending, usdc } from '../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const other = `0x${'2'.repeat(40)}` as const

const sale: SwapRequest = {
  id: 'mine',
  type: 'sell',
  token: usdc.address,
  pairToken: dai.address,
  amount: 1_500_000n,
  chainId: local.chainId,
  from: account,
}
const purchase: SwapRequest = { ...sale, type: 'buy', amount: 995_000n }

const approvalOf = (id: string, request: SwapRequest): Approval => ({
  id,
  origin: 'https://shop.example',
  chainId: local.chainId,
  createdAt: 1,
  expiresAt: 2,
  ask: { kind: 'swap', request },
})

type SellFor = Parameters<typeof createDappSwapRequest>[0]['wallet']['findSellAmount']

function opened(sellFor: SellFor = async () => 2n * 10n ** 18n) {
  const accounts: string[] = []
  const network = { ...local, options: { parts: 5 } }
  const trade = createSwapFormStore({ saveDraft: async () => {} }, '.')
  let reads = async (token: Token) => token
  const proposal = createDappSwapRequest({
    wallet: { findSellAmount: sellFor },
    trade,
    tokens: {
      setAccount: (one) => void accounts.push(one),
      open: async () => {},
      read: async (_chainId, address) => reads([usdc, dai].find((one) => one.address === address) ?? usdc),
    },
  })
  return {
    proposal,
    trade,
    accounts,
    open: (id: string, request: SwapRequest) => proposal.open(approvalOf(id, request), request, network, 50),
    openWithout: (id: string, request: SwapRequest) =>
      proposal.open(approvalOf(id, request), request, network, undefined),
    read: (how: typeof reads) => {
      reads = how
    },
  }
}

describe('swap request of a dapp', () => {
  it('fills the form once and keeps later edits', async () => {
    const { proposal, trade, accounts, open } = opened()
    await open('a', sale)
    expect(trade.getState()).toMatchObject({ chainId: local.chainId, sell: usdc, buy: dai, text: '1.5' })
    expect(proposal.getState()).toMatchObject({ status: 'filled', amount: { filled: 1_500_000n } })
    expect(accounts).toEqual([account])
    trade.setText('7')
    await open('a', sale)
    expect(trade.getState().text).toBe('7')
  })

  it('searches the sell amount that covers the amount to buy after slippage', async () => {
    const wanted: unknown[] = []
    const { proposal, trade, open } = opened(async (asked) => {
      wanted.push(asked)
      return 2n * 10n ** 18n
    })
    await open('a', purchase)
    expect(wanted).toEqual([
      {
        chainId: local.chainId,
        sell: dai.address,
        buy: usdc.address,
        returns: 1_000_000n,
        options: { parts: 5 },
      },
    ])
    expect(trade.getState()).toMatchObject({ sell: dai, buy: usdc, text: '2' })
    expect(proposal.getState()).toMatchObject({ amount: { filled: 2n * 10n ** 18n } })
  })

  it('applies the slippage of the settings or of the pair, limited to what the dapp allows', async () => {
    const wanted: bigint[] = []
    const { open, openWithout } = opened(async ({ returns }) => {
      wanted.push(returns)
      return 2n * 10n ** 18n
    })
    await openWithout('a', { ...purchase, amount: 990_000n })
    await openWithout('b', { ...purchase, amount: 999_000n, slippageBps: 10 })
    await open('c', { ...purchase, amount: 995_000n, slippageBps: 80 })
    expect(wanted).toEqual([1_000_000n, 1_000_000n, 1_000_000n])
  })

  it('rounds the sell amount up to a few digits', async () => {
    const { proposal, trade, open } = opened(async () => 250_544_869_402_456_400_271n)
    await open('a', purchase)
    expect(trade.getState().text).toBe('250.545')
    expect(proposal.getState()).toMatchObject({ amount: { filled: 250_545n * 10n ** 15n } })
  })

  it('leaves the amount empty when the search fails, and searches again when reopened', async () => {
    let isDown = true
    const { proposal, trade, open } = opened(async () => {
      if (isDown) throw new WalletError('no-route', 'No route.')
      return 3n * 10n ** 18n
    })
    await open('a', purchase)
    expect(trade.getState()).toMatchObject({ sell: dai, buy: usdc, text: '' })
    expect(proposal.getState()).toMatchObject({
      status: 'filled',
      amount: { filled: undefined, error: { code: 'no-route' } },
    })
    isDown = false
    await open('a', purchase)
    expect(trade.getState().text).toBe('3')
  })

  it('reports why the tokens of the pair cannot be read', async () => {
    const { proposal, open, read } = opened()
    read(() => Promise.reject(new WalletError('node-unreachable', 'No answer.')))
    await open('a', sale)
    expect(proposal.getState()).toMatchObject({ status: 'failed', error: { code: 'node-unreachable' } })
  })

  it('ignores a late answer after another request was opened', async () => {
    const slow = pending<bigint>()
    const { proposal, trade, accounts, open } = opened(() => slow.promise)
    const late = open('a', purchase)
    await Promise.resolve()
    await open('b', { ...sale, from: other })
    trade.setText('7')
    slow.resolve(5n)
    await late
    expect(trade.getState()).toMatchObject({ sell: usdc, buy: dai, text: '7' })
    expect(proposal.getState()).toMatchObject({ status: 'filled', approvalId: 'b' })
    expect(accounts).toEqual([account, other])
  })
})
