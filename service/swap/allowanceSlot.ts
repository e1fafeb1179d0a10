import { encodeFunctionData, erc20Abi, numberToHex, type StateOverride } from 'viem'
import type { Address } from '../config.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'

/**
 * Returns a state override that sets an allowance, even if it suffices now, since the next block may use it.
 * Undefined if insufficient and not in a single slot. Candidates are the slots that `allowance` reads
 * (EIP-2930); a read confirms the right one.
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
  if (candidates.length > maxSlots) return undefined
  const answers = await Promise.all(
    [...candidates, []].map((stateOverride) =>
      node.readContract({ ...read, blockNumber, stateOverride }).catch(requireRpcError),
    ),
  )
  const found = candidates.find((_, i) => answers[i] === amount)
  if (found !== undefined) return found
  return (answers[candidates.length] ?? 0n) >= amount ? [] : undefined
}

/** Enough for proxies; limits RPC calls for untrusted tokens. */
const maxSlots = 16
