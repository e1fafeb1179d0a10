import { encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbi, type StateOverride } from 'viem'
import type { Address } from '../config.ts'
import type { Block } from '../engine.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { simulationTimestamp } from './simulate.ts'

/** Maximum Permit2 allowance, 160 bits. */
const largest = 2n ** 160n - 1n
const never = 2n ** 48n - 1n

const abi = parseAbi([
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

export type Grant = { permit2: Address; owner: Address; token: Address; spender: Address }

/** Returns the Permit2 allowance in a simulation after `block`; 0n if expired or without Permit2. */
export async function permit2Allowance(
  node: Node,
  { permit2, owner, token, spender }: Grant,
  block: Block,
): Promise<bigint> {
  const read = { address: permit2, abi, functionName: 'allowance', args: [owner, token, spender] } as const
  const granted = await node.readContract({ ...read, blockNumber: block.number }).catch(requireRpcError)
  if (granted === undefined) return 0n
  const [amount, expiration] = granted
  return BigInt(expiration) >= simulationTimestamp(block) ? amount : 0n
}

/**
 * Returns a state override of an allowance without expiry: nested mappings in slot 1, packed as amount,
 * expiration, nonce from the low end (permit2: AllowanceTransfer, IAllowanceTransfer.PackedAllowance). The
 * nonce stays 0, so a permit must be the first one or fails harmlessly.
 */
export function permit2Override({ permit2, owner, token, spender }: Grant, amount: bigint): StateOverride {
  const slot = [owner, token, spender].reduce<Hex>(inMapping, numberToHex(1, { size: 32 }))
  const value = numberToHex((never << 160n) | (amount < largest ? amount : largest), { size: 32 })
  return [{ address: permit2, stateDiff: [{ slot, value }] }]
}

/** Slot of `key` in a mapping (Solidity: layout of mappings in storage). */
function inMapping(slot: Hex, key: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
}
