import type { Localnet } from '../../../dev/localnet.ts'
import { createDirectApi } from '../../../src/background/networks/directApi.ts'
import { createBundledTokens } from '../../../src/background/tokens/bundledTokens.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type DirectContracts, getDirectContracts } from '../../../src/domain/network/swapSource.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'

/** Network of a localnet without a swap service. */
export function directNetwork({ chainId, rpcUrl, tokens, contracts }: Localnet): Network {
  const { v2Factory, v3Factory, quoter, swapRouter } = contracts
  return {
    chainId,
    name: 'Local',
    coin: { symbol: 'ETH', name: 'Ether' },
    serviceUrl: '',
    rpcUrl,
    wrapped: tokens.WETH,
    stable: tokens.USDC,
    market: { v2Factory, v3Factory, quoter, swapRouter },
    confirmations: 1,
    quoteEveryMs: 6_000,
  }
}

/** Direct swaps of a localnet. `connectors` replace the network's. */
export function createDirectStage(localnet: Localnet, connectors?: Address[]) {
  const network = directNetwork(localnet)
  const chain = createChain(network)
  const own = getDirectContracts(network)
  if (own === undefined) throw new Error('The localnet names no contracts of direct swaps.')
  const contracts: DirectContracts = { ...own, ...(connectors && { connectors }) }
  return {
    network,
    chain,
    contracts,
    api: createDirectApi({ tokens: createBundledTokens({ chainOf: async () => chain }) })(
      network,
      contracts,
      chain,
    ),
  }
}
