import type { Quote, QuoteRequest } from '../../domain/swap/quote.ts'
import { toWalletError } from '../../errors.ts'

/** By how much a quote is worse than the middle price, in basis points. `view` names who asks, as for quotes. */
export type PriceImpact = (ask: QuoteRequest, returns: bigint, view?: string) => Promise<number | undefined>

type Deps = { quote(ask: QuoteRequest, view?: string): Promise<Pick<Quote, 'returns'>> }

const whole = 10_000n

/**
 * Asks for the way back: what `returns` would buy of what was sold. There and back the price is crossed twice, at about the same loss each
 * time, so of `amount` there is left amount × (1 − loss)², and the loss of one way is 1 − √(back ÷ amount). The service has no middle
 * price to compare with, and this needs none. The partner fee is no loss of the price: it is taken off before, and the way back goes
 * without. Undefined when there is no way back.
 */
export function createImpact({ quote }: Deps): PriceImpact {
  return async ({ trade, options }, returns, view) => {
    const { chainId, sell, buy, amount } = trade
    const { feeBps = 0, referrer: _, ...others } = options ?? {}
    const back = await quote(
      { trade: { chainId, sell: buy, buy: sell, amount: returns }, options: others },
      view && `${view} impact`,
    ).catch(nothingWhenNoRoute)
    return back && lossBps(back.returns * whole, amount * (whole - BigInt(feeBps)))
  }
}

/** 1 − √(back ÷ amount), to the nearest basis point, and nothing where more comes back than went. */
function lossBps(back: bigint, amount: bigint): number {
  if (back >= amount) return 0
  // Twice the root, so that a half decides; squared it is at most 4 × 10⁸, of which a float's root is exact.
  const doubled = Math.sqrt(Number((4n * whole * whole * back) / amount))
  return Number(whole) - Math.floor((Math.floor(doubled) + 1) / 2)
}

function nothingWhenNoRoute(error: unknown): undefined {
  if (toWalletError(error).code === 'no-route') return undefined
  throw error
}
