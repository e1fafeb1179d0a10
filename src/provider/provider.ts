import type { ErrorCode } from '../errors.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { disconnected, ProviderRpcError, toRpcError } from './errors.ts'
import type { PageView, RelayMessage } from './messages.ts'

/** EIP-1193, EIP-2700. Not frozen: pages assign to it. */
export type Provider = Emitter & {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  isConnected(): boolean
}

/** A dead relay is detected within five seconds. */
const lookEveryMs = 1_500

type Pending = { method: string; resolve(result: unknown): void; reject(error: unknown): void }

const unwritable = 'params: cannot be written as JSON, which knows no bigint, no circle and no function.'
const ended = 'The wallet was updated or removed. Reload the page to use it again.'

/** Creates the provider. `ask` sends JSON to the relay, `report` gets errors of page listeners. */
export function createProvider(
  ask: (text: string) => void,
  report: (error: unknown) => void,
  later: (call: () => void, ms: number) => void,
): { provider: Provider; hear(message: RelayMessage): void } {
  const pending = new Map<number, Pending>()
  let isWatching = false
  let silentLooks = 0
  let lastId = 0
  let isConnected = true
  // As last told to the page.
  let chainId: string | undefined
  let accounts = ''

  const { emitter: provider, emit } = createEmitter(
    {
      async request(args: unknown) {
        const { method, params } = parseRequest(args)
        if (!isConnected) throw new ProviderRpcError(disconnected, ended)
        if (chainId !== undefined && method === 'eth_chainId') return chainId
        if (chainId !== undefined && method === 'net_version') return BigInt(chainId).toString()
        const id = ++lastId
        return new Promise<unknown>((resolve, reject) => {
          pending.set(id, { method, resolve, reject })
          if (!isWatching) watch()
          ask(`{"id":${id},"method":${JSON.stringify(method)}${params}}`)
        })
      },
      isConnected: () => isConnected,
    },
    report,
  )

  /** Firefox ends the relay silently on an update. A busy page blocks it too, so one miss is tolerated. */
  function look(): void {
    isWatching = false
    if (pending.size === 0) return
    if (silentLooks > 1) {
      end()
      return
    }
    silentLooks++
    ask('')
    watch()
  }

  function watch(): void {
    isWatching = true
    later(look, lookEveryMs)
  }

  function hear(message: RelayMessage): void {
    silentLooks = 0
    if ('id' in message) answer(message)
    else if ('event' in message) tell(message.event, message.data)
    else if ('view' in message) compare(message.view)
    else if ('ended' in message) end()
  }

  function answer(message: Extract<RelayMessage, { id: number }>): void {
    const request = pending.get(message.id)
    if (request === undefined) return
    pending.delete(message.id)
    if ('error' in message) {
      request.reject(toRpcError(message.error))
      return
    }
    learn(request.method, message.result)
    request.resolve(message.result)
  }

  /** EIP-1193's `connect`; idle pages do not wake the wallet. */
  function learn(method: string, result: unknown): void {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') accounts = String(result)
    if (method === 'eth_chainId' && chainId === undefined) {
      chainId = String(result)
      emit('connect', { chainId })
    }
  }

  function tell(event: string, data: unknown): void {
    if (event === 'chainChanged') chainId = String(data)
    if (event === 'accountsChanged') accounts = String(data)
    emit(event, data)
  }

  function compare(view: PageView): void {
    if (chainId !== undefined && chainId !== view.chainId) tell('chainChanged', view.chainId)
    if (accounts !== String(view.accounts)) tell('accountsChanged', view.accounts)
  }

  function end(): void {
    if (!isConnected) return
    isConnected = false
    const requests = [...pending.values()]
    pending.clear()
    for (const { reject } of requests) reject(new ProviderRpcError(disconnected, ended))
    emit('disconnect', new ProviderRpcError(disconnected, ended))
  }

  return { provider, hear }
}

/** Reads each property once. */
function parseRequest(args: unknown): { method: string; params: string } {
  if (typeof args !== 'object' || args === null) {
    throw fault('invalid-request', 'The request has to be an object {method, params}.')
  }
  const { method, params, text } = readRequest(args)
  if (typeof method !== 'string' || method === '') {
    throw fault('invalid-request', 'method: has to be a text that is not empty.')
  }
  if (params === undefined) return { method, params: '' }
  if (typeof params !== 'object' || params === null) {
    throw fault('invalid-request', 'params: has to be an array or an object.')
  }
  // toJSON may return anything.
  if (!/^[[{]/.test(text ?? '')) throw fault('invalid-params', unwritable)
  return { method, params: `,"params":${text}` }
}

/** Page code, may throw. */
function readRequest(args: { method?: unknown; params?: unknown }) {
  try {
    const { method, params } = args
    const text: string | undefined = typeof params === 'object' ? JSON.stringify(params) : undefined
    return { method, params, text }
  } catch {
    throw fault('invalid-params', unwritable)
  }
}

function fault(code: ErrorCode, message: string): ProviderRpcError {
  return toRpcError({ code, message, facts: {} })
}
