import type { DirectContracts } from '../../domain/network/swapSource.ts'
import { computeMinReturn, type Quote, type Trade } from '../../domain/swap/quote.ts'
import type { RouteOptions } from '../../domain/swap/routeOptions.ts'
import { type Address, type Hex, isNative, type Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { SwapApi } from '../client.ts'
import { checkAddress, checkSlippage, checkTrade, invalidRequest } from '../validateRequest.ts'
import { requireNonZero } from '../validateResponse.ts'
import { chooseSplit, type SplitQuote } from './chooseSplit.ts'
import { encodePathRequest, parsePathQuotes } from './pathQuoter.ts'
import { encodeRouterCall } from './routerCalldata.ts'
import { directSources, toRoute } from './toRoute.ts'

export type DirectDeps = {
  contracts: DirectContracts
  /** Returns what the constructor of `creationCode` returns on the newest block (`eth_call`). */
  runConstructor(creationCode: Hex): Promise<Hex>
  /** Wei. */
  gasPrice(): Promise<bigint>
  tokens(): Promise<Token[]>
  now(): number
}

/** Seconds. */
const swapHolds = 600n

/**
 * Creates direct swaps through Uniswap v2 and v3 pools: no service, one `eth_call` per quote. Throws
 * `no-route`, and the RPC's errors.
 */
export function createDirect(deps: DirectDeps, chainId: number): SwapApi {
  const { contracts, runConstructor, now } = deps
  const { wrapped, router } = contracts
  const toContract = (token: Address) => (isNative(token) ? wrapped : token)

  async function split(trade: Trade, gasLimit?: number): Promise<SplitQuote & { time: bigint }> {
    const pair = { ...trade, sell: toContract(trade.sell), buy: toContract(trade.buy) }
    if (pair.sell === pair.buy) throw invalidRequest('buy', 'is the wrapped form of the other token')
    const [returned, gasPrice] = await Promise.all([
      runConstructor(encodePathRequest(contracts, pair)),
      // Without it, a quote is a single path.
      deps.gasPrice().catch(() => undefined),
    ])
    const quotes = parsePathQuotes(returned, pair)
    const native = { isSold: isNative(trade.sell), isBought: isNative(trade.buy) }
    const chosen = chooseSplit(quotes, trade.amount, gasPrice, native, gasLimit)
    if (chosen === undefined) throw noRoute(trade)
    requireNonZero(chosen.returns, trade)
    return { ...chosen, time: quotes.time }
  }

  const toQuote = (trade: Trade, { legs, returns, gas }: SplitQuote): Quote => ({
    trade,
    returns,
    gas,
    route: toRoute(legs, trade.amount),
  })

  return {
    permitKinds: ['permit'],

    async quote(trade, options) {
      requireKnownOptions(options)
      const asked = checkTrade(trade, chainId)
      return toQuote(trade, await split(asked, options?.gasLimit))
    },

    async swap(trade, { from, receiver = from, permit, slippageBps, leastReturn, usePermit2, ...options }) {
      requireKnownOptions(options)
      if (usePermit2) throw invalidRequest('usePermit2', 'is not known to the router of direct swaps')
      const asked = checkTrade(trade, chainId)
      const quoted = await split(asked, options.gasLimit)
      const clock = BigInt(Math.floor(now() / 1_000))
      const data = encodeRouterCall({
        trade: asked,
        legs: quoted.legs,
        minReturn: leastReturn ?? computeMinReturn(quoted.returns, checkSlippage(slippageBps ?? 0)),
        recipient: checkAddress('receiver', receiver),
        deadline: (quoted.time > clock ? quoted.time : clock) + swapHolds,
        permit,
      })
      const value = isNative(asked.sell) ? asked.amount : 0n
      return { ...toQuote(trade, quoted), from: checkAddress('from', from), to: router, data, value }
    },

    spender: async () => router,
    sources: async () => directSources,
    tokens: deps.tokens,
  }
}

/** `gasLimit` is kept; others only tune the service's search. */
function requireKnownOptions({
  feeBps = 0,
  protocols = [],
  excludedProtocols = [],
}: RouteOptions = {}): void {
  if (feeBps > 0) throw invalidRequest('feeBps', 'cannot be charged by direct swaps')
  if (protocols.length > 0) throw invalidRequest('protocols', 'cannot be chosen for direct swaps')
  if (excludedProtocols.length > 0) {
    throw invalidRequest('excludedProtocols', 'cannot be chosen for direct swaps')
  }
}

function noRoute({ sell, buy }: Trade): WalletError {
  return new WalletError('no-route', `No Uniswap pool trades ${sell} for ${buy} in this amount.`)
}
