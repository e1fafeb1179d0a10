import { readFileSync } from 'node:fs'
import { encodeAbiParameters, type Hex, hexToBytes, keccak256, toHex } from 'viem'
import type { Address } from '../../service/config.ts'

/** Addresses equal on every chain. */
export const canonical = {
  multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
} as const satisfies Record<string, Address>

/** `preinstalls.json` names the sources. */
export function readPreinstalls(chainId: number): { address: Address; bytecode: Hex }[] {
  const path = new URL('preinstalls.json', import.meta.url)
  const { multicall3, permit2Template } = JSON.parse(readFileSync(path, 'utf8'))
  return [
    { address: canonical.multicall, bytecode: multicall3 },
    { address: canonical.permit2, bytecode: permit2Code(permit2Template, chainId) },
  ]
}

/** Sets the chain id and EIP-712 domain separator at the offsets of getPermit2Code in Preinstalls.sol. */
function permit2Code(template: Hex, chainId: number): Hex {
  const domain = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)'
  const separator = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [keccak256(toHex(domain)), keccak256(toHex('Permit2')), BigInt(chainId), canonical.permit2],
    ),
  )
  const code = hexToBytes(template)
  code.set(hexToBytes(toHex(chainId, { size: 32 })), 6_945)
  code.set(hexToBytes(separator), 6_983)
  return toHex(code)
}
