import { encodeFunctionData, erc20Abi, type Hex, type StateOverride, slice, toEventSelector } from 'viem'
import type { Address } from '../config.ts'
import type { Block } from '../engine.ts'
import { words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { Node } from '../indexer/node.ts'
import { callFromOrigin, type Transaction } from './callForwarder.ts'

/** `received` is the recipient's balance increase, `paid` all token transfers. */
export type SimulationResult =
  | { status: 'done'; received: bigint; spent: bigint; gasUsed: bigint; paid: Payment[] }
  | { status: 'reverted'; data: Hex }

type Payment = { token: Address; from: Address; amount: bigint }

/** Simulates the router call after `block` (eth_simulateV1) in a transaction from `origin`. */
export async function simulateSwap(
  node: Node,
  swap: Transaction,
  origin: Address,
  block: Block,
  override: StateOverride,
): Promise<SimulationResult> {
  const { from, ...rest } = swap
  const { call, state } =
    origin === from
      ? { call: { account: from, ...rest }, state: override }
      : callFromOrigin(origin, swap, override)
  const [done] = await simulate(node, block, state, [call])
  if (done?.status !== 'success') return { status: 'reverted', data: done?.data ?? '0x' }
  const [received = 0n, spent = 0n] = words(done.data)
  return {
    status: 'done',
    received,
    spent,
    gasUsed: done.gasUsed,
    paid: paymentsIn(done.logs ?? []),
  }
}

/** EIP-20: Transfer. */
function paymentsIn(logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[]): Payment[] {
  return logs.flatMap(({ address, topics: [event, from], data }) =>
    event === transferred && from !== undefined
      ? [{ token: toLowerAddress(address), from: toLowerAddress(slice(from, 12)), amount: firstWord(data) }]
      : [],
  )
}

const transferred = toEventSelector('Transfer(address,address,uint256)')

/** With `spender`, by `transferFrom`. */
export type Transfer = { token: Address; from: Address; to: Address; amount: bigint; spender?: Address }

/**
 * Returns the first token with a fee on transfer. Failed transfers are inconclusive: earlier fees leave less.
 */
export async function findFeeOnTransfer(
  node: Node,
  transfers: readonly Transfer[],
  block: Block,
  override: StateOverride,
): Promise<Address | undefined> {
  const calls = transfers.flatMap(({ token, from, to, amount, spender }): Call[] => {
    const look = { to: token, data: encodeFunctionData({ ...balanceOf, args: [to] }) }
    const data =
      spender === undefined
        ? encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
        : encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, amount] })
    return [look, { account: spender ?? from, to: token, data }, look]
  })
  const results = await simulate(node, block, override, calls)
  return transfers.find(({ amount }, index) => {
    const [before, sent, after] = results.slice(index * 3, index * 3 + 3)
    if (sent?.status !== 'success') return false
    return !isRounding(amount - (firstWord(after?.data) - firstWord(before?.data)), amount)
  })?.token
}

/** True for a loss of at most two base units or a billionth, as of share-based tokens like stETH. */
export function isRounding(missing: bigint, amount: bigint): boolean {
  return missing <= 2n || missing * 1_000_000_000n <= amount
}

const balanceOf = { abi: erc20Abi, functionName: 'balanceOf' } as const

type Call = { account?: Address; to: Address; data: Hex; value?: bigint }

/**
 * Returns the timestamp of simulations. Later than the block: pools update averages once per second, so the
 * same second would use less gas.
 */
export function simulationTimestamp({ timestamp }: Block): bigint {
  return timestamp + 1n
}

async function simulate(node: Node, block: Block, stateOverrides: StateOverride, calls: Call[]) {
  const blockOverrides = { time: simulationTimestamp(block) }
  const blocks = [{ blockOverrides, calls, stateOverrides }]
  const [simulated] = await node.simulateBlocks({ blocks, blockNumber: block.number })
  return simulated?.calls ?? []
}

function firstWord(data: Hex = '0x'): bigint {
  return data.length < 66 ? 0n : BigInt(data.slice(0, 66))
}
