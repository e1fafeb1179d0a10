import * as v from 'valibot'
import { multicall3Abi as abi, encodeFunctionData, getAbiItem, numberToHex } from 'viem'
import { decodeReturned } from '../../domain/abi/decodeStrict.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import { getCodeHash } from '../codeHash.ts'
import { parseErrorObject } from './errorObject.ts'
import { type BatchedCall, batch, type Rpc } from './rpc.ts'
import { isRevert, parseRpcError } from './rpcError.ts'
import { block, hex, quantity } from './schemas.ts'

export type Call = { to: Address; data: Hex }

/** Undefined if the call reverted. */
export type CallResult = Hex | undefined

/** Multicall3 (github.com/mds1/multicall3). */
export const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** No immutables, so equal on every chain. */
const multicall3CodeHash: Hex = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'

const aggregate3 = getAbiItem({ abi, name: 'aggregate3' })

/** getEthBalance(address) */
const balanceSelector = '0x4d2301cc'
/** getCurrentBlockTimestamp() */
const timestampSelector = '0x0f28c97d'

export function nativeBalanceCall(owner: Address): Call {
  return {
    to: multicall3,
    data: encodeFunctionData({ abi, functionName: 'getEthBalance', args: [owner] }),
  }
}

export function nativeBalanceOwner({ to, data }: Call): Address | undefined {
  return to === multicall3 && data.startsWith(balanceSelector) ? `0x${data.slice(-40)}` : undefined
}

export function blockTimestamp(): Call {
  return {
    to: multicall3,
    data: encodeFunctionData({ abi, functionName: 'getCurrentBlockTimestamp' }),
  }
}

export function readsTimestamp({ to, data }: Call): boolean {
  return to === multicall3 && data.startsWith(timestampSelector)
}

export async function hasMulticall(rpc: Rpc): Promise<boolean> {
  return (await getCodeHash(rpc, multicall3)) === multicall3CodeHash
}

const lacking = new WeakSet<Rpc>()

/** Without Multicall3 each call is a request. */
export function lacksMulticall(rpc: Rpc): boolean {
  return lacking.has(rpc)
}

/**
 * Makes `calls` at one block. If one burns all gas, the halves are retried separately. Without Multicall3,
 * each is a request.
 */
export async function multicall(rpc: Rpc, calls: Call[]): Promise<CallResult[]> {
  if (calls.length === 0) return []
  if (lacking.has(rpc)) {
    const [returned, isThere] = await Promise.all([readWithoutMulticall(rpc, calls), hasMulticall(rpc)])
    if (isThere) lacking.delete(rpc)
    return returned
  }
  const data = encodeFunctionData({
    abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  })
  // No extra round trip.
  const [outcome, isKnown] = await Promise.all([
    rpc.attempt('eth_call', [{ to: multicall3, data }, 'latest'], hex).catch(toWalletError),
    hasMulticall(rpc),
  ])
  if (!isKnown) {
    lacking.add(rpc)
    return readWithoutMulticall(rpc, calls)
  }
  if (outcome instanceof WalletError) throw outcome
  if ('result' in outcome) return decode(outcome.result, calls.length) ?? readWithoutMulticall(rpc, calls)
  if (!isRevert(outcome.refusal)) throw parseRpcError(outcome.refusal, 'eth_call')
  if (calls.length === 1) return [undefined]
  const half = calls.length >> 1
  return [...(await multicall(rpc, calls.slice(0, half))), ...(await multicall(rpc, calls.slice(half)))]
}

function decode(returned: Hex, expected: number): CallResult[] | undefined {
  try {
    const [results] = decodeReturned(aggregate3.outputs, returned)
    if (results.length !== expected) return undefined
    return results.map(({ success, returnData }) => (success ? returnData : undefined))
  } catch {
    return undefined
  }
}

export function readNumber(returned: CallResult): bigint | undefined {
  return returned !== undefined && returned.length >= 66 ? BigInt(returned.slice(0, 66)) : undefined
}

type Single = BatchedCall & { shape: v.GenericSchema<unknown, CallResult> }

/** Limit of many RPCs. */
const mostInBatch = 20
const mostAtOnce = 5

/** No batch support. */
const unbatched = new WeakSet<Rpc>()

/** Reads in batches if supported. Results may be from different blocks. */
async function readWithoutMulticall(rpc: Rpc, calls: Call[]): Promise<CallResult[]> {
  const returned: CallResult[] = []
  for (let start = 0; start < calls.length; start += mostInBatch) {
    returned.push(...(await readSome(rpc, calls.slice(start, start + mostInBatch).map(toSingle))))
  }
  return returned
}

async function readSome(rpc: Rpc, singles: Single[]): Promise<CallResult[]> {
  const isBatched = singles.length > 1 && !unbatched.has(rpc)
  const { answers: batched, isAtLimit } = isBatched ? await askBatch(rpc, singles) : notAsked
  const returned: CallResult[] = []
  for (let start = 0; start < singles.length; start += mostAtOnce) {
    const group = singles.slice(start, start + mostAtOnce)
    const found = group.map((single, index) => batched[start + index] ?? askAlone(rpc, single))
    returned.push(...(await Promise.all(found)).map((one) => one.returned))
  }
  if (isBatched && !isAtLimit && batched.every((one) => one === undefined)) unbatched.add(rpc)
  return returned
}

function toSingle(call: Call): Single {
  const owner = nativeBalanceOwner(call)
  if (owner) return { method: 'eth_getBalance', params: [owner, 'latest'], shape: toWord(quantity) }
  if (readsTimestamp(call)) {
    const time = v.pipe(
      block,
      v.transform(({ timestamp }) => BigInt(timestamp)),
    )
    return { method: 'eth_getBlockByNumber', params: ['latest', false], shape: toWord(time) }
  }
  return { method: 'eth_call', params: [call, 'latest'], shape: hex }
}

function toWord(number: v.GenericSchema<unknown, bigint>): Single['shape'] {
  return v.pipe(
    number,
    v.transform((value) => numberToHex(value, { size: 32 })),
  )
}

type Answered = { returned: CallResult }

async function askAlone(rpc: Rpc, { method, params, shape }: Single): Promise<Answered> {
  const outcome = await rpc.attempt(method, params, shape)
  if ('result' in outcome) return { returned: outcome.result }
  if (isRevert(outcome.refusal)) return { returned: undefined }
  throw parseRpcError(outcome.refusal, method)
}

const answersShape = v.array(v.unknown())

type Batched = { answers: (Answered | undefined)[]; isAtLimit: boolean }

const notAsked: Batched = { answers: [], isAtLimit: false }

/** `isAtLimit`: rate limited, not unsupported. */
async function askBatch(rpc: Rpc, singles: Single[]): Promise<Batched> {
  let isAtLimit = false
  const questions = singles.map(({ method, params }) => ({ method, params }))
  const outcome = await rpc.attempt(batch, questions, answersShape).catch((error: unknown) => {
    const { code, facts } = toWalletError(error)
    if (!['node-refused', 'node-unreachable'].includes(code)) throw error
    isAtLimit = facts.status === '429' && !/batch/i.test(facts.rpcMessage ?? '')
    return undefined
  })
  const answers = outcome && 'result' in outcome ? outcome.result : []
  return { answers: singles.map(({ shape }, index) => readAnswer(answers[index], shape)), isAtLimit }
}

function readAnswer(answer: unknown, shape: Single['shape']): Answered | undefined {
  const { result, error } = (answer ?? {}) as Record<string, unknown>
  if (typeof error === 'object' && error !== null)
    return isRevert(parseErrorObject(error)) ? { returned: undefined } : undefined
  const parsed = v.safeParse(shape, result)
  return parsed.success ? { returned: parsed.output } : undefined
}
