import { type AbiEvent, createPublicClient, type GetLogsReturnType, type Hex, multicall3Abi } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import { createTransport, isNetworkError } from './node.ts'

export type Header = { number: bigint; hash: Hex; parentHash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type Log = GetLogsReturnType<AbiEvent, [AbiEvent], true>[number]

/** A call that may fail answers 0x then. */
export type Call = { to: Address; data: Hex; mayFail?: boolean }

/** The plain reads that the snapshot needs of an EVM node. */
export type Chain = {
  id(): Promise<number>
  /** The newest block, or the one with this number. */
  header(number?: bigint): Promise<Header>
  /** Logs of `events` from `from` to `to`, both included, in the order of the chain; of `addresses`, or of everybody. */
  logs(events: readonly AbiEvent[], from: bigint, to: bigint, addresses?: readonly Address[]): Promise<Log[]>
  /** The same of one event, where each indexed argument that is named has one of the values that go with it. */
  logsAbout(event: AbiEvent, about: LogFilter, from: bigint, to: bigint, address: Address): Promise<Log[]>
  /** What each call of each list answers at the end of one block. Throws when one fails that may not. */
  read(lists: readonly (readonly Call[])[], block: bigint): Promise<Hex[][]>
  /** What transactions of the last blocks up to `block` paid above the base fee: the median of their upper quartiles, wei. */
  tip(block: bigint): Promise<bigint>
}

export type LogFilter = Readonly<Record<string, readonly Address[]>>

/** Blocks in one question for logs: what is far away is asked for in steps, since nodes bound what they answer. */
const widest = 100_000n

/** Calls in one multicall: 500 cold reads stay below ten million gas, far below what nodes allow an eth_call. */
const callsPerRead = 500

/** Throws when the chain that a node serves is not the config's. */
export function requireChain({ chainId, name }: ChainConfig, actual: number): void {
  if (actual !== chainId) throw new Error(`The node is on chain ${actual}; ${name} is chain ${chainId}.`)
}

export function createChain(rpcUrl: string, multicall: Address): Chain {
  const client = createPublicClient({
    transport: createTransport(rpcUrl),
    cacheTime: 0,
  })

  let usual = widest

  /** Nodes bound the blocks or the logs of one answer, each in its own words; narrower questions get through in the end. */
  async function inSteps(
    from: bigint,
    to: bigint,
    ask: (from: bigint, to: bigint) => Promise<Log[]>,
  ): Promise<Log[]> {
    const logs: Log[] = []
    const isLong = to - from >= usual
    let width = usual
    for (let next = from; next <= to; ) {
      const last = next + width > to ? to : next + width - 1n
      try {
        for (const log of await ask(next, last)) logs.push(log)
        next = last + 1n
        if (width < widest) width += width / 32n + 1n
      } catch (error) {
        if (next === last || isNetworkError(error)) throw error
        width = (last - next + 1n) / 2n
      }
    }
    // The next long way begins with the steps that this one ended with.
    if (isLong) usual = width
    return logs
  }

  return {
    id: () => client.getChainId(),

    async header(number) {
      const block = await client.getBlock(number === undefined ? {} : { blockNumber: number })
      const { hash, parentHash, timestamp, baseFeePerGas } = block
      return { number: block.number, hash, parentHash, timestamp, baseFeePerGas: baseFeePerGas ?? 0n }
    },

    logs(events, from, to, addresses) {
      const address = addresses === undefined ? {} : { address: [...addresses] }
      return inSteps(from, to, (fromBlock, toBlock) =>
        client.getLogs({ events, fromBlock, toBlock, strict: true, ...address }),
      )
    },

    logsAbout(event, args, from, to, address) {
      return inSteps(from, to, (fromBlock, toBlock) =>
        client.getLogs({ event, args, fromBlock, toBlock, strict: true, address }),
      )
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
          args: [
            batch.map(({ to, data, mayFail = false }) => ({
              target: to,
              callData: data,
              allowFailure: mayFail,
            })),
          ],
          blockNumber,
        })
        answers.push(...results.map(({ success, returnData }) => (success ? returnData : '0x')))
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
}
