import type { Receipt } from '../chain/answers.ts'
import type { Chain } from '../chain/client.ts'
import type { Address, Hex } from '../domain/token.ts'
import { rivalsOf, type SignedStep } from './journal.ts'

/** How a signed step stands on the chain. `hash` is which of its transactions was seen. */
export type Sight =
  | { seen: 'mined'; hash: Hex; receipt: Receipt; final: boolean }
  | { seen: 'pending'; hash: Hex }
  /** The node knows nothing of it, and its nonce is free. */
  | { seen: 'nothing' }
  /** The node knows nothing of it, and something else has used its nonce. */
  | { seen: 'replaced' }

/** One look. A node may lag behind another, so what is not seen is believed only after several. */
export async function look(
  chain: Chain,
  account: Address,
  step: SignedStep,
  confirmations: number,
): Promise<Sight> {
  const hashes = rivalsOf(step).map(({ hash }) => hash)
  const early = await findMined(chain, hashes, confirmations)
  if (early !== undefined) return early
  for (const hash of hashes) {
    if ((await chain.transaction(hash)) !== undefined) return { seen: 'pending', hash }
  }
  const nonces = await chain.nonces(account)
  if (nonces.mined <= step.nonce) return { seen: 'nothing' }
  // It may have been mined between the two questions.
  return (await findMined(chain, hashes, confirmations)) ?? { seen: 'replaced' }
}

async function findMined(chain: Chain, hashes: Hex[], confirmations: number): Promise<Sight | undefined> {
  for (const hash of hashes) {
    const receipt = await chain.receipt(hash)
    if (receipt === undefined) continue
    const head = await chain.blockNumber()
    const final = head - receipt.blockNumber >= BigInt(confirmations)
    return { seen: 'mined', hash, receipt, final }
  }
  return undefined
}
