import { encodeFunctionData, erc20Abi, numberToHex, type StateOverride } from 'viem'
import { allowance } from './approvals.ts'
import type { Address } from './config.ts'
import type { Node } from './node.ts'

/**
 * The state under which `token` says that `spender` may move `amount` for `owner`, or `undefined` when no single slot decides
 * it. The node tells which slots `allowance` reads (EIP-2930); the right one is that which, holding `amount`, is answered.
 */
export async function findAllowanceOverride(
  node: Node,
  token: Address,
  owner: Address,
  spender: Address,
  amount: bigint,
): Promise<StateOverride | undefined> {
  const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const
  if ((await allowance(node, token, owner, spender)) >= amount) return []

  const { accessList } = await node.createAccessList({
    account: owner,
    to: token,
    data: encodeFunctionData(read),
  })
  const value = numberToHex(amount, { size: 32 })
  const candidates = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot) => [{ address, stateDiff: [{ slot, value }] }]),
  )
  for (const stateOverride of candidates) {
    const answered = await node.readContract({ ...read, stateOverride }).catch(() => undefined)
    if (answered === amount) return stateOverride
  }
  return undefined
}
