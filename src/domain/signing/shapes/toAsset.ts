import { type Address, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import type { SignedAsset } from '../description.ts'

/** Returns the asset of an order in which the zero address or 0xee… stands for the native token. */
export function toAsset(token: Address, amount: bigint): SignedAsset {
  return { token: token === zeroAddress ? nativeTokenAddress : token, amount }
}
