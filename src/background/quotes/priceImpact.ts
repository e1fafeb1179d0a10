import type { Quote, QuoteRequest } from '../../domain/swap/quote.ts'
import { toWalletError } from '../../errors.ts'

/** Returns the price impact in basis points. */
export type PriceImpact = (ask: QuoteRequest, returns: bigint, view?: string) => Promise<number | undefined>

type Deps = { quote(ask: QuoteRequest, view?: string): Promise<Pick<Quote, 'returns'>> }

const whole = 10_000n

/**
 * Uses a reverse quote, as the swap service has no mid price: amount × (1 − loss)² comes back, so loss = 1 −
 * √(back ÷ amount). Excludes the partner fee. Undefined without a reverse route.
 */
export function createPriceImpact({ quote }: Deps): PriceImpact {
  return async ({ trade, options }, returns, view) => {
    const back = await quote(
      toReverse({ trade, ...(options && { options }) }, returns),
      view && `${view} impact`,
    ).catch(nothingWhenNoRoute)
    return back && lossBps(back.returns * whole, trade.amount * (whole - BigInt(options?.feeBps ?? 0)))
  }
}

/** Returns the request for the reverse quote, without the partner fee. */
export function toReverse({ trade, options }: QuoteRequest, returns: bigint): QuoteRequest {
  const { chainId, sell, buy } = trade
  const { feeBps: _fee, referrer: _referrer, ...others } = options ?? {}
  return { trade: { chainId, sell: buy, buy: sell, amount: returns }, options: others }
}

function lossBps(back: bigint, amount: bigint): number {
  if (back >= amount) return 0
  // Doubled to round halves; squared at most 4 × 10⁸, exact in a float root.
  const doubled = Math.sqrt(Number((4n * whole * whole * back) / amount))
  return Number(whole) - Math.floor((Math.floor(doubled) + 1) / 2)
}

function nothingWhenNoRoute(error: unknown): undefined {
  if (toWalletError(error).code === 'no-route') return undefined
  throw error
}
