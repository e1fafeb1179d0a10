import { WalletError } from '../../errors.ts'
import { requestTestFunds } from '../../evm/faucet.ts'
import { readChainId } from '../../evm/rpc/node.ts'
import type { NetworksApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
import { chainId, parse } from '../schemas.ts'
import { urlSchema } from '../settings.ts'
import { parseOwnAccount } from './accountsApi.ts'

/** `heads`: newest known block by chain id. */
export function createNetworksApi(networks: Networks, vault: Vault, heads: Map<number, bigint>): NetworksApi {
  return {
    readChainId: async (rpcUrl) => readChainId(parse(urlSchema, rpcUrl, 'node')),
    health: async (id) => networks.health(parse(chainId, id, 'network')),
    missingFeatures: async (id) => networks.lacks(parse(chainId, id, 'network')),
    async blockNumber(id) {
      const chain = parse(chainId, id, 'network')
      const block = await (await networks.chain(chain)).blockNumber()
      heads.set(chain, block)
      return block
    },
    async blockInterval(id) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      return chain.blockInterval()
    },
    async requestTestFunds(id, account) {
      const { faucetUrl, name } = await networks.network(parse(chainId, id, 'network'))
      if (faucetUrl === undefined) throw new WalletError('invalid-input', `${name} gives no test funds.`)
      await requestTestFunds(faucetUrl, await parseOwnAccount(vault, account))
    },
  }
}
