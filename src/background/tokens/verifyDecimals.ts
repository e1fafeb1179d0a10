import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'

/**
 * Verifies listed decimals against the contracts, as displayed amounts depend on them. Throws
 * `unsafe-transaction`.
 */
export async function checkDecimals(chain: Chain, list: Token[], traded: Address[]): Promise<void> {
  const listed = list.filter(({ address }) => traded.includes(address) && !isNative(address))
  await Promise.all(
    listed.map(async ({ address, symbol, decimals }) => {
      const own = await chain.token(address)
      if (own.decimals === decimals) return
      throw new WalletError(
        'unsafe-transaction',
        `The service lists ${symbol} with ${decimals} decimals; its contract says ${own.decimals}.`,
        { fact: 'decimals', expected: String(own.decimals), found: String(decimals), token: address },
      )
    }),
  )
}
