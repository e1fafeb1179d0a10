import type { SwapApi } from '../../api/client.ts'
import { createDirect } from '../../api/direct/direct.ts'
import type { Network } from '../../domain/network/network.ts'
import type { DirectContracts } from '../../domain/network/swapSource.ts'
import type { Chain } from '../../evm/client.ts'
import type { BundledTokens } from '../tokens/bundledTokens.ts'

type Deps = { tokens: BundledTokens; now?(): number }

const gasPriceHoldsMs = 15_000

/** Returns a factory of direct swaps over a network's RPC. Gas prices are cached for 15 seconds. */
export function createDirectApi({ tokens, now = Date.now }: Deps) {
  return (network: Network, contracts: DirectContracts, chain: Chain): SwapApi => {
    let gasPrice: { at: number; asked: Promise<bigint> } | undefined

    async function readGasPrice(): Promise<bigint> {
      const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
      // `maxFeePerGas` allows twice the base fee.
      return (maxFeePerGas - maxPriorityFeePerGas) / 2n + maxPriorityFeePerGas
    }

    return createDirect(
      {
        contracts,
        runConstructor: chain.runConstructor,
        tokens: () => tokens(network),
        now,
        gasPrice() {
          if (gasPrice === undefined || now() - gasPrice.at >= gasPriceHoldsMs) {
            const asked = readGasPrice()
            gasPrice = { at: now(), asked }
            asked.catch(() => {
              gasPrice = undefined
            })
          }
          return gasPrice.asked
        },
      },
      network.chainId,
    )
  }
}
