import type { Network } from '../../../src/domain/network/network.ts'

/** The wallet's network of a local chain, or of a stand-in for its RPC, without a swap service. */
export function localNetwork({ chainId, rpcUrl }: Pick<Network, 'chainId' | 'rpcUrl'>): Network {
  return {
    chainId,
    name: 'Local',
    coin: { symbol: 'ETH', name: 'Ether' },
    serviceUrl: '',
    rpcUrl,
    confirmations: 1,
    quoteEveryMs: 1_000,
  }
}
