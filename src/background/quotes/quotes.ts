import { withoutL1Headroom } from '../../domain/network/networkFee.ts'
import { type Quote, type QuoteRequest, quoteKey } from '../../domain/swap/quote.ts'
import type { Chain } from '../../evm/client.ts'
import { typicalTxBytes } from '../fees/gasReserve.ts'
import type { FetchQuote } from './rateLimitedQuotes.ts'
import { createRequestCache, type RequestCache } from './requestCache.ts'

/** `view`: see `RequestCache`. */
export type Quotes = (ask: QuoteRequest, view?: string) => Promise<Quote>
export type QuoteDropper = Pick<RequestCache<Quote>, 'drop'>

/** Gas prices and the L1 fee of a typical swap, in wei. */
type Costs = { perGas: bigint; mostPerGas: bigint; l1Fee: bigint }

type Sources = {
  price: FetchQuote
  costsOf(chainId: number): Promise<Costs>
  now?(): number
}

const costsHoldForMs = 30_000
/** The reverse quote reuses the costs. */
const costsAreNewForMs = 2_000

/**
 * Creates shared quotes (`RequestCache`). They carry no account, for privacy, and do not wait for gas costs.
 */
export function createQuotes({
  price,
  costsOf,
  now = () => performance.now(),
}: Sources): Quotes & QuoteDropper {
  const lastCosts = new Map<number, Costs & { at: number }>()
  const share = createRequestCache<Quote>(now)

  function costs(chainId: number, withinMs: number): Costs | undefined {
    const last = lastCosts.get(chainId)
    return last !== undefined && now() - last.at <= withinMs ? last : undefined
  }

  async function ask(asked: QuoteRequest, signal: AbortSignal): Promise<Quote> {
    const { chainId } = asked.trade
    if (costs(chainId, costsAreNewForMs) === undefined) {
      costsOf(chainId).then(
        (found) => lastCosts.set(chainId, { ...found, at: now() }),
        () => lastCosts.delete(chainId),
      )
    }
    const quote = await price(asked, signal)
    const cost = costs(chainId, costsHoldForMs)
    if (cost === undefined) return quote
    const { perGas, mostPerGas, l1Fee } = cost
    const networkFee = quote.gas * perGas + withoutL1Headroom(l1Fee)
    return { ...quote, networkFee, mostNetworkFee: quote.gas * mostPerGas + l1Fee }
  }

  const quote: Quotes = (wanted, view) => {
    const key = quoteKey({ ...wanted, ...wanted.trade })
    // A quote must not share the fate of a comparison.
    const kind = wanted.isComparison ? 'compare ' : ''
    return share(`${kind}${key}`, (signal) => ask(wanted, signal), view)
  }
  return Object.assign(quote, { drop: share.drop })
}

/** `maxFeePerGas` allows twice the base fee (`evm/fees.ts`); a block charges base fee plus tip. */
export async function readNetworkFees(chain: Pick<Chain, 'fees' | 'l1Fee'>): Promise<Costs> {
  const [fees, l1Fee] = await Promise.all([chain.fees(), chain.l1Fee(typicalTxBytes)])
  const { maxFeePerGas: mostPerGas, maxPriorityFeePerGas: tip } = fees
  return { perGas: (mostPerGas - tip) / 2n + tip, mostPerGas, l1Fee }
}
