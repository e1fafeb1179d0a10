import { pastRecipients, type RecipientFacts } from '../../domain/address/recipientWarnings.ts'
import type { Address } from '../../domain/token/token.ts'
import type { WalletApi } from '../../protocol.ts'

type Deps = Pick<WalletApi, 'isContract' | 'swaps' | 'sendings'>

/** What the chain and the journal know of somebody who is to receive something. */
export async function readRecipient(wallet: Deps, chainId: number, to: Address): Promise<RecipientFacts> {
  const [isContract, ...lists] = await Promise.all([
    wallet.isContract(chainId, to),
    wallet.sendings(),
    wallet.swaps(),
  ])
  return { isContract, earlier: pastRecipients(lists.flat()) }
}
