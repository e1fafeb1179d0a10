import type { SimulationVerdict } from '../../domain/activity/simulation.ts'
import { getService } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import type { Review } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { ReviewRequest } from '../../protocol.ts'
import type { Networks } from '../networks/networks.ts'
import type { PriceImpact } from '../quotes/priceImpact.ts'
import type { FetchQuote } from '../quotes/rateLimitedQuotes.ts'
import type { RecentQuote } from '../quotes/recentQuotes.ts'
import type { SettingsStore } from '../settings.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { type ReviewResult, reviewSwap, withBlocker } from './review.ts'
import { simulateAll } from './simulate.ts'
import { reviewWrap } from './wrapReview.ts'

export type Reviews = {
  /** Throws as `reviewSwap`. */
  review(ask: ReviewRequest): Promise<Review>
  /** Simulates again on the newest block. */
  recheck(id: string): Promise<SimulationVerdict | undefined>
}

type Deps = {
  networks: Pick<Networks, 'network' | 'chain' | 'api'>
  settings: Pick<SettingsStore, 'get'>
  tokens: Tokens
  /** Cached token list. */
  cached: Tokens
  impact: PriceImpact
  price: FetchQuote
  recent: RecentQuote
  /** Timeout of optional values. */
  softlyMs?: number
  now?(): number
}

const keptForMs = 5 * 60 * 1_000
const maxKept = 8

export function createReviews({
  networks,
  settings,
  tokens,
  cached,
  impact,
  price,
  recent,
  softlyMs = 3_000,
  now = Date.now,
}: Deps): Reviews {
  const kept = new Map<string, ReviewResult & { at: number }>()
  /** By swap service. */
  const lastRouters = new Map<string, Address>()

  function keep(id: string, reviewed: ReviewResult): void {
    kept.delete(id)
    kept.set(id, { ...reviewed, at: now() })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }

  async function make(ask: ReviewRequest): Promise<ReviewResult> {
    const { trade, account, receiver = account } = ask
    const { chainId } = trade
    const [network, chain] = [await networks.network(chainId), await networks.chain(chainId)]
    // Deposits credit the sender.
    const kind = receiver === account ? wrapKind(trade, network.wrapped) : undefined
    if (kind !== undefined) {
      const list = await cached(network)
      const [reviewed] = await Promise.all([
        reviewWrap(chain, kind, ask),
        checkDecimals(chain, list, [trade.sell, trade.buy]),
      ])
      return reviewed
    }
    const api = await networks.api(chainId, ask.options?.source)
    const source = getSwapSource(network, ask.options?.source)
    // Stale lists suffice. A direct review asks no service.
    const kept = await cached(network)
    const list = kept.length > 0 ? kept : await (source === 'direct' ? api.tokens() : tokens(network))
    const isListed = list.some(({ address, eip2612 }) => address === trade.sell && eip2612)
    const hasPermit = source === 'direct' || isListed
    const service = `${source} ${getService(network)}`
    const lastRouter = lastRouters.get(service)
    const quotes = { impact, price, recent }
    const outside = { network, chain, api, ...quotes, hasPermit, lastRouter, softlyMs, now }
    const [reviewed] = await Promise.all([
      reviewSwap({ ...outside, settings: await settings.get() }, ask),
      checkDecimals(chain, list, [trade.sell, trade.buy]),
    ])
    lastRouters.set(service, reviewed.review.router)
    return reviewed
  }

  return {
    async review(ask) {
      const reviewed = await make(ask)
      keep(ask.id, reviewed)
      return reviewed.review
    },
    async recheck(id) {
      const known = kept.get(id)
      if (known === undefined || now() - known.at > keptForMs) return undefined
      const chain = await networks.chain(known.agreed.trade.chainId)
      const block = await chain.blockNumber()
      if (block <= known.block) return known.review.verdict
      const seen = await simulateAll(chain, known.calls, known.agreed)
      const verdict = withBlocker(seen.verdict, known.objection)
      const review = { ...known.review, verdict }
      // It may have been replaced.
      if (kept.get(id) === known) kept.set(id, { ...known, review, block })
      return verdict
    },
  }
}

/**
 * Verifies listed decimals against the contracts, as displayed amounts depend on them. Throws
 * `unsafe-transaction`.
 */
export async function checkDecimals(chain: Chain, list: Token[], traded: Address[]): Promise<void> {
  const listed = list.filter(({ address }) => traded.includes(address) && !isNative(address))
  await Promise.all(
    listed.map(async ({ address, symbol, decimals }) => {
      const own = await chain.token(address)
      if (own.decimals === decimals) return
      throw new WalletError(
        'unsafe-transaction',
        `The token list gives ${symbol} ${decimals} decimals; its contract says ${own.decimals}.`,
        { fact: 'decimals', expected: String(own.decimals), found: String(decimals), token: address },
      )
    }),
  )
}
