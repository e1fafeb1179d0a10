import { getService } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import type { Quote, QuoteRequest } from '../../domain/swap/quote.ts'
import { isWrap } from '../../domain/swap/wrap.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Networks } from '../networks/networks.ts'
import { createServiceLimit, type ServiceLimit } from './serviceLimit.ts'
import { wrapQuote } from './wrap.ts'

/** Returns a quote within the rate limit. Throws `aborted` if aborted while waiting. */
export type FetchQuote = (ask: QuoteRequest, signal?: AbortSignal) => Promise<Quote>

type Deps = {
  networks: Pick<Networks, 'network' | 'api'>
  limit?: ServiceLimit
}

/**
 * Creates the rate limit of automatic quotes, pausing after HTTP 429. Comparisons take spare tokens only, and
 * their failures pause no quote. Reviews and swaps bypass it.
 */
export function createFetchQuote({ networks, limit = createServiceLimit() }: Deps): FetchQuote {
  return async ({ trade, options, isComparison }, signal) => {
    const { chainId } = trade
    const network = await networks.network(chainId)
    if (isWrap(trade, network)) return wrapQuote(trade, `W${network.coin.symbol}`)
    const api = await networks.api(chainId, options?.source)
    // The RPC's own limits are those of its client.
    if (getSwapSource(network, options?.source) === 'direct') return api.quote(trade, options, signal)
    const service = getService(network)
    if (!isComparison) await limit.take(service, signal)
    else if (!limit.tryTake(service)) throw new WalletError('service-busy', 'Quotes come first.')
    try {
      return await api.quote(trade, options, signal)
    } catch (error) {
      const { code, facts } = toWalletError(error)
      if (code === 'service-busy' && facts.retryAfterMs && !isComparison) {
        limit.pause(service, Number(facts.retryAfterMs))
      }
      throw error
    }
  }
}
