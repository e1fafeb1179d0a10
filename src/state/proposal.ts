import { createStore } from 'zustand/vanilla'
import { formatExact } from '../domain/amount.ts'
import type { Approval } from '../domain/approval.ts'
import type { Network } from '../domain/network.ts'
import type { SwapRequest } from '../domain/swapRequest.ts'
import type { Address, Token } from '../domain/token.ts'
import type { Trade } from '../domain/trade.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'
import type { createTokens } from './tokens.ts'
import type { createTrade } from './trade.ts'

/** What a page proposed, as far as the form has been filled with it. */
export type ProposalState =
  | { status: 'none' }
  | { status: 'filling'; approvalId: string; request: SwapRequest }
  /** `trade` is what the page asked for, when it named all of it: its floor holds for this trade alone. */
  | { status: 'filled'; approvalId: string; request: SwapRequest; trade: Trade | undefined }
  | { status: 'failed'; approvalId: string; request: SwapRequest; error: WalletError }

type Parts = {
  wallet: Pick<Wallet, 'sellFor'>
  tokens: Pick<ReturnType<typeof createTokens>, 'open' | 'read' | 'setAccount'>
  trade: Pick<ReturnType<typeof createTrade>, 'start'>
  decimalMark: '.' | ','
}

/** Fills the form with what a page would like swapped. From there on it is the user's. */
export function createProposal({ wallet, tokens, trade, decimalMark }: Parts) {
  const store = createStore<ProposalState>()(() => ({ status: 'none' }))
  const show = (state: ProposalState) => store.setState(state, true)

  async function fill(request: SwapRequest, network: Network): Promise<Trade | undefined> {
    const { chainId } = network
    trade.start({ ...blank, chainId })
    tokens.setAccount(request.from)
    await tokens.open(network)
    const read = (address: Address | undefined) =>
      address === undefined ? undefined : tokens.read(chainId, address)
    const [token, pair] = await Promise.all([read(request.token), read(request.pairToken)])
    const [sell, buy] = request.type === 'sell' ? [token, pair] : [pair, token]
    const amount = await amountToSell(request, sell, buy)
    const text =
      sell && amount !== undefined ? formatExact(amount, sell.decimals).replace('.', decimalMark) : ''
    trade.start({ chainId, sell, buy, text, slippageBps: undefined })
    if (sell === undefined || buy === undefined || amount === undefined) return undefined
    return { chainId, sell: sell.address, buy: buy.address, amount }
  }

  /** An amount to buy becomes the least that has to be sold for it now. */
  async function amountToSell(
    { type, amount, chainId }: SwapRequest,
    sell: Token | undefined,
    buy: Token | undefined,
  ): Promise<bigint | undefined> {
    if (type === 'sell' || amount === undefined) return amount
    if (sell === undefined || buy === undefined) return undefined
    return wallet.sellFor({ chainId, sell: sell.address, buy: buy.address, returns: amount })
  }

  return {
    ...store,

    /** Begins with a request, unless the form is filled with it already. */
    async open({ id: approvalId }: Approval, request: SwapRequest, network: Network): Promise<void> {
      const before = store.getState()
      if (before.status !== 'none' && before.status !== 'failed' && before.approvalId === approvalId) return
      const filling: ProposalState = { status: 'filling', approvalId, request }
      show(filling)
      try {
        const trade = await fill(request, network)
        if (store.getState() === filling) show({ status: 'filled', approvalId, request, trade })
      } catch (error) {
        if (store.getState() !== filling) return
        show({ status: 'failed', approvalId, request, error: toWalletError(error) })
      }
    },
  }
}

/** The most that may be lost on the way: a page may lower what the user allows, and never raise it. */
export function allowedSlippage(chosenBps: number, { slippageBps }: SwapRequest): number {
  return slippageBps === undefined ? chosenBps : Math.min(chosenBps, slippageBps)
}

const blank = { sell: undefined, buy: undefined, text: '', slippageBps: undefined }
