import { type CallContext, toLower } from '../../calldata/decoder.ts'
import { type Address, type Hex, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import { readOffset, readSize, readWord, toAddress } from '../calldata.ts'

/** Returns the recipient of newer Uniswap routers (Constants.sol): 1 is the sender, 2 the router. */
export function newReceiver(
  recipient: string,
  { to, account }: Pick<CallContext, 'to' | 'account'>,
): Address {
  if (BigInt(recipient) === 1n) return account
  return BigInt(recipient) === 2n ? to : toLower(recipient)
}

/** Returns the ends of a V3 path: 20 bytes of token, then 3 of fee and 20 of token per pool. */
export function parsePathEnds(path: Hex): { tokenIn: Address; tokenOut: Address } | undefined {
  const bytes = (path.length - 2) / 2
  if (bytes < 43 || (bytes - 20) % 23 !== 0) return undefined
  return pathEnds(path.slice(2))
}

/** Returns the same for bytes without 0x; other bytes may follow, as in contracts. */
export function pathEnds(path: string): { tokenIn: Address; tokenOut: Address } {
  const pools = Math.floor((path.length / 2 - 20) / 23)
  if (pools < 1) throw new Error('The path is too short')
  return { tokenIn: `0x${path.slice(0, 40)}`, tokenOut: `0x${path.slice(pools * 46, pools * 46 + 40)}` }
}

/** Reads the V2 path whose offset is at `at`. */
export function readV2Path(hex: string, at: number): { first: Address; second: Address; last: Address } {
  const list = readOffset(hex, at)
  const count = readSize(hex, list)
  if (count < 2) throw new Error('The path is too short')
  const token = (index: number) => toAddress(readWord(hex, list + 32 + index * 32))
  return { first: token(0), second: token(1), last: token(count - 1) }
}

/** Maps the zero address to the native token. */
export function nativeOr(token: string): Address {
  return toLower(token) === zeroAddress ? nativeTokenAddress : toLower(token)
}
