import { isNative } from '../../domain/token/token.ts'
import type { QuotesApi } from '../../protocol.ts'
import type { createTokens } from '../tokens/tokens.ts'
import type { createQuote } from './quote.ts'
import type { createSwapFormStore } from './swapForm.ts'

/** Wei: 400,000 gas at 25 gwei, ample for approval and swap. */
const usualReserve = 400_000n * 25n * 10n ** 9n

/** Reserves the gas when selling the native token. */
export function createPercentage(
  wallet: Pick<QuotesApi, 'gasReserve'>,
  tokens: Pick<ReturnType<typeof createTokens>, 'getState'>,
  quote: Pick<ReturnType<typeof createQuote>, 'getState'>,
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'getState' | 'setShare'>,
) {
  let sharing = 0

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
    if (mine === sharing && trade.getState() === form) trade.setShare(percent, balance, reserve)
  }
}
