import { createStore } from 'zustand/vanilla'
import type { Approval } from '../../domain/dapp/approval.ts'
import type { SwapRequest } from '../../domain/dapp/swapRequest.ts'
import type { Network } from '../../domain/network/network.ts'
import { computeRequiredReturn } from '../../domain/swap/quote.ts'
import { autoSlippage } from '../../domain/swap/slippage.ts'
import { formatExact } from '../../domain/token/amount.ts'
import { roundUpToDigits } from '../../domain/token/significantDigits.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { QuotesApi } from '../../protocol.ts'
import { randomId } from '../randomId.ts'
import type { createTokens } from '../tokens/tokens.ts'
import { type createSwapFormStore, emptyForm } from './swapForm.ts'

/** What a page proposed, as far as the form has been filled with it. */
export type ProposalState =
  | { status: 'none' }
  | { status: 'filling'; approvalId: string; request: SwapRequest }
  | { status: 'filled'; approvalId: string; request: SwapRequest; amount: PrefilledAmount }
  | { status: 'failed'; approvalId: string; request: SwapRequest; error: WalletError }

/** What the form was filled with to sell, or why an amount to buy could not be turned into that. */
export type PrefilledAmount = { filled: bigint | undefined; error?: WalletError }

type Deps = {
  wallet: Pick<QuotesApi, 'findSellAmount'>
  tokens: Pick<ReturnType<typeof createTokens>, 'open' | 'read' | 'setAccount'>
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'start' | 'getState'>
}

/** Fills the form with what a page would like swapped. From there on it is the user's. */
export function createProposal({ wallet, tokens, trade }: Deps) {
  const store = createStore<ProposalState>()(() => ({ status: 'none' }))
  const show = (state: ProposalState) => store.setState(state, true)
  const view = randomId()

  async function readPair({ type, token, pairToken }: SwapRequest, network: Network) {
    await tokens.open(network)
    const read = (address: Address | undefined) =>
      address === undefined ? undefined : tokens.read(network.chainId, address)
    const [one, other] = await Promise.all([read(token), read(pairToken)])
    return type === 'sell' ? { sell: one, buy: other } : { sell: other, buy: one }
  }

  /** An amount to buy becomes the least that has to be sold for it now, the slippage included. */
  async function amountToSell(
    request: SwapRequest,
    { sell, buy }: { sell: Token | undefined; buy: Token | undefined },
    network: Network,
    chosenBps: number | undefined,
  ): Promise<PrefilledAmount> {
    const { type, amount } = request
    const { chainId, options } = network
    if (type === 'sell' || amount === undefined) return { filled: amount }
    if (sell === undefined || buy === undefined) return { filled: undefined }
    try {
      const slippageBps = allowedSlippage(chosenBps ?? autoSlippage(sell, buy, network), request)
      const wanted = {
        chainId,
        sell: sell.address,
        buy: buy.address,
        returns: computeRequiredReturn(amount, slippageBps),
        ...(options && { options }),
      }
      const least = await wallet.findSellAmount(wanted, view)
      // A number that can be read, and is enough.
      return { filled: roundUpToDigits(least, 6) }
    } catch (error) {
      return { filled: undefined, error: toWalletError(error) }
    }
  }

  const write = (amount: bigint | undefined, sell: Token | undefined) =>
    amount === undefined || sell === undefined
      ? ''
      : formatExact(amount, sell.decimals, trade.getState().decimalMark)

  return {
    ...store,

    /**
     * Begins with a request, unless the form is filled with it already. `chosenBps` is what a swap may lose on the way by the settings,
     * where they say. An answer that comes after another request was begun with fills nothing.
     */
    async open(
      { id: approvalId }: Approval,
      request: SwapRequest,
      network: Network,
      chosenBps: number | undefined,
    ): Promise<void> {
      const before = store.getState()
      if (isDone(before) && before.approvalId === approvalId) return
      const { chainId } = network
      const filling: ProposalState = { status: 'filling', approvalId, request }
      show(filling)
      trade.start({ ...emptyForm, chainId })
      tokens.setAccount(request.from)
      try {
        const pair = await readPair(request, network)
        const amount = await amountToSell(request, pair, network, chosenBps)
        if (store.getState() !== filling) return
        trade.start({ ...emptyForm, ...pair, chainId, text: write(amount.filled, pair.sell) })
        show({ status: 'filled', approvalId, request, amount })
      } catch (error) {
        if (store.getState() !== filling) return
        show({ status: 'failed', approvalId, request, error: toWalletError(error) })
      }
    },
  }
}

/** Nothing is left to do, or somebody is at it. */
function isDone(state: ProposalState): state is Extract<ProposalState, { status: 'filling' | 'filled' }> {
  return state.status === 'filling' || (state.status === 'filled' && state.amount.error === undefined)
}

/** The most that may be lost on the way: a page may lower what the user allows, and never raise it. */
export function allowedSlippage(chosenBps: number, { slippageBps }: SwapRequest): number {
  return slippageBps === undefined ? chosenBps : Math.min(chosenBps, slippageBps)
}
