import { browser } from 'wxt/browser'
import { decode, encode } from './domain/json.ts'
import { type ErrorCode, type ErrorDetails, toWalletError, WalletError } from './errors.ts'

// Messages are JSON: bigints and errors travel as text.

type Call = { channel: string; method: string; args: unknown[] }
type Answer = { value: unknown } | { error: { code: ErrorCode; message: string; facts: ErrorDetails } }
type Sender = { id?: string | undefined; url?: string | undefined; origin?: string | undefined }

/** Creates a client of `serve`. `first` are requested at once, for calls in the same task. */
export function connect<Contract extends object>(
  channel: string,
  first: (keyof Contract & string)[] = [],
): Contract {
  const ask = async (method: string, given: unknown[]) => {
    // JSON would turn an omitted argument into null.
    const args = given.slice(0, given.findLastIndex((one) => one !== undefined) + 1)
    const answer = await send({ channel, method, args })
    if ('error' in answer) throw new WalletError(answer.error.code, answer.error.message, answer.error.facts)
    return answer.value
  }
  const asked = new Map<string, Promise<unknown>>(first.map((method) => [method, ask(method, [])]))
  for (const answer of asked.values()) answer.catch(() => undefined)
  setTimeout(() => asked.clear())
  return new Proxy({} as Contract, {
    get: (_target, method) => {
      // `await connect()` would read `then`.
      if (typeof method !== 'string' || method === 'then') return undefined
      return (...args: unknown[]) => {
        const answer = asked.get(method) ?? ask(method, args)
        asked.delete(method)
        return answer
      }
    },
  })
}

/** Serves only the extension's own pages: content scripts have its id, but the page's address as sender. */
export function serve<Contract extends object>(channel: string, methods: Contract): void {
  browser.runtime.onMessage.addListener((message: unknown, sender: Sender, respond) => {
    const call = parseCall(message)
    if (call?.channel !== channel || !isOwnPage(sender)) return undefined
    answer(methods, call).then((reply) => respond(encode(reply)))
    return true
  })
}

export function broadcast<Events extends object>(channel: string): Events {
  return new Proxy({} as Events, {
    get: (_target, method) => {
      return (...args: unknown[]) => {
        const message = encode({ channel, method, args })
        browser.runtime.sendMessage(message).catch(() => undefined)
      }
    },
  })
}

/** Listens for the worker's broadcasts. Returns a function that stops. */
export function listen<Events extends object>(channel: string, handlers: Partial<Events>): () => void {
  const onMessage = (message: unknown, sender: Sender) => {
    const call = parseCall(message)
    if (call?.channel !== channel || !isOwnPage(sender)) return
    if (!Object.hasOwn(handlers, call.method)) return
    const handler = (handlers as Record<string, (...args: unknown[]) => void>)[call.method]
    handler?.(...call.args)
  }
  browser.runtime.onMessage.addListener(onMessage)
  return () => browser.runtime.onMessage.removeListener(onMessage)
}

async function send(call: Call): Promise<Answer> {
  const reply: unknown = await browser.runtime.sendMessage(encode(call)).catch((cause: unknown) => {
    throw new WalletError(
      'worker-stopped',
      'The wallet restarted before it answered. Try again.',
      {},
      { cause },
    )
  })
  if (typeof reply !== 'string') {
    throw new WalletError('worker-stopped', 'The wallet restarted before it answered. Try again.')
  }
  return decode(reply) as Answer
}

async function answer(methods: object, { method, args }: Call): Promise<Answer> {
  try {
    if (!Object.hasOwn(methods, method)) {
      throw new WalletError('invalid-input', `The wallet has no method called ${method}.`)
    }
    const run = (methods as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]
    return { value: await run?.(...args) }
  } catch (error) {
    const { code, message, facts } = toWalletError(error)
    return { error: { code, message, facts } }
  }
}

function parseCall(message: unknown): Call | undefined {
  if (typeof message !== 'string') return undefined
  try {
    const call = decode(message) as Partial<Call> | null
    if (typeof call !== 'object' || call === null) return undefined
    const { channel, method, args } = call
    if (typeof channel !== 'string' || typeof method !== 'string' || !Array.isArray(args)) return undefined
    return { channel, method, args }
  } catch {
    return undefined
  }
}

function isOwnPage(sender: Sender): boolean {
  return sender.id === browser.runtime.id && (sender.url ?? '').startsWith(browser.runtime.getURL('/'))
}
