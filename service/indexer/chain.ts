import {
  type AbiEvent,
  createPublicClient,
  type GetLogsReturnType,
  type Hex,
  multicall3Abi,
  toEventSelector,
} from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import type { BlockRef, Call, Head, Header } from './block.ts'
import { isEmptyBloom, mayContain } from './heads/logsBloom.ts'
import { createIsolatedReader, type ReadIsolated } from './isolatedReads.ts'
import { createPoolLens, type LensPool, type LensRequest } from './lens/poolLens.ts'
import { createTransport, isBlockMissing, isNetworkError, isParamsRefused } from './node.ts'
import { createTipReader } from './tip.ts'

export type { BlockRef, Call, Head, Header }

export type Log = GetLogsReturnType<AbiEvent, [AbiEvent], true>[number]

export type Chain = {
  /** Multicall3, which also tells the time of a block. */
  multicall: Address
  id(): Promise<number>
  header(number?: bigint): Promise<Head>
  /** Inclusive; of all contracts unless `addresses` is given. */
  logs(events: readonly AbiEvent[], from: bigint, to: bigint, addresses?: readonly Address[]): Promise<Log[]>
  /**
   * Logs of all contracts after block `after` up to `head`, in order. Throws when the RPC lacks the logs of
   * `head`: one behind a load balancer may lag, and return none.
   */
  logsSince(events: readonly AbiEvent[], after: bigint, head: Head): Promise<Log[]>
  /** Logs of one event, filtered by indexed arguments. */
  logsAbout(event: AbiEvent, about: LogFilter, from: bigint, to: bigint, address: Address): Promise<Log[]>
  /** Throws when a call without `mayFail` fails. */
  read(lists: readonly (readonly Call[])[], block: BlockRef): Promise<Hex[][]>
  /** Reads whole pools, many per request; undefined where `read` must be used instead. */
  readPools(pools: readonly LensRequest[], block: BlockRef): Promise<(LensPool | undefined)[]>
  readIsolated: ReadIsolated
  /** Runs creation code, and returns what its constructor returns. */
  run(code: Hex, block: BlockRef): Promise<Hex>
  hasCode(address: Address, block: BlockRef): Promise<boolean>
  /** Median of recent upper-quartile priority fees, wei; a function of the block's number alone. */
  tip(block: bigint): Promise<bigint>
  /** Throws when blocks were read by number and `head` was replaced meanwhile. */
  confirm(head: Header): Promise<void>
}

export type LogFilter = Readonly<Record<string, readonly Address[]>>

export type ChainOptions = {
  /** Blocks for which one reading of priority fees serves. */
  tipBlocks?: bigint
}

type Place = { blockNumber: bigint } | { blockHash: Hex }

const widest = 100_000n

/** 500 cold reads need less than ten million gas, well below RPC limits. */
const callsPerRead = 500
/** The bitmap of one pool with a tick spacing of 1 takes 14 requests. */
const readsAtOnce = 4

/** Throws when the RPC serves another chain. */
export function requireChain({ chainId, name }: ChainConfig, actual: number): void {
  if (actual !== chainId) throw new Error(`The RPC is of chain ${actual}; ${name} is chain ${chainId}.`)
}

export function createChain(
  rpcUrl: string,
  multicall: Address,
  { tipBlocks = 10n }: ChainOptions = {},
): Chain {
  const client = createPublicClient({
    transport: createTransport(rpcUrl),
    cacheTime: 0,
  })

  let usual = widest
  /** False once the RPC has refused a block's hash as a parameter. */
  let takesHash = true
  let hasBlooms = false

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

  const logsBetween = (events: readonly AbiEvent[], from: bigint, to: bigint) =>
    inSteps(from, to, (fromBlock, toBlock) => client.getLogs({ events, fromBlock, toBlock, strict: true }))

  /** Asks by hash, or by number if the RPC knows blocks by number only. */
  async function pinned<Result>(
    byHash: () => Promise<Result>,
    byNumber: () => Promise<Result>,
  ): Promise<Result> {
    if (!takesHash) return byNumber()
    try {
      return await byHash()
    } catch (error) {
      if (!isParamsRefused(error) || isBlockMissing(error)) throw error
      const result = await byNumber()
      takesHash = false
      return result
    }
  }

  const logsOf = (events: readonly AbiEvent[], { hash, number }: Header) =>
    pinned(
      () => client.getLogs({ events, blockHash: hash, strict: true }),
      () => logsBetween(events, number, number),
    )

  /** True if the head's bloom excludes the events. */
  function hasNone(events: readonly AbiEvent[], { logsBloom }: Head): boolean {
    if (logsBloom === undefined) return false
    if (isEmptyBloom(logsBloom)) return hasBlooms
    hasBlooms = true
    return !events.some((event) => mayContain(logsBloom, toEventSelector(event)))
  }

  /** Asks at a block by its number, or by its hash where more than the number is known. */
  async function at<Result>(block: BlockRef, ask: (place: Place) => Promise<Result>): Promise<Result> {
    if (typeof block === 'bigint') return ask({ blockNumber: block })
    return pinned(
      () => ask({ blockHash: block.hash }),
      () => ask({ blockNumber: block.number }),
    )
  }

  /** `to` is undefined for creation code. */
  async function call(data: Hex, block: BlockRef): Promise<Hex> {
    const { data: returned } = await at(block, (place) => client.call({ data, ...place }))
    return returned ?? '0x'
  }

  async function aggregate(batch: readonly Call[], block: BlockRef): Promise<Hex[]> {
    const calls = batch.map(({ to, data, mayFail = false }) => {
      return { target: to, callData: data, allowFailure: mayFail }
    })
    const results = await at(block, (place) =>
      client.readContract({
        ...{ address: multicall, abi: multicall3Abi, functionName: 'aggregate3', args: [calls] },
        ...place,
      } as const),
    )
    return results.map(({ success, returnData }) => (success ? returnData : '0x'))
  }

  async function read(lists: readonly (readonly Call[])[], block: BlockRef): Promise<Hex[][]> {
    const calls = lists.flat()
    const answers: Hex[] = []
    for (let from = 0; from < calls.length; from += readsAtOnce * callsPerRead) {
      const starts = Array.from({ length: readsAtOnce }, (_, i) => from + i * callsPerRead)
      const batches = starts.map((start) => calls.slice(start, start + callsPerRead))
      const read = batches.filter(({ length }) => length > 0).map((batch) => aggregate(batch, block))
      for (const answer of (await Promise.all(read)).flat()) answers.push(answer)
    }
    const next = answers.values()
    return lists.map((list) => list.flatMap(() => next.next().value ?? []))
  }

  return {
    multicall,

    id: () => client.getChainId(),

    async header(number) {
      const block = await client.getBlock(number === undefined ? {} : { blockNumber: number })
      const { hash, parentHash, timestamp, baseFeePerGas, logsBloom } = block
      const header = { number: block.number, hash, parentHash, timestamp, baseFeePerGas: baseFeePerGas ?? 0n }
      return logsBloom ? { ...header, logsBloom } : header
    },

    logs(events, from, to, addresses) {
      const address = addresses === undefined ? {} : { address: [...addresses] }
      return inSteps(from, to, (fromBlock, toBlock) =>
        client.getLogs({ events, fromBlock, toBlock, strict: true, ...address }),
      )
    },

    async logsSince(events, after, head) {
      const isQuiet = hasNone(events, head)
      if (head.number === after + 1n) return isQuiet ? [] : logsOf(events, head)
      const logs = await logsBetween(events, after + 1n, head.number)
      if (isQuiet || logs.at(-1)?.blockNumber === head.number) return logs
      if ((await logsOf(events, head)).length === 0) return logs
      throw new Error(`The node does not have the logs of block ${head.number} yet.`)
    },

    logsAbout(event, args, from, to, address) {
      return inSteps(from, to, (fromBlock, toBlock) =>
        client.getLogs({ event, args, fromBlock, toBlock, strict: true, address }),
      )
    },

    read,

    readIsolated: createIsolatedReader(call, read),

    readPools: createPoolLens(call),

    run: call,

    async hasCode(address, block) {
      return (await at(block, (place) => client.getCode({ address, ...place }))) !== undefined
    },

    tip: createTipReader(client, tipBlocks),

    async confirm(head) {
      if (takesHash) return
      const { hash } = await client.getBlock({ blockNumber: head.number })
      if (hash !== head.hash) throw new Error(`Block ${head.number} was replaced while it was read.`)
    },
  }
}
