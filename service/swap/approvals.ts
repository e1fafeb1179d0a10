import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import type { Address } from '../config.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { nativeTokenAddress, unknownToken } from '../tokens/registry.ts'

/** The transaction that lets `spender` move `amount` of `token`; without an amount, all of it for ever. */
export function approval(token: Address, spender: Address, amount = maxUint256): { to: Address; data: Hex } {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  }
}

/** How much of `token` the `spender` may move for `owner` now. The native coin needs no approval: 2^256-1. Throws UNKNOWN_TOKEN. */
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
