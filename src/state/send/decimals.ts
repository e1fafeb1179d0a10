import { isNative, type Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Wallet } from '../../protocol.ts'

/** The first four bytes of decimals(). */
const decimalsSelector = '0x313ce567'

/**
 * Compares a token's decimals, which may be the service's words, with those of its own contract: what is typed becomes an amount by
 * them. Throws `unsafe-transaction` where they differ, and `unknown-token` where the contract has none.
 */
export async function checkDecimals(
  wallet: Pick<Wallet, 'call'>,
  chainId: number,
  { address, symbol, decimals }: Token,
): Promise<void> {
  if (isNative(address)) return
  const answer = await wallet.call(chainId, address, decimalsSelector)
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}/i.test(answer)) {
    throw new WalletError('unknown-token', `The contract ${address} does not say its decimals.`)
  }
  const own = BigInt(answer.slice(0, 66))
  if (own === BigInt(decimals)) return
  throw new WalletError(
    'unsafe-transaction',
    `${symbol} is known with ${decimals} decimals; its contract says ${own}.`,
    { fact: 'decimals', expected: String(own), found: String(decimals), token: address },
  )
}
