import {
  createTestClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from 'viem'
import type { Address } from '../../service/config.ts'
import { canonical } from './preinstalls.ts'

/** Impersonated without a key; leaves the demo accounts' nonces at zero. */
export const deployer: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed'

export type LocalnetClient = ReturnType<typeof createLocalnetClient>

/** Writes default to the deployer. */
export function createLocalnetClient(rpcUrl: string, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: 'Localnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: canonical.multicall } },
  })
  return createTestClient({
    mode: 'anvil',
    chain,
    account: deployer,
    // Long: a request that times out may still execute.
    transport: http(rpcUrl, { timeout: 100_000 }),
    pollingInterval: 5,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend((client) => ({
      /** viem's wait may miss an earlier block. */
      async receiptOf(hash: Hex): Promise<TransactionReceipt> {
        for (let looks = 0; looks < 10_000; looks++) {
          const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
          if (receipt !== undefined) return receipt
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        throw new Error(`Transaction ${hash} was not mined in a hundred seconds.`)
      },
    }))
    .extend((client) => {
      async function succeeded(hash: Hex): Promise<TransactionReceipt> {
        const receipt = await client.receiptOf(hash)
        if (receipt.status === 'success') return receipt
        throw new Error(`Transaction ${hash} reverted.`)
      }
      return {
        /** Throws on a revert. */
        async execute(transaction: Transaction): Promise<TransactionReceipt> {
          const gas = transaction.gas ?? withMargin(await client.estimateGas(transaction))
          return succeeded(await client.sendTransaction({ ...transaction, gas }))
        },
        /** Throws on a revert. */
        writeContractSync: (async (request: { gas?: bigint }) => {
          const gas = request.gas ?? withMargin(await client.estimateContractGas(request as never))
          return succeeded(await client.writeContract({ ...request, gas } as never))
        }) as unknown as typeof client.writeContractSync,
        /** Waits for an empty pool, or the next transaction of that account and nonce is lost. */
        async revert(to: { id: Hex }): Promise<void> {
          for (let looks = 0; (await client.getTxpoolStatus()).pending > 0; looks++) {
            if (looks === 10_000) throw new Error('The pool holds transactions that nobody mines.')
            await new Promise((resolve) => setTimeout(resolve, 10))
          }
          await client.revert(to)
        },
      }
    })
}

/** A call can need more gas in the next second than in the one of its estimate, as Uniswap v3 pools do. */
function withMargin(gas: bigint): bigint {
  return (gas * 13n) / 10n
}

type Transaction = { account?: Address; to?: Address; data?: Hex; value?: bigint; gas?: bigint }

/** Sends from the deployer; throws on a revert. */
export function send(
  client: LocalnetClient,
  transaction: { to?: Address; data?: Hex; value?: bigint },
): Promise<TransactionReceipt> {
  // Estimating is slow; the largest deployment uses six million.
  return client.execute({ ...transaction, gas: 10_000_000n })
}
