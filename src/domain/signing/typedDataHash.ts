import { keccak256, numberToHex, pad, stringToBytes } from 'viem'
import type { Hex } from '../token/token.ts'
import { encodeType } from './encodeType.ts'
import { arrayItemType, type TypedData } from './typedData.ts'

/**
 * Hashes by EIP-712. viem's hashTypedData misses structs inside of one with a colon or `$` in its name,
 * refuses members of a type such as `interest`, and encodes a type again for every value.
 */
export function hashTypedData({ domain, types, primaryType, message }: TypedData): Hex {
  // A list may hold thousands of structs of one type.
  const typeHashes = new Map<string, string>()

  function typeHash(type: string): string {
    const known = typeHashes.get(type) ?? hash(stringToBytes(encodeType(types, type)))
    typeHashes.set(type, known)
    return known
  }

  function struct(type: string, values: Record<string, unknown>): string {
    const words = (types[type] ?? []).map((member) => encoded(member.type, values[member.name]))
    return hash(`0x${typeHash(type)}${words.join('')}`)
  }

  function encoded(type: string, value: unknown): string {
    const list = arrayItemType(type)
    if (list !== undefined)
      return hash(`0x${(value as unknown[]).map((item) => encoded(list.item, item)).join('')}`)
    if (Object.hasOwn(types, type)) return struct(type, value as Record<string, unknown>)
    if (type === 'string') return hash(stringToBytes(value as string))
    if (type === 'bytes') return hash(value as Hex)
    if (type.startsWith('bytes')) return (value as Hex).slice(2).padEnd(64, '0')
    if (type === 'address') return word(value as Hex)
    // Booleans and integers, in two's complement.
    return word(numberToHex(BigInt.asUintN(256, BigInt(value as bigint | boolean))))
  }

  const text = primaryType === 'EIP712Domain' ? '' : struct(primaryType, message)
  return keccak256(`0x1901${struct('EIP712Domain', domain)}${text}`)
}

function hash(bytes: Hex | Uint8Array): string {
  return keccak256(bytes).slice(2)
}

function word(bytes: Hex): string {
  return pad(bytes).slice(2)
}
