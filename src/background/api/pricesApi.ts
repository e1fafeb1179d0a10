import type { PricesApi } from '../../protocol.ts'
import type { PriceLists } from '../prices/priceLists.ts'
import { chainId, parse } from '../schemas.ts'
import { addressesSchema } from './schemas.ts'

export type PricesApiDeps = { prices: PriceLists }

export function createPricesApi({ prices }: PricesApiDeps): PricesApi {
  return {
    prices: async (id, tokens) =>
      prices.read(parse(chainId, id, 'network'), parse(addressesSchema, tokens, 'list of tokens')),
  }
}
