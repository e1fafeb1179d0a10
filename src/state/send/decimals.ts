import { isNative, type Token } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'

const decimalsSelector = '0x313ce567'

/**
 * Verifies the service's decimals against the contract; a missing method counts as 0. Throws
 * `unsafe-transaction`.
 */
export async function checkDecimals(
  wallet: Pick<TransactionsApi, 'call'>,
  chainId: number,
  { address, symbol, decimals }: Token,
): Promise<void> {
  if (isNative(address)) return
  const answer = await wallet.call(chainId, address, decimalsSelector).catch((error: unknown) => {
    if (!hasReverted(error)) throw error
  })
  const isNamed = typeof answer === 'string' && /^0x[0-9a-f]{64}/i.test(answer)
  const own = isNamed ? BigInt(answer.slice(0, 66)) : 0n
  if (own === BigInt(decimals)) return
  throw new WalletError(
    'unsafe-transaction',
    `${symbol} is known with ${decimals} decimals; its contract says ${isNamed ? own : 'none'}.`,
    { fact: 'decimals', expected: String(own), found: String(decimals), token: address },
  )
}

/** True on a revert: the contract has no such method. */
function hasReverted(error: unknown): boolean {
  const { code, facts } = toWalletError(error)
  return code === 'node-answered' && facts.isRevert !== undefined
}
