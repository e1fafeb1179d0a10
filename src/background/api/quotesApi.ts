import type { QuotesApi } from '../../protocol.ts'
import { gasReserve } from '../fees/gasReserve.ts'
import type { Networks } from '../networks/networks.ts'
import type { ExactOutput } from '../quotes/exactOutput.ts'
import type { LiquiditySources } from '../quotes/liquiditySources.ts'
import type { PriceImpact } from '../quotes/priceImpact.ts'
import type { QuoteDropper, Quotes } from '../quotes/quotes.ts'
import { chainId, parse } from '../schemas.ts'
import { readTradeMarket } from '../swap/market.ts'
import {
  amountSchema,
  exactOutputSchema,
  gasSchema,
  nameSchema,
  quoteRequestSchema,
  viewNameSchema,
} from './schemas.ts'

export type QuotesApiDeps = {
  networks: Networks
  quote: Quotes & QuoteDropper
  impact: PriceImpact
  sellFor: ExactOutput
  sources: LiquiditySources
}

export function createQuotesApi({ networks, quote, impact, sellFor, sources }: QuotesApiDeps): QuotesApi {
  return {
    async quote(value, view) {
      return quote(parse(quoteRequestSchema, value, 'trade'), parse(viewNameSchema, view, 'view'))
    },
    async dropQuote(view) {
      quote.drop(parse(nameSchema, view, 'view'))
    },
    async priceImpact(value, returns, view) {
      const request = parse(quoteRequestSchema, value, 'trade')
      return impact(request, parse(amountSchema, returns, 'amount'), parse(viewNameSchema, view, 'view'))
    },
    async marketReturns(value) {
      const request = parse(quoteRequestSchema, value, 'trade')
      const chain = await networks.chain(request.trade.chainId)
      const [market] = await Promise.all([readTradeMarket(chain, request), chain.verify()])
      return market
    },
    async findSellAmount(value, view) {
      return sellFor(parse(exactOutputSchema, value, 'pair'), parse(viewNameSchema, view, 'view'))
    },
    async gasReserve(id, gas) {
      return gasReserve(await networks.chain(parse(chainId, id, 'network')), parse(gasSchema, gas, 'gas'))
    },
    liquiditySources: async (id) => sources(parse(chainId, id, 'network')),
  }
}
