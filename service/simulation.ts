import { encodeFunctionData, erc20Abi, type Hex, type StateOverride } from 'viem'
import type { Address } from './config.ts'
import type { Block } from './engine.ts'
import type { Node } from './node.ts'

export type Transaction = { from: Address; to: Address; data: Hex; value: bigint }

/** What a swap would do: `received` is by how much its receiver's balance would grow. */
export type Rehearsal =
  | { status: 'done'; received: bigint; gasUsed: bigint }
  | { status: 'reverted'; data: Hex }

/** Executes a call of the router's `swap` on the state after `block` (eth_simulateV1). */
export async function rehearse(
  node: Node,
  swap: Transaction,
  block: Block,
  override: StateOverride,
): Promise<Rehearsal> {
  const { from, ...rest } = swap
  const [done] = await simulate(node, block, override, [{ account: from, ...rest }])
  if (done?.status !== 'success') return { status: 'reverted', data: done?.data ?? '0x' }
  return { status: 'done', received: firstWord(done.data), gasUsed: done.gasUsed }
}

type Transfer = { token: Address; from: Address; to: Address; amount: bigint }

/** The first token of which less arrives than is sent when `transfers` are made after `block`, one after another. */
export async function findTaxed(
  node: Node,
  transfers: readonly Transfer[],
  block: Block,
): Promise<Address | undefined> {
  const calls = transfers.flatMap(({ token, from, to, amount }) => {
    const look = { to: token, data: encodeFunctionData({ ...balanceOf, args: [to] }) }
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    return [look, { account: from, to: token, data }, look]
  })
  const results = await simulate(node, block, [], calls)
  return transfers.find(({ amount }, index) => {
    const [before, sent, after] = results.slice(index * 3, index * 3 + 3)
    if (sent?.status !== 'success') return false
    return firstWord(after?.data) - firstWord(before?.data) < amount
  })?.token
}

const balanceOf = { abi: erc20Abi, functionName: 'balanceOf' } as const

type Call = { account?: Address; to: Address; data: Hex; value?: bigint }

/**
 * The time is set, and later than the block's: pools keep averages over time and do not write them twice in a second, so a trial
 * at the same second would use less gas than the transaction.
 */
async function simulate(
  node: Node,
  { number, timestamp }: Block,
  stateOverrides: StateOverride,
  calls: Call[],
) {
  const blockOverrides = { time: timestamp + 12n }
  const blocks = [{ blockOverrides, calls, stateOverrides }]
  const [simulated] = await node.simulateBlocks({ blocks, blockNumber: number })
  return simulated?.calls ?? []
}

function firstWord(data: Hex = '0x'): bigint {
  return data.length < 66 ? 0n : BigInt(data.slice(0, 66))
}
