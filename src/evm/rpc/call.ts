import { bytesToHex } from 'viem'
import type { AccessSlots } from '../../domain/swap/quote.ts'
import type { Address, Hex } from '../../domain/token/token.ts'

export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

export function randomBytes(length: number): Hex {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(length)))
}

/** Without `to` it creates a contract. */
export type RpcCall = { from: Address; to?: Address; data: Hex; value: bigint; accessList?: AccessSlots[] }

export function toRpcCall({ value, ...call }: RpcCall) {
  return { ...call, value: `0x${value.toString(16)}` }
}
