import { type AbiEvent, createPublicClient, type GetLogsReturnType, type Hex, multicall3Abi } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import { createTransport, isNetworkError } from './node.ts'

export type Header = { number: bigint; hash: Hex; parentHash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type Log = GetLogsReturnType<AbiEvent, [AbiEvent], true>[number]

/** With `mayFail` a failure returns 0x. */
export type Call = { to: Address; data: Hex; mayFail?: boolean }

export type Chain = {
  id(): Promise<number>
  header(number?: bigint): Promise<Header>
  /** Inclusive; of all contracts unless `addresses` is given. */
  logs(events: readonly AbiEvent[], from: bigint, to: bigint, addresses?: readonly Address[]): Promise<Log[]>
  /** Logs of one event, filtered by indexed arguments. */
  logsAbout(event: AbiEvent, about: LogFilter, from: bigint, to: bigint, address: Address): Promise<Log[]>
  /** Throws when a call without `mayFail` fails. */
  read(lists: readonly (readonly Call[])[], block: bigint): Promise<Hex[][]>
  /** Median of recent upper-quartile priority fees, wei. */
  tip(block: bigint): Promise<bigint>
}

export type LogFilter = Readonly<Record<string, readonly Address[]>>

const widest = 100_000n

/** 500 cold reads need less than ten million gas, well below RPC limits. */
const callsPerRead = 500

/** Throws when the RPC serves another chain. */
export function requireChain({ chainId, name }: ChainConfig, actual: number): void {
  if (actual !== chainId) throw new Error(`The node is on chain ${actual}; ${name} is chain ${chainId}.`)
}

export function createChain(rpcUrl: string, multicall: Address): Chain {
  const client = createPublicClient({
    transport: createTransport(rpcUrl),
    cacheTime: 0,
  })

  let usual = widest

  /** RPCs limit blocks or logs with differing errors: halves the range on any. */
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
