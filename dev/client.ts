import {
  createTestClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from 'viem'
import type { Address } from '../service/config.ts'
import { canonical } from './preinstalls.ts'

/**
 * Deploys and seeds the local world, and owns what nobody else was given. It has no key: the node is told to send for it. Being
 * nobody's demo account, it leaves their nonces at zero.
 */
export const deployer: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed'

export type LocalnetClient = ReturnType<typeof createWorldClient>

/** Reads, mines and writes on a local node. Writes are the deployer's unless they name an account. */
export function createWorldClient(rpcUrl: string, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: 'Local world',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: canonical.multicall } },
  })
  return createTestClient({
    mode: 'anvil',
    chain,
    account: deployer,
    // A busy machine may take long; what is given up too early may have been done all the same.
    transport: http(rpcUrl, { timeout: 100_000 }),
    // Transactions are mined when they arrive: waiting longer, or trusting an old block number, would only slow tests down.
    pollingInterval: 5,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend((client) => ({
      /** The receipt of a transaction that is being mined. viem's own wait may miss a block mined before it looked. */
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
        /** Sends a transaction, the deployer's unless `account` says otherwise, and answers its receipt. Throws when it reverts. */
        execute: async (transaction: Transaction) => succeeded(await client.sendTransaction(transaction)),
        /** In place of viem's, for the same reason as `receiptOf`. Throws when it reverts. */
        writeContractSync: (async (request: never) =>
          succeeded(await client.writeContract(request))) as typeof client.writeContractSync,
        /**
         * Goes back to a snapshot. The node shows a receipt before its pool has let go of the transaction; going back between the two
         * makes the pool lose the next transaction of that account and number.
         */
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

type Transaction = { account?: Address; to?: Address; data?: Hex; value?: bigint; gas?: bigint }

/** Sends from the deployer and answers the receipt. Throws when the transaction reverts. */
export function send(
  client: LocalnetClient,
  transaction: { to?: Address; data?: Hex; value?: bigint },
): Promise<TransactionReceipt> {
  // Estimating takes longer than executing. The largest deployment uses six million.
  return client.execute({ ...transaction, gas: 10_000_000n })
}
