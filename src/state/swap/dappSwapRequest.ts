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

export type DappSwapRequestState =
  | { status: 'none' }
  | { status: 'filling'; approvalId: string; request: SwapRequest }
  | { status: 'filled'; approvalId: string; request: SwapRequest; amount: PrefilledAmount }
  | { status: 'failed'; approvalId: string; request: SwapRequest; error: WalletError }

/** `filled`: sell amount. */
export type PrefilledAmount = { filled: bigint | undefined; error?: WalletError }

type Deps = {
  wallet: Pick<QuotesApi, 'findSellAmount'>
  tokens: Pick<ReturnType<typeof createTokens>, 'open' | 'read' | 'setAccount'>
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'start' | 'getState'>
}

export function createDappSwapRequest({ wallet, tokens, trade }: Deps) {
  const store = createStore<DappSwapRequestState>()(() => ({ status: 'none' }))
  const show = (state: DappSwapRequestState) => store.setState(state, true)
  const view = randomId()

  async function readPair({ type, token, pairToken }: SwapRequest, network: Network) {
    await tokens.open(network)
    const read = (address: Address | undefined) =>
      address === undefined ? undefined : tokens.read(network.chainId, address)
    const [one, other] = await Promise.all([read(token), read(pairToken)])
    return type === 'sell' ? { sell: one, buy: other } : { sell: other, buy: one }
  }

  /** Slippage included. */
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
      // Readable and sufficient.
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

    /** Fills the form once per request. */
    async open(
      { id: approvalId }: Approval,
      request: SwapRequest,
      network: Network,
      chosenBps: number | undefined,
    ): Promise<void> {
      const before = store.getState()
      if (isDone(before) && before.approvalId === approvalId) return
      const { chainId } = network
      const filling: DappSwapRequestState = { status: 'filling', approvalId, request }
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

function isDone(
  state: DappSwapRequestState,
): state is Extract<DappSwapRequestState, { status: 'filling' | 'filled' }> {
  return state.status === 'filling' || (state.status === 'filled' && state.amount.error === undefined)
}

/** A dapp can only lower the user's slippage. */
export function allowedSlippage(chosenBps: number, { slippageBps }: SwapRequest): number {
  return slippageBps === undefined ? chosenBps : Math.min(chosenBps, slippageBps)
}
