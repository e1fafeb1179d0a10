import type { Address, Hex } from '../token/token.ts'
import { lower, type On } from './callReader.ts'

/** Recipient of Uniswap's newer routers (Constants.sol): 1 stands for the sender, 2 for the router itself. */
export function newReceiver(recipient: string, { to, account }: Pick<On, 'to' | 'account'>): Address {
  if (BigInt(recipient) === 1n) return account
  return BigInt(recipient) === 2n ? to : lower(recipient)
}

/** First and last token of a V3 path: 20 bytes of token, then 3 of fee and 20 of token for each pool. */
export function endsOf(path: Hex): { tokenIn: Address; tokenOut: Address } | undefined {
  const bytes = (path.length - 2) / 2
  if (bytes < 43 || (bytes - 20) % 23 !== 0) return undefined
  return { tokenIn: `0x${path.slice(2, 42)}`, tokenOut: `0x${path.slice(-40)}` }
}
