import { encodeFunctionData, erc20Abi, numberToHex, type StateOverride } from 'viem'
import type { Address } from '../config.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'

/**
 * The state under which `token`, after that block, says that `spender` may move `amount` for `owner`, or `undefined` when no
 * single slot decides it and it is not so already. An allowance that is there is stated all the same: the block after may have used
 * it up. The node tells which slots `allowance` reads (EIP-2930); the right one is that which, holding `amount`, is answered.
 */
export async function findAllowanceOverride(
  node: Node,
  token: Address,
  owner: Address,
  spender: Address,
  amount: bigint,
  blockNumber: bigint,
): Promise<StateOverride | undefined> {
  const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const
  const data = encodeFunctionData(read)
  const { accessList } = await node
    .createAccessList({ account: owner, to: token, data, blockNumber })
    .catch((error: unknown) => requireRpcError(error) ?? { accessList: [] })
  const value = numberToHex(amount, { size: 32 })
  const candidates = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot) => [{ address, stateDiff: [{ slot, value }] }]),
  )
  if (candidates.length > mostSlots) return undefined
  const answers = await Promise.all(
    [...candidates, []].map((stateOverride) =>
      node.readContract({ ...read, blockNumber, stateOverride }).catch(requireRpcError),
    ),
  )
  const found = candidates.find((_, i) => answers[i] === amount)
  if (found !== undefined) return found
  return (answers[candidates.length] ?? 0n) >= amount ? [] : undefined
}

/** An allowance stands in one slot, and proxies read a few more. A stranger's token could read thousands, each a question to the node. */
const mostSlots = 16
