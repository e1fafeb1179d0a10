import type { Network } from '../../domain/network/network.ts'
import { swapsDirectly } from '../../domain/network/swapSource.ts'
import { isNative, type Token } from '../../domain/token/token.ts'
import type { TokensApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { IncomingTransfers } from '../activity/incoming.ts'
import type { Networks } from '../networks/networks.ts'
import type { PriceLists } from '../prices/priceLists.ts'
import { address, chainId, parse } from '../schemas.ts'
import type { CustomTokens } from '../tokens/customTokens.ts'
import { type TokenPreferenceStore, tokenPreferencesChangeSchema } from '../tokens/favourites.ts'
import type { GetToken } from '../tokens/getToken.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { parseOwnAccount } from './accountsApi.ts'
import { addressesSchema } from './schemas.ts'

export type TokensApiDeps = {
  vault: Vault
  networks: Networks
  prices: Pick<PriceLists, 'open'>
  tokens: Tokens
  /** Time at which a network's list was fetched. */
  listedAt(network: Network): Promise<number | undefined>
  assets: Pick<CustomTokens, 'list' | 'add' | 'forget'>
  picks: TokenPreferenceStore
  tokenOf: GetToken
  /** Newest known block by chain id. */
  heads: Map<number, bigint>
  incoming: Pick<IncomingTransfers, 'observe'>
}

export function createTokensApi(deps: TokensApiDeps): TokensApi {
  const { vault, networks, prices, tokens, listedAt, assets, picks, tokenOf, heads, incoming } = deps

  async function list(id: number): Promise<Token[]> {
    const network = await networks.network(id)
    const listed = hasTokenList(network) ? await tokens(network) : []
    const added = await assets.list(network.chainId)
    return [...listed, ...added.filter((token) => listed.every(({ address }) => address !== token.address))]
  }

  return {
    tokens: async (id) => list(parse(chainId, id, 'network')),
    async importToken(id, token) {
      const [chain, imported] = [parse(chainId, id, 'network'), parse(address, token, 'token')]
      const found = await tokenOf(chain, imported)
      if (!found.listed && !isNative(imported)) await assets.add(chain, found, '')
      return found
    },
    removeToken: async (id, token) =>
      assets.forget(parse(chainId, id, 'network'), parse(address, token, 'token')),
    async tokenPreferences(id) {
      const network = await networks.network(parse(chainId, id, 'network'))
      return { ...(await picks.get(network.chainId)), listedAt: await listedAt(network) }
    },
    updateTokenPreferences: async (id, change) =>
      picks.change(
        parse(chainId, id, 'network'),
        parse(tokenPreferencesChangeSchema, change, 'change of what is marked'),
      ),
    token: async (id, token) => tokenOf(parse(chainId, id, 'network'), parse(address, token, 'token')),
    async balances(id, account, wanted, ends) {
      const isComplete = ends === true
      const network = parse(chainId, id, 'network')
      const { chain, withPrices } = await prices.open(network)
      const addresses = parse(addressesSchema, wanted, 'list of tokens')
      const owner = await parseOwnAccount(vault, account)
      const block = heads.get(network) ?? (await chain.blockNumber())
      heads.set(network, block)
      // Balances of another chain must not be shown as this one's. The last part of a read verifies.
      const verified = isComplete ? chain.verify() : undefined
      const [balances] = await Promise.all([chain.balances(owner, addresses, withPrices), verified])
      const tracked = async () => new Set((await list(network)).map(({ address }) => address))
      // The view does not wait for logs and blocks.
      incoming
        .observe({ chainId: network, account: owner, balances, block, isComplete, tracked })
        .catch(() => undefined)
      return balances
    },
  }
}

/** Of the service, or of the package for direct swaps. */
function hasTokenList(network: Network): boolean {
  return network.serviceUrl !== '' || (network.rpcUrl !== '' && swapsDirectly(network))
}
