import { pastRecipients, type RecipientFacts } from '../../domain/address/recipientWarnings.ts'
import type { Address } from '../../domain/token/token.ts'
import type { SwapsApi, TransactionsApi } from '../../protocol.ts'

type Deps = Pick<TransactionsApi, 'isContract' | 'callBatches'> & Pick<SwapsApi, 'swaps'>

export async function readRecipient(wallet: Deps, chainId: number, to: Address): Promise<RecipientFacts> {
  const [isContract, ...lists] = await Promise.all([
    wallet.isContract(chainId, to),
    wallet.callBatches(),
    wallet.swaps(),
  ])
  return { isContract, earlier: pastRecipients(lists.flat()) }
}
