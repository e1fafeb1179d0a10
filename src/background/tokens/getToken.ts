import { type Address, isNative, type Token, withListMetadata } from '../../domain/token/token.ts'
import type { Networks } from '../networks/networks.ts'
import type { CustomTokens } from './customTokens.ts'
import type { Tokens } from './tokens.ts'

/** Returns a token by address. Throws `unknown-token`. */
export type GetToken = (chainId: number, address: Address) => Promise<Token>

type Deps = {
  networks: Pick<Networks, 'network' | 'chain'>
  /** Cached token list. */
  cached: Tokens
  assets: Pick<CustomTokens, 'list'>
}

/**
 * Reads tokens from their contracts, with list metadata unless decimals differ, as amounts depend on them.
 */
export function createGetToken({ networks, cached, assets }: Deps): GetToken {
  return async (chainId, address) => {
    const network = await networks.network(chainId)
    const own = await (await networks.chain(chainId)).token(address)
    // The settings name the native token.
    if (isNative(address)) return own
    const lists = await Promise.all([cached(network), assets.list(chainId)])
    return withListMetadata(
      own,
      lists.flat().find((token) => token.address === address),
    )
  }
}
