import { type Address, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import type { SignedAsset } from '../description.ts'

/** Returns the asset; the zero address also stands for the native token. */
export function toAsset(token: Address, amount: bigint): SignedAsset {
  return { token: token === zeroAddress ? nativeTokenAddress : token, amount }
}
