import { getService } from '../../domain/network/network.ts'
import { type Quote, type QuoteRequest, quoteKey } from '../../domain/swap/quote.ts'
import type { Networks } from '../networks/networks.ts'
import { createPriceImpact, type PriceImpact } from './priceImpact.ts'
import type { Quotes } from './quotes.ts'

/** Returns a recent quote of nearly the same amount, scaled to it; undefined without one. */
export type RecentQuote = (ask: QuoteRequest) => Promise<Pick<Quote, 'returns'> | undefined>

type Deps = {
  quote: Quotes
  networks: Pick<Networks, 'network' | 'api'>
  now?(): number
}

type KeptQuote = { key: string; amount: bigint; askedAt: number; answer: Promise<Quote> }

/** More than the longest interval of the form's quotes. */
const keptForMs = 15_000
const maxKept = 8
/** Tolerated difference of amounts, in thousandths. */
const tolerance = 2n

/**
 * Returns the price impacts of the form and of reviews. A review uses the form's reverse quote while it fits;
 * its own request is not queued behind the form's quotes, since the user waits for it.
 */
export function createPriceImpacts(deps: Deps): {
  form: PriceImpact
  review: PriceImpact
  recent: RecentQuote
} {
  const { quote, recent } = createRecentQuotes(deps)
  return {
    form: createPriceImpact({ quote }),
    review: createPriceImpact({
      async quote(ask) {
        const { trade, options } = ask
        return (
          (await recent(ask)) ??
          (await deps.networks.api(trade.chainId, options?.source)).quote(trade, options)
        )
      },
    }),
    recent,
  }
}

/** Keeps the newest quotes of each pair and its options, also while they are under way, per swap service. */
function createRecentQuotes({ quote, networks, now = () => performance.now() }: Deps): {
  quote: Quotes
  recent: RecentQuote
} {
  let kept: KeptQuote[] = []

  async function keyOf({ trade, options }: QuoteRequest): Promise<string> {
    const pair = quoteKey({ ...trade, amount: 0n, ...(options && { options }) })
    return `${getService(await networks.network(trade.chainId))} ${pair}`
  }

  async function keep(ask: QuoteRequest, askedAt: number, answer: Promise<Quote>): Promise<void> {
    const one = { key: await keyOf(ask), amount: ask.trade.amount, askedAt, answer }
    // Keys are found in any order.
    if (kept.some((other) => other.key === one.key && other.askedAt > askedAt)) return
    kept = [one, ...kept.filter(({ key }) => key !== one.key)].slice(0, maxKept)
    // Failures are not kept.
    await answer.catch(() => {
      kept = kept.filter((other) => other !== one)
    })
  }

  return {
    quote(ask, view) {
      const answer = quote(ask, view)
      keep(ask, now(), answer).catch(() => undefined)
      return answer
    },
    async recent(ask) {
      const { amount } = ask.trade
      const key = await keyOf(ask)
      const found = kept.find((one) => one.key === key)
      if (found === undefined || now() - found.askedAt > keptForMs || !isNear(amount, found.amount))
        return undefined
      const answer = await found.answer.catch(() => undefined)
      return answer && { returns: (answer.returns * amount) / found.amount }
    },
  }
}

function isNear(amount: bigint, known: bigint): boolean {
  const difference = amount > known ? amount - known : known - amount
  return difference * 1_000n <= known * tolerance
}
