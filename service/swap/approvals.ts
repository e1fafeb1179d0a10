import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import type { Address } from '../config.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { nativeTokenAddress, unknownToken } from '../tokens/registry.ts'

/** Returns an approve transaction, unlimited by default. */
export function approval(token: Address, spender: Address, amount = maxUint256): { to: Address; data: Hex } {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  }
}

/** Returns the current allowance; 2^256-1 for the native token. Throws UNKNOWN_TOKEN. */
export async function allowance(
  node: Node,
  token: Address,
  owner: Address,
  spender: Address,
  blockNumber?: bigint,
): Promise<bigint> {
  if (token === nativeTokenAddress) return maxUint256
  const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const
  const at = blockNumber === undefined ? {} : { blockNumber }
  return node.readContract({ ...read, ...at }).catch((error: unknown) => {
    requireRpcError(error)
    throw unknownToken(token)
  })
}
