import { isNative } from '../../domain/token/token.ts'
import type { QuotesApi } from '../../protocol.ts'
import type { createTokens } from '../tokens/tokens.ts'
import type { createQuote } from './quote.ts'
import type { createSwapFormStore } from './swapForm.ts'

/** Of the coin, in wei: 400,000 gas at 25 gwei, on the safe side of an approval and a long route. */
const usualReserve = 400_000n * 25n * 10n ** 9n

/**
 * Sells so many per cent of the balance. Of the coin so much has to stay that the swap can be paid for. A node that does not answer leaves
 * a careful guess.
 */
export function createPercentage(
  wallet: Pick<QuotesApi, 'gasReserve'>,
  tokens: Pick<ReturnType<typeof createTokens>, 'getState'>,
  quote: Pick<ReturnType<typeof createQuote>, 'getState'>,
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'getState' | 'setShare'>,
) {
  /** The newest press of a share. */
  let sharing = 0

  return async (percent: number): Promise<void> => {
    const form = trade.getState()
    const { chainId, sell } = form
    if (chainId === undefined || sell === undefined) return
    const mine = ++sharing
    const balance = tokens.getState().balances[sell.address]
    const price = quote.getState()
    const gas = price.status === 'ready' ? price.quote.gas : undefined
    const reserve =
      isNative(sell.address) && balance ? await wallet.gasReserve(chainId, gas).catch(() => usualReserve) : 0n
    // Whoever touched the form meanwhile, or pressed another share, wants that.
    if (mine === sharing && trade.getState() === form) trade.setShare(percent, balance, reserve)
  }
}
