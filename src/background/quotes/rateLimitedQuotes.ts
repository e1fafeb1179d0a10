import { getService } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import type { Quote, QuoteRequest } from '../../domain/swap/quote.ts'
import { isWrap } from '../../domain/swap/wrap.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Networks } from '../networks/networks.ts'
import { wrapQuote } from './wrap.ts'

/** Returns a quote within the rate limit. Throws `aborted` if aborted while waiting. */
export type FetchQuote = (ask: QuoteRequest, signal?: AbortSignal) => Promise<Quote>

type Deps = {
  networks: Pick<Networks, 'network' | 'api'>
  now?(): number
  wait?(ms: number): Promise<void>
}

/** Usual limit of swap services. */
const everyMs = 1_000
const atOnce = 3

/**
 * Creates the rate limit of automatic quotes, per swap service, pausing after HTTP 429. Reviews and swaps
 * bypass it.
 */
export function createFetchQuote({
  networks,
  now = () => performance.now(),
  wait = pause,
}: Deps): FetchQuote {
  /** Time of the next full burst, per swap service. */
  const restedAt = new Map<string, number>()
  const quietUntil = new Map<string, number>()

  async function waitForToken(service: string, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted) throw new WalletError('aborted', 'Something else is asked for by now.')
      const time = now()
      const quietMs = (quietUntil.get(service) ?? 0) - time
      if (quietMs > 0) throw isQuiet(quietMs)
      const rested = Math.max(restedAt.get(service) ?? 0, time)
      const earlyMs = rested - time - (atOnce - 1) * everyMs
      if (earlyMs <= 0) return void restedAt.set(service, rested + everyMs)
      await wait(earlyMs)
    }
  }

  return async ({ trade, options }, signal) => {
    const { chainId } = trade
    const network = await networks.network(chainId)
    if (isWrap(trade, network)) return wrapQuote(trade, `W${network.coin.symbol}`)
    const api = await networks.api(chainId, options?.source)
    // The RPC's own limits are those of its client.
    if (getSwapSource(network, options?.source) === 'direct') return api.quote(trade, options, signal)
    const service = getService(network)
    await waitForToken(service, signal)
    try {
      return await api.quote(trade, options, signal)
    } catch (error) {
      const { code, facts } = toWalletError(error)
      if (code === 'service-busy' && facts.retryAfterMs) {
        quietUntil.set(service, now() + Number(facts.retryAfterMs))
      }
      throw error
    }
  }
}

function isQuiet(ms: number): WalletError {
  return new WalletError('service-busy', 'The service asked not to be asked for a while.', {
    retryAfterMs: String(Math.ceil(ms)),
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
