import { encodeAbiParameters, type Hex, hexToBytes, keccak256, toHex } from 'viem'
import type { Address } from '../service/config.ts'
import { readPackageFile } from './artifacts.ts'

/** Where these two stand on every chain. */
export const canonical = {
  multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  permit2: '0x000000000022d473030f116ddee9f6b43ac78ba3',
} as const satisfies Record<string, Address>

/** The code that stands at the canonical addresses on `chainId`, by address. It is published in Optimism's Preinstalls.sol. */
export function readPreinstalls(chainId: number): { address: Address; bytecode: Hex }[] {
  const source = readPackageFile('@eth-optimism/contracts-bedrock/src/libraries/Preinstalls.sol')
  return [
    { address: canonical.multicall, bytecode: findCode(source, 'MultiCall3Code') },
    { address: canonical.permit2, bytecode: permit2Code(findCode(source, 'Permit2TemplateCode'), chainId) },
  ]
}

function findCode(source: string, name: string): Hex {
  const code = new RegExp(`${name} =\\s*hex"([0-9a-f]+)"`).exec(source)?.[1]
  if (!code) throw new Error(`Preinstalls.sol has no ${name}.`)
  return `0x${code}`
}

/**
 * Permit2 keeps two immutables in its code, the chain id and its EIP-712 domain separator; the published code is a template.
 * The byte offsets are those of getPermit2Code in Preinstalls.sol.
 */
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
