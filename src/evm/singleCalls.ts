import * as v from 'valibot'
import { toChunks } from '../domain/hex.ts'
import { toWalletError } from '../errors.ts'
import { parseErrorObject } from './errorObject.ts'
import { type Call, type CallResult, nativeBalanceOwner, readsTimestamp } from './multicall.ts'
import { type BatchedCall, batch, type Rpc } from './rpc.ts'
import { isRevert, parseRpcError } from './rpcError.ts'
import { block, hex, quantity } from './schemas.ts'

type Single = BatchedCall & { shape: v.GenericSchema<unknown, CallResult> }

/** Limit of many RPCs. */
const mostInBatch = 20
const mostAtOnce = 5

/** No batch support. */
const unbatched = new WeakSet<Rpc>()

/** Reads in batches if supported. Results may be from different blocks. */
export async function readWithoutMulticall(rpc: Rpc, calls: Call[]): Promise<CallResult[]> {
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
    v.transform((value) => toChunks([value])),
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
