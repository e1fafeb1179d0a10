import { type Address, native, nobody } from '../../token/token.ts'
import type { SignedAsset } from '../description.ts'

/** Returns the asset of an order in which the zero address or 0xee… stands for the native token. */
export function toAsset(token: Address, amount: bigint): SignedAsset {
  return { token: token === nobody ? native : token, amount }
}
