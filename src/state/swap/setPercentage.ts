import { isNative } from '../../domain/token/token.ts'
import type { QuotesApi } from '../../protocol.ts'
import type { createTokens } from '../tokens/tokens.ts'
import type { createQuote } from './quote.ts'
import { type createSwapFormStore, typedAmount } from './swapForm.ts'

/** Wei: 400,000 gas at 25 gwei, ample for approval and swap. */
const usualReserve = 400_000n * 25n * 10n ** 9n

/**
 * Reserves the gas when selling the native token: that of a long route, and once there is a quote for the
 * amount, that of its route.
 */
export function createPercentage(
  wallet: Pick<QuotesApi, 'gasReserve'>,
  tokens: Pick<ReturnType<typeof createTokens>, 'getState'>,
  quote: Pick<ReturnType<typeof createQuote>, 'getState' | 'subscribe'>,
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'getState' | 'setShare'>,
) {
  let sharing = 0
  let stopWaiting = () => {}

  function awaitRoute(percent: number, balance: bigint): void {
    stopWaiting()
    const form = trade.getState()
    const amount = typedAmount(form)
    const { chainId, kept } = form
    if (chainId === undefined || kept === undefined) return
    stopWaiting = quote.subscribe(async (price) => {
      if (trade.getState() !== form) return stopWaiting()
      if (price.status !== 'ready' || price.trade.amount !== amount) return
      stopWaiting()
      const needed = await wallet.gasReserve(chainId, price.quote.gas).catch(() => kept)
      if (needed !== kept && trade.getState() === form) trade.setShare(percent, balance, needed)
    })
  }

  return async (percent: number): Promise<void> => {
    const form = trade.getState()
    const { chainId, sell } = form
    if (chainId === undefined || sell === undefined) return
    const mine = ++sharing
    const balance = tokens.getState().balances[sell.address]
    const price = quote.getState()
    // A smaller amount may need fewer pools.
    const isNear =
      price.status === 'ready' &&
      balance !== undefined &&
      price.trade.amount * 200n >= balance * BigInt(percent)
    const gas = isNear ? price.quote.gas : undefined
    const reserve =
      isNative(sell.address) && balance ? await wallet.gasReserve(chainId, gas).catch(() => usualReserve) : 0n
    // Skip if the form has changed.
    if (mine !== sharing || trade.getState() !== form) return
    trade.setShare(percent, balance, reserve)
    if (gas === undefined && balance !== undefined) awaitRoute(percent, balance)
  }
}
