import type { Network } from '../../domain/network/network.ts'
import { isNative } from '../../domain/token/token.ts'
import type { TokensApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
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
  tokens: Tokens
  /** Time at which a network's list was fetched. */
  listedAt(network: Network): Promise<number | undefined>
  assets: Pick<CustomTokens, 'list' | 'add' | 'forget'>
  picks: TokenPreferenceStore
  tokenOf: GetToken
}

export function createTokensApi(deps: TokensApiDeps): TokensApi {
  const { vault, networks, tokens, listedAt, assets, picks, tokenOf } = deps
  return {
    async tokens(id) {
      const network = await networks.network(parse(chainId, id, 'network'))
      const list = network.serviceUrl === '' ? [] : await tokens(network)
      const added = await assets.list(network.chainId)
      return [...list, ...added.filter((token) => list.every(({ address }) => address !== token.address))]
    },
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
    async balances(id, account, wanted) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const addresses = parse(addressesSchema, wanted, 'list of tokens')
      const owner = await parseOwnAccount(vault, account)
      // Balances of another chain must not be shown as this one's.
      const [balances] = await Promise.all([chain.balances(owner, addresses), chain.verify()])
      return balances
    },
  }
}
