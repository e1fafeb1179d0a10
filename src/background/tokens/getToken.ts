import { type Address, isNative, type Token, withListMetadata } from '../../domain/token/token.ts'
import type { Networks } from '../networks/networks.ts'
import type { Assets } from './customTokens.ts'
import type { Tokens } from './tokens.ts'

/** A token by its address. Throws `unknown-token` where there is none. */
export type GetToken = (chainId: number, address: Address) => Promise<Token>

type Deps = {
  networks: Pick<Networks, 'network' | 'chain'>
  /** What is kept of the service's list. */
  cached: Tokens
  assets: Pick<Assets, 'list'>
}

/**
 * As the service's list has it, or the user's own; else by its contract's words. Amounts are made of the decimals, so a list whose
 * decimals are not the contract's is not believed.
 */
export function createGetToken({ networks, cached, assets }: Deps): GetToken {
  return async (chainId, address) => {
    const network = await networks.network(chainId)
    const own = await (await networks.chain(chainId)).token(address)
    // The coin is called what the user's own settings call it.
    if (isNative(address)) return own
    const lists = await Promise.all([cached(network), assets.list(chainId)])
    return withListMetadata(
      own,
      lists.flat().find((token) => token.address === address),
    )
  }
}
