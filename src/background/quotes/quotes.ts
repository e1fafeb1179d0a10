import { type Quote, type QuoteRequest, quoteKey } from '../../domain/swap/quote.ts'
import type { Chain } from '../../evm/client.ts'
import { typicalTxBytes } from '../fees/gasReserve.ts'
import type { FetchQuote } from './rateLimitedQuotes.ts'
import { createRequestCache } from './requestCache.ts'

/** `view` names who asks, where its next question makes this one needless. */
export type Quotes = (ask: QuoteRequest, view?: string) => Promise<Quote>

/** What a unit of gas costs now and at most, and what a rollup takes for a usual swap, in wei. */
type Costs = { perGas: bigint; mostPerGas: bigint; l1Fee: bigint }

type Sources = {
  price: FetchQuote
  costsOf(chainId: number): Promise<Costs>
  now?(): number
}

const costsHoldForMs = 30_000
/** The way back is asked for right after a quote: what gas costs is no other by then. */
const costsAreNewForMs = 2_000

/**
 * Asks for quotes, which views share (`Share`): several cost the service one request. One that is aborted fails with `aborted`.
 * A quote carries no address: the service learns what is wanted, not by whom. What gas costs is the node's last word on it: a
 * quote waits for the service only.
 */
export function createQuotes({ price, costsOf, now = () => performance.now() }: Sources): Quotes {
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
    const feeAt = (perGas: bigint) => quote.gas * perGas + cost.l1Fee
    return { ...quote, networkFee: feeAt(cost.perGas), mostNetworkFee: feeAt(cost.mostPerGas) }
  }

  return (wanted, view) => {
    const key = quoteKey({ ...wanted, ...wanted.trade })
    return share(key, (signal) => ask(wanted, signal), view)
  }
}

/** Of the chain as it is now. What is offered leaves room for twice the base fee (`evm/fees.ts`). A block takes the base fee as it is, and the tip. */
export async function readNetworkFees(chain: Pick<Chain, 'fees' | 'l1Fee'>): Promise<Costs> {
  const [fees, l1Fee] = await Promise.all([chain.fees(), chain.l1Fee(typicalTxBytes)])
  const { maxFeePerGas: mostPerGas, maxPriorityFeePerGas: tip } = fees
  return { perGas: (mostPerGas - tip) / 2n + tip, mostPerGas, l1Fee }
}
