import type { Address, Hex } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import type { Receipt } from '../../evm/schemas.ts'
import { competingTransactions, type SignedStep } from './journal.ts'

/**
 * How a signed step stands on the chain. `hash` is which of its transactions was seen. `isDeep`: enough blocks below the newest of the node
 * in use that nothing takes it back, if `receipt` is true (`isAgreed`). `isSure`: all nodes were heard. One that does not answer may know of a block that another, which lags, does not.
 */
export type TransactionStatus =
  | { seen: 'mined'; hash: Hex; receipt: Receipt; isDeep: boolean; isSure: true }
  /** In no block that is known. */
  | { seen: 'pending'; hash: Hex; isSure: boolean }
  /** Nowhere, and its number is free; nowhere, and something else has used its number. `isHeard`: who says so answered about the block. */
  | { seen: 'nothing' | 'replaced'; isSure: boolean; isHeard: boolean }

/** One look. Even one node's machines may lag behind each other, so what is not seen is believed only after several. */
export async function readStatus(
  chain: Chain,
  account: Address,
  step: SignedStep,
  confirmations: number,
): Promise<TransactionStatus> {
  const before = await chain.unheard()
  const missing = async () => (await chain.unheard()) - before
  const hashes = competingTransactions(step).map(({ hash }) => hash)
  const early = await findMined(chain, hashes, confirmations)
  if (early !== undefined) return early
  for (const hash of hashes) {
    const found = await chain.transaction(hash)
    // In a block, and without a receipt: the node is not at one with itself.
    if (found !== undefined)
      return { seen: 'pending', hash, isSure: found === 'pending' && (await missing()) === 0 }
  }
  const silent = await missing()
  const isFree = (await chain.nonces(account)).mined <= step.nonce
  const uncounted = (await missing()) - silent
  // It may have been mined between the two questions.
  const late = isFree ? undefined : await findMined(chain, hashes, confirmations)
  if (late !== undefined) return late
  const all = await missing()
  // Silent in both counts it has not said so; else nobody may have been silent when asked for the block.
  const isHeard = uncounted > 1 || all === uncounted
  return { seen: isFree ? 'nothing' : 'replaced', isSure: all === 0, isHeard }
}

async function findMined(
  chain: Chain,
  hashes: Hex[],
  confirmations: number,
): Promise<TransactionStatus | undefined> {
  for (const hash of hashes) {
    const receipt = await chain.receipt(hash)
    if (receipt === undefined) continue
    const isDeep = (await chain.blockNumber()) - receipt.blockNumber >= confirmations
    return { seen: 'mined', hash, receipt, isDeep, isSure: true }
  }
  return undefined
}
