import { dollars } from '../../domain/value/currency.ts'
import type { PricesApi } from '../../protocol.ts'
import type { Networks } from '../networks/networks.ts'
import { chainId, parse } from '../schemas.ts'
import { addressesSchema } from './schemas.ts'

export type PricesApiDeps = { networks: Pick<Networks, 'chain'> }

export function createPricesApi({ networks }: PricesApiDeps): PricesApi {
  return {
    async prices(id, tokens) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const wanted = parse(addressesSchema, tokens, 'list of tokens')
      // Prices of another chain must not be shown as this one's.
      const [prices] = await Promise.all([chain.prices(wanted), chain.verify()])
      return { prices, rate: dollars }
    },
  }
}
