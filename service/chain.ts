import {
  type AbiEvent,
  createPublicClient,
  type GetLogsReturnType,
  type Hex,
  http,
  multicall3Abi,
} from 'viem'
import type { Address, ChainConfig } from './config.ts'
import { isUnanswered } from './node.ts'

export type Header = { number: bigint; hash: Hex; parentHash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type Log = GetLogsReturnType<AbiEvent, [AbiEvent], true>[number]

export type Call = { to: Address; data: Hex }

/** The plain reads that the snapshot needs of an EVM node. */
export type Chain = {
  id(): Promise<number>
  /** The newest block, or the one with this number. */
  header(number?: bigint): Promise<Header>
  /** Logs of `events` from `from` to `to`, both included, in the order of the chain; of `addresses`, or of everybody. */
  logs(events: readonly AbiEvent[], from: bigint, to: bigint, addresses?: readonly Address[]): Promise<Log[]>
  /** What each call of each list answers at the end of one block. Throws when any of them fails. */
  read(lists: readonly (readonly Call[])[], block: bigint): Promise<Hex[][]>
  /** What transactions of the last blocks up to `block` paid above the base fee: the median of their upper quartiles, wei. */
  tip(block: bigint): Promise<bigint>
}

/** Calls in one multicall: 500 cold reads stay below ten million gas, far below what nodes allow an eth_call. */
const callsPerRead = 500

/** Throws when the chain that a node serves is not the config's. */
export function requireChain({ chainId, name }: ChainConfig, actual: number): void {
  if (actual !== chainId) throw new Error(`The node is on chain ${actual}; ${name} is chain ${chainId}.`)
}

export function createChain(rpcUrl: string, multicall: Address): Chain {
  const client = createPublicClient({
    transport: http(rpcUrl, { timeout: 10_000, retryCount: 1 }),
    cacheTime: 0,
  })

  const chain: Chain = {
    id: () => client.getChainId(),

    async header(number) {
      const block = await client.getBlock(number === undefined ? {} : { blockNumber: number })
      const { hash, parentHash, timestamp, baseFeePerGas } = block
      return { number: block.number, hash, parentHash, timestamp, baseFeePerGas: baseFeePerGas ?? 0n }
    },

    async logs(events, fromBlock, toBlock, addresses) {
      if (fromBlock > toBlock) return []
      const address = addresses === undefined ? {} : { address: [...addresses] }
      try {
        return await client.getLogs({ events, fromBlock, toBlock, strict: true, ...address })
      } catch (error) {
        // Nodes bound the blocks or the logs of one answer, each in its own words; halves get through in the end.
        if (fromBlock === toBlock || isUnanswered(error)) throw error
        const middle = (fromBlock + toBlock) / 2n
        const first = await chain.logs(events, fromBlock, middle, addresses)
        return [...first, ...(await chain.logs(events, middle + 1n, toBlock, addresses))]
      }
    },

    async read(lists, blockNumber) {
      const calls = lists.flat()
      const answers: Hex[] = []
      for (let i = 0; i < calls.length; i += callsPerRead) {
        const batch = calls.slice(i, i + callsPerRead)
        const results = await client.readContract({
          address: multicall,
          abi: multicall3Abi,
          functionName: 'aggregate3',
          args: [batch.map(({ to, data }) => ({ target: to, callData: data, allowFailure: false }))],
          blockNumber,
        })
        answers.push(...results.map(({ returnData }) => returnData))
      }
      const next = answers.values()
      return lists.map((list) => list.flatMap(() => next.next().value ?? []))
    },

    async tip(blockNumber) {
      const history = await client.getFeeHistory({ blockCount: 10, blockNumber, rewardPercentiles: [75] })
      const paid = (history.reward ?? []).flat().filter((reward) => reward > 0n)
      paid.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      return paid[paid.length >> 1] ?? 0n
    },
  }
  return chain
}
