import { keccak256 } from 'viem'
import type { Address, Hex } from '../domain/token/token.ts'
import type { Rpc } from './rpc/rpc.ts'
import * as answers from './rpc/schemas.ts'

const cache = new WeakMap<Rpc, Map<Address, Promise<Hex | undefined>>>()

/**
 * Returns keccak256 of the code, cached per `Rpc`. Undefined and not cached for accounts, whose delegation
 * (EIP-7702) may change.
 */
export function getCodeHash(
  rpc: Rpc,
  address: Address,
  normalize: (code: Hex) => Hex = (code) => code,
): Promise<Hex | undefined> {
  const hashes = cache.get(rpc) ?? new Map<Address, Promise<Hex | undefined>>()
  cache.set(rpc, hashes)
  const known = hashes.get(address)
  if (known !== undefined) return known
  const reading = readCodeHash(rpc, address, normalize)
  hashes.set(address, reading)
  const forget = () => hashes.delete(address)
  reading.then((hash) => hash ?? forget(), forget)
  return reading
}

async function readCodeHash(
  rpc: Rpc,
  address: Address,
  normalize: (code: Hex) => Hex,
): Promise<Hex | undefined> {
  const code = await rpc.ask('eth_getCode', [address, 'latest'], answers.hex)
  return isContractCode(code) ? keccak256(normalize(code)) : undefined
}

export function isContractCode(code: Hex): boolean {
  return code !== '0x' && !code.startsWith('0xef0100')
}
