import { concatHex, encodeAbiParameters, type Hex, hexToBytes, parseAbiParameters, size, toHex } from 'viem'
import type { Address } from '../config.ts'
import { words } from './abiWords.ts'
import { createBackOff } from './backOff.ts'
import type { BlockRef, Call } from './block.ts'
import { isolatedReadsCode } from './isolatedReadsCode.ts'
import type { RunConstructor } from './lens/poolLens.ts'
import { isBlockMissing, isContractFailure, isNetworkError, isRateLimit } from './node.ts'
import { createReadPause } from './readPause.ts'

/** A call of a contract, or of the one that an earlier such call of the list has answered, by its number. */
export type IsolatedCall = Call | { answerOf: number; data: Hex }

type CallList = readonly IsolatedCall[]

/**
 * Reads lists of calls that may fail, each list with gas of its own; a failed call is 0x. Lists about
 * `pools`, one each, are left out for some blocks, all 0x, once they have used up their gas. Throws when the
 * RPC does not answer.
 */
export type ReadIsolated = (
  lists: readonly CallList[],
  block: BlockRef,
  pools?: readonly Address[],
) => Promise<Hex[][]>

/** Per list; `isSpent` if it used up its gas. */
type Page = { answers: Hex[]; isSpent: boolean }[]

type Read = (lists: readonly (readonly Call[])[], block: BlockRef) => Promise<Hex[][]>

/** Several times what the views of a pool with eight tokens and their oracles need. */
const listGas = 2_000_000n
/** As for the pool lens: below geth's default of `--rpc.gascap`. */
const gasBudget = 40_000_000n

/** Of calls, as much as an `eth_call` may create with the code (EIP-3860). */
const maxBytes = 49_152 - isolatedReadsCode.length / 2 - 256

/** Calls per request by Multicall3; views of pools use much more gas than plain reads. */
const maxCalls = 300

/**
 * Creates a reader that asks by contracts/IsolatedReads.sol; where the RPC refuses creation code, by
 * Multicall3, in halves when a request fails, and calls of answered contracts in a request more.
 */
export function createIsolatedReader(run: RunConstructor, read: Read): ReadIsolated {
  const backOff = createBackOff()
  /** Of creation code. */
  const pause = createReadPause()

  async function readPages(
    lists: readonly CallList[],
    packed: readonly Hex[],
    block: BlockRef,
  ): Promise<Page> {
    const page: Page = []
    while (page.length < lists.length) {
      const asked = packed.slice(page.length, endOf(packed, page.length))
      const args = encodeAbiParameters(request, [concatHex(asked), listGas, gasBudget])
      const returned = await run(concatHex([isolatedReadsCode, args]), block)
      const found = parsePage(returned, lists.slice(page.length, page.length + asked.length))
      if (found.length === 0) throw new Error('The gas of an eth_call does not suffice for one list.')
      page.push(...found)
    }
    return page
  }

  async function readAll(lists: readonly CallList[], block: BlockRef): Promise<Page> {
    if (lists.length === 0) return []
    const packed = lists.map(packList)
    if (pause.passes()) return readByCalls(read, lists, block)
    try {
      return await readPages(lists, packed, block)
    } catch (error) {
      if (isNetworkError(error) || isBlockMissing(error) || isRateLimit(error)) throw error
      const page = await readByCalls(read, lists, block)
      pause.begin()
      return page
    }
  }

  return async (lists, block, pools) => {
    if (pools === undefined) return (await readAll(lists, block)).map(({ answers }) => answers)
    const at = typeof block === 'bigint' ? block : block.number
    const due = backOff.due(pools, at)
    const isDue = (_: unknown, i: number) => due.has(pools[i] as Address)
    const next = (await readAll(lists.filter(isDue), block)).values()
    return lists.map((list, i) => {
      const pool = pools[i] as Address
      const found = due.has(pool) ? next.next().value : undefined
      if (found === undefined) return list.map(() => '0x')
      if (found.isSpent) backOff.failed(pool, at)
      else backOff.succeeded(pool, at)
      return found.answers
    })
  }
}

/** The gas of an answered contract counts for no other call. */
async function readByCalls(read: Read, lists: readonly CallList[], block: BlockRef): Promise<Page> {
  const named = lists.map((list) => list.filter((call): call is Call => 'to' in call))
  const page = await readInHalves(read, named, block)
  const answers = lists.map((list, i) => {
    const next = (page[i]?.answers ?? []).values()
    return list.map((call) => ('to' in call ? (next.next().value ?? '0x') : '0x'))
  })
  const followUps = lists.flatMap((list, i) =>
    list.flatMap((call, j) => {
      const to = 'to' in call ? undefined : toAddress(answers[i]?.[call.answerOf])
      return to === undefined ? [] : [{ i, j, call: { to, data: call.data } }]
    }),
  )
  const found = await readInHalves(
    read,
    followUps.map(({ call }) => [call]),
    block,
  )
  followUps.forEach(({ i, j }, k) => {
    ;(answers[i] as Hex[])[j] = found[k]?.answers[0] ?? '0x'
  })
  return answers.map((own, i) => ({ answers: own, isSpent: page[i]?.isSpent ?? false }))
}

function toAddress(answer: Hex = '0x'): Address | undefined {
  const [first = 0n] = words(answer)
  return first === 0n || first >= 2n ** 160n ? undefined : toHex(first, { size: 20 })
}

/** A contract that burns all gas fails a request; only alone it is known to be the one. */
async function readInHalves(read: Read, lists: readonly (readonly Call[])[], block: BlockRef): Promise<Page> {
  const inHalves = async () => {
    const middle = lists.length >> 1
    const first = await readInHalves(read, lists.slice(0, middle), block)
    return [...first, ...(await readInHalves(read, lists.slice(middle), block))]
  }
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count > maxCalls && lists.length > 1) return inHalves()
  try {
    const calls = lists.map((list) => list.map((call) => ({ ...call, mayFail: true })))
    return (await read(calls, block)).map((answers) => ({ answers, isSpent: false }))
  } catch (error) {
    if (!isContractFailure(error)) throw error
    if (lists.length > 1) return inHalves()
    return lists.map((list) => ({ answers: list.map(() => '0x'), isSpent: true }))
  }
}

const request = parseAbiParameters('bytes lists, uint256 listGas, uint256 gasBudget')

/** Bit of a size (contracts/IsolatedReads.sol). */
const answered = 0x8000

/** Throws on an address of another length, as all lists after it would be read wrongly. */
function packList(calls: CallList): Hex {
  const odd = calls.find((call) => 'to' in call && size(call.to) !== 20)
  if (odd !== undefined) throw new TypeError(`${(odd as Call).to} is no address to call.`)
  return concatHex([
    toHex(calls.length, { size: 2 }),
    ...calls.flatMap((call) => {
      const [to, form] = 'to' in call ? [call.to, 0] : [toHex(call.answerOf, { size: 20 }), answered]
      return [to, toHex(size(call.data) + form, { size: 2 }), call.data]
    }),
  ])
}

/** Where a request that begins at list `from` ends; it has one list at least. */
function endOf(packed: readonly Hex[], from: number): number {
  let end = from
  for (let bytes = 0; end < packed.length; end++) {
    bytes += size(packed[end] as Hex)
    if (end > from && bytes > maxBytes) break
  }
  return end
}

/** Throws when the page does not have the form that contracts/IsolatedReads.sol describes. */
function parsePage(returned: Hex, lists: readonly CallList[]): Page {
  const data = Buffer.from(hexToBytes(returned))
  let at = 0
  const take = (count: number): Buffer => {
    if (at + count > data.length) throw new Error('A page of isolated reads is cut short.')
    at += count
    return data.subarray(at - count, at)
  }
  if (take(1)[0] !== 1) throw new Error('It is no page of isolated reads.')
  const page: Page = []
  while (at < data.length) {
    const list = lists[page.length]
    if (list === undefined) throw new Error('Isolated reads answer too much.')
    const isSpent = take(1)[0] === 1
    const answers = list.map((): Hex => {
      const count = take(2).readUInt16BE()
      const words = Array.from({ length: count }, () => {
        const word = take(take(1)[0] as number)
        return word.toString('hex').padStart(64, '0')
      })
      return `0x${words.join('')}`
    })
    page.push({ answers, isSpent })
  }
  return page
}
