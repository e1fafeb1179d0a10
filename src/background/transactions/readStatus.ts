import type { Address, Hex } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import type { Receipt } from '../../evm/rpc/schemas.ts'
import { competingTransactions } from './journal.ts'
import type { SignedStep } from './schemas.ts'

/**
 * `hash`: the transaction seen. `isDeep`: confirmed enough, if `receipt.isAgreed`. `isSure`: all RPCs
 * answered; a silent one may know more.
 */
export type TransactionStatus =
  | { seen: 'mined'; hash: Hex; receipt: Receipt; isDeep: boolean; isSure: true }
  | { seen: 'pending'; hash: Hex; isSure: boolean }
  /** Unknown, with a free or used nonce. `isHeard`: the source of the nonce also answered about the block. */
  | { seen: 'nothing' | 'replaced'; isSure: boolean; isHeard: boolean }

/** Reads the status once. RPC backends may lag, so absence needs several reads. */
export async function readStatus(
  chain: Chain,
  account: Address,
  step: SignedStep,
  confirmations: number,
): Promise<TransactionStatus> {
  const before = await chain.missedAnswers()
  const missing = async () => (await chain.missedAnswers()) - before
  const hashes = competingTransactions(step).map(({ hash }) => hash)
  const early = await findMined(chain, hashes, confirmations)
  if (early !== undefined) return early
  for (const hash of hashes) {
    const found = await chain.transaction(hash)
    // The RPC contradicts itself.
    if (found !== undefined)
      return { seen: 'pending', hash, isSure: found === 'pending' && (await missing()) === 0 }
  }
  const silent = await missing()
  const isFree = (await chain.nonces(account)).mined <= step.nonce
  const uncounted = (await missing()) - silent
  // It may have been mined in between.
  const late = isFree ? undefined : await findMined(chain, hashes, confirmations)
  if (late !== undefined) return late
  const all = await missing()
  // An RPC silent in both counts said nothing; otherwise all must have answered about the block.
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
