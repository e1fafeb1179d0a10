import type { Receipt } from '../chain/answers.ts'
import type { Chain } from '../chain/client.ts'
import type { Address } from '../domain/token.ts'
import type { SignedStep } from './journal.ts'

/** How a signed transaction stands on the chain. */
export type Sight =
  | { seen: 'mined'; receipt: Receipt; final: boolean }
  | { seen: 'pending' }
  /** The node knows nothing of it, and its nonce is free. */
  | { seen: 'nothing' }
  /** The node knows nothing of it, and something else has used its nonce. */
  | { seen: 'replaced' }

/** One look. A node may lag behind another, so what is not seen is believed only after several. */
export async function look(
  chain: Chain,
  account: Address,
  { hash, nonce }: SignedStep,
  confirmations: number,
): Promise<Sight> {
  const receipt = await chain.receipt(hash)
  if (receipt !== undefined) return mined(chain, receipt, confirmations)
  if ((await chain.transaction(hash)) !== undefined) return { seen: 'pending' }
  const nonces = await chain.nonces(account)
  if (nonces.mined <= nonce) return { seen: 'nothing' }
  // It may have been mined between the two questions.
  const late = await chain.receipt(hash)
  return late === undefined ? { seen: 'replaced' } : mined(chain, late, confirmations)
}

async function mined(chain: Chain, receipt: Receipt, confirmations: number): Promise<Sight> {
  const head = await chain.blockNumber()
  return { seen: 'mined', receipt, final: head - receipt.blockNumber >= BigInt(confirmations) }
}
