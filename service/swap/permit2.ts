import { encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbi, type StateOverride } from 'viem'
import type { Address } from '../config.ts'
import type { Block } from '../engine.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { simulationTimestamp } from './simulate.ts'

/** The most that Permit2 can let somebody move: 160 bits; above, nothing else is asked of it. */
const largest = 2n ** 160n - 1n
const never = 2n ** 48n - 1n

const abi = parseAbi([
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

export type Grant = { permit2: Address; owner: Address; token: Address; spender: Address }

/** How much of the owner's token Permit2 lets the spender move in a trial after `block`: 0n once it has expired, or without Permit2. */
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
 * The state under which Permit2 lets the spender move `amount`, for ever. Its allowances are a mapping of mappings in slot 1, each
 * packed into a word: amount, expiration, nonce from the low end (permit2: AllowanceTransfer, IAllowanceTransfer.PackedAllowance).
 * The nonce is left at 0: a permit that comes along has to be the first, or fails and does no harm.
 */
export function permit2Override({ permit2, owner, token, spender }: Grant, amount: bigint): StateOverride {
  const slot = [owner, token, spender].reduce<Hex>(inMapping, numberToHex(1, { size: 32 }))
  const value = numberToHex((never << 160n) | (amount < largest ? amount : largest), { size: 32 })
  return [{ address: permit2, stateDiff: [{ slot, value }] }]
}

/** Where a mapping at `slot` keeps what belongs to `key` (Solidity: layout of mappings in storage). */
function inMapping(slot: Hex, key: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
}
