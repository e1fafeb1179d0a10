import * as v from 'valibot'
import { parseObject } from '../../domain/json.ts'
import { redactSecrets, sanitizeText } from '../../domain/sanitize.ts'
import { WalletError } from '../../errors.ts'
import { createHttpClient, type HttpDeps, type HttpResponse, type NetworkError } from '../../httpClient.ts'
import { parseErrorObject, type RpcError } from './errorObject.ts'
import { parseRpcError } from './rpcError.ts'
import { isHttpFailure, isNotAnswer, isServerTrouble, rpcErrorKind } from './rpcErrorKind.ts'

export type Rpc = {
  /** Throws `node-…`, or `parseRpcError`'s error. */
  ask<Shape extends v.GenericSchema>(
    method: string,
    params: unknown[],
    shape: Shape,
  ): Promise<v.InferOutput<Shape>>
  /** Returns refusals. */
  attempt<Shape extends v.GenericSchema>(
    method: string,
    params: unknown[],
    shape: Shape,
  ): Promise<{ result: v.InferOutput<Shape> } | { refusal: RpcError }>
}

export type RpcResult = { result: unknown } | { error: object }

/** Throws `node-…`, or `invalid-input` without a usable URL. */
export type RpcRequest = <Read>(
  method: string,
  params: unknown[],
  read: (answer: RpcResult) => Read,
) => Promise<Read>

export type RpcLimits = {
  /** Per request, including retries. */
  deadlineMs: number
  retries: number
  mostBytes?: number
}

const id = 1

/** Method name of a batch (JSON-RPC 2.0, section 6). Answers are in order of the params, null if missing. */
export const batch = 'batch'

export type BatchedCall = { method: string; params: unknown[] }

export function createRpcRequest({
  url,
  deadlineMs,
  retries,
  mostBytes = 10_000_000,
  ...parts
}: HttpDeps & RpcLimits & { url: string }): RpcRequest {
  const wire = createHttpClient(parts)

  return async (method, params, read) => {
    const isBatch = method === batch
    const body = isBatch
      ? JSON.stringify(
          params.map((one, index) => ({ jsonrpc: '2.0', id: index + 1, ...(one as BatchedCall) })),
        )
      : JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const headers = { 'content-type': 'application/json' }
    const parse = createParse(method, isBatch ? (reply) => parseBatch(reply, params.length) : parseAnswer)
    const reply = await wire({
      url: checkUrl(url),
      method: 'POST',
      headers,
      body,
      deadlineMs,
      retries,
      mostBytes,
      statusOf: (reply) => parse(reply).status,
    })
    if ('failure' in reply) throw timeoutError(reply, method)

    if (reply.text === undefined && reply.status < 300) throw tooLong(method)
    const { answer, status } = parse(reply)
    // May echo the URL with the user's API key, and dapps may see it.
    if (answer && 'error' in answer) answer.error = redactSecrets(answer.error, url) as object
    const isFailure = isHttpFailure(reply.status)
    if (answer === undefined && !isFailure && status !== 429) throw unreadable(method, reply.status)
    if (isHttpFailure(status) || answer === undefined)
      throw unserved(isFailure ? reply.status : status, method, answer)
    return read(answer)
  }
}

export function createRpc(ask: RpcRequest): Rpc {
  const attempt: Rpc['attempt'] = (method, params, shape) =>
    ask(method, params, (answer) => readOutcome(answer, method, shape))

  return {
    attempt,
    ask: async (method, params, shape) => readResult(await attempt(method, params, shape), method),
  }
}

/** Throws `parseRpcError`'s error for a refusal. */
export function readAs<Shape extends v.GenericSchema>(answer: RpcResult, method: string, shape: Shape) {
  return readResult(readOutcome(answer, method, shape), method)
}

type Outcome<Shape extends v.GenericSchema> = { result: v.InferOutput<Shape> } | { refusal: RpcError }

function readOutcome<Shape extends v.GenericSchema>(
  answer: RpcResult,
  method: string,
  shape: Shape,
): Outcome<Shape> {
  if ('error' in answer) return { refusal: parseErrorObject(answer.error) }
  const parsed = v.safeParse(shape, answer.result)
  if (!parsed.success) throw unreadable(method, 200)
  return { result: parsed.output }
}

function readResult<Result>(outcome: { result: Result } | { refusal: RpcError }, method: string): Result {
  if ('refusal' in outcome) throw parseRpcError(outcome.refusal, method)
  return outcome.result
}

function checkUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new WalletError('invalid-input', 'The node has no usable address: set it in the settings.', {
    field: 'rpcUrl',
  })
}

/** JSON-RPC 2.0, section 5. */
function parseAnswer({ status, text }: HttpResponse): RpcResult | undefined {
  const answer = parseObject(text ?? '')
  // Unparsable requests have no id.
  if (readId(answer?.id ?? id) !== String(id)) return undefined
  const error = Array.isArray(answer?.error) ? answer.error[0] : answer?.error
  if (typeof error === 'object' && error !== null) return { error }
  // Plain text of gateways, if its meaning is known.
  if (typeof error === 'string') {
    const told = { message: error }
    return rpcErrorKind(parseErrorObject(told)) !== 'outage' || isServerTrouble(error)
      ? { error: told }
      : undefined
  }
  if (answer?.result === undefined || status < 200 || status > 299) return undefined
  // {"status": "0", "message": "NOTOK", "result": "Max rate limit reached"}
  if (answer.jsonrpc === undefined && typeof answer.message === 'string') return undefined
  return { result: answer.result }
}

/** Some RPCs answer with a string. `String` would throw for an object with a `toString` of its own. */
function readId(given: unknown): string | undefined {
  return typeof given === 'number' || typeof given === 'string' ? String(given) : undefined
}

/** A single error, or all answers rate limited, refuses the batch. */
function parseBatch({ status, text = '' }: HttpResponse, length: number): RpcResult | undefined {
  const found = parseArray(text)
  if (found === undefined) {
    const error = parseObject(text)?.error
    return typeof error === 'object' && error !== null ? { error } : undefined
  }
  if (status < 200 || status > 299) return undefined
  const refused = found.map((one) => (one as { error?: unknown } | null)?.error).filter(isObject)
  const [first] = refused
  if (first !== undefined && refused.length === found.length && refused.every(isLimit))
    return { error: first }
  const byId = new Map(found.map((one) => [readId((one as Record<string, unknown> | null)?.id), one]))
  return { result: Array.from({ length }, (_, index) => byId.get(String(index + 1)) ?? null) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isLimit(error: object): boolean {
  return rpcErrorKind(parseErrorObject(error)) === 'limit'
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found : undefined
  } catch {
    return undefined
  }
}

type Parsed = { answer: RpcResult | undefined; status: number }

function createParse(
  method: string,
  read: (reply: HttpResponse) => RpcResult | undefined,
): (reply: HttpResponse) => Parsed {
  const parsed = new WeakMap<HttpResponse, Parsed>()
  return (reply) => {
    const known = parsed.get(reply)
    if (known !== undefined) return known
    const answer = read(reply)
    const found = { answer, status: toStatus(reply, method, answer) }
    parsed.set(reply, found)
    return found
  }
}

/** Returns the effective HTTP status: errors not about the call are 429 or 503. */
function toStatus({ status, text }: HttpResponse, method: string, answer: RpcResult | undefined): number {
  // Oversized.
  if (status === 429 || text === undefined) return status
  if (answer === undefined) {
    if (isHttpFailure(status)) return status
    return isLimit({ message: text.slice(0, 1_000) }) ? 429 : 503
  }
  if (!('error' in answer)) return status
  const kind = rpcErrorKind(parseErrorObject(answer.error))
  if (kind === 'limit') return 429
  // Restarted on the newest block.
  if (kind === 'lost-block' && method === 'eth_simulateV1') return 200
  return isNotAnswer(kind) ? 503 : 200
}

export function timeoutError({ failure, cause }: NetworkError, method: string): WalletError {
  if (failure === 'timeout') {
    return new WalletError('node-timeout', 'The node did not answer in time.', { method }, { cause })
  }
  return new WalletError('node-unreachable', 'The node cannot be reached.', { method }, { cause })
}

function tooLong(method: string): WalletError {
  return new WalletError('node-refused', `The node answered ${method} with more than the wallet reads.`, {
    method,
    status: '200',
    isTooLong: 'true',
  })
}

function unreadable(method: string, status: number): WalletError {
  const facts = { method, status: String(status) }
  return new WalletError('node-refused', `The node answered ${method} with something unreadable.`, facts)
}

function unserved(status: number, method: string, answer: RpcResult | undefined): WalletError {
  const facts = {
    method,
    status: String(status),
    ...(answer && 'error' in answer && toBriefWords(answer.error)),
  }
  if (status === 429) return new WalletError('node-unreachable', 'The node asks for fewer questions.', facts)
  if (status < 500) return new WalletError('node-unreachable', 'The RPC denies access.', facts)
  return new WalletError('node-unreachable', 'The node is out of order.', facts)
}

function toBriefWords(error: object) {
  const { rpcCode, rpcMessage, rpcData = '' } = toPageError(error)
  const data = rpcData !== '' && rpcData.length <= 1_000 ? { rpcData } : {}
  return { rpcCode, rpcMessage: sanitizeText(rpcMessage, 300), ...data }
}

/** Returns the error for dapps. Default code: -32000 (EIP-1474). */
export function toPageError(error: object): { rpcCode: string; rpcMessage: string; rpcData?: string } {
  const { code, message, data } = error as Record<string, unknown>
  return {
    rpcCode: String(Number.isSafeInteger(code) ? code : -32000),
    rpcMessage: typeof message === 'string' ? message : '',
    ...(data === undefined || data === null
      ? {}
      : { rpcData: typeof data === 'string' ? data : JSON.stringify(data) }),
  }
}
