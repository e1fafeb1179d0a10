import { browser } from 'wxt/browser'
import { decode, encode } from './domain/json.ts'
import { type ErrorCode, type ErrorDetails, toWalletError, WalletError } from './errors.ts'

// The runtime carries JSON only and loses bigints and error classes on the way, so both directions travel as encoded text.

type Call = { channel: string; method: string; args: unknown[] }
type Answer = { value: unknown } | { error: { code: ErrorCode; message: string; facts: ErrorDetails } }
type Sender = { id?: string | undefined; url?: string | undefined; origin?: string | undefined }

/**
 * The other side of `serve`: each method call becomes a message, each answer or error comes back as it was. `first` are asked at once:
 * whoever calls one of them in the same turn has that answer. Later ones ask how things stand by then.
 */
export function connect<Contract extends object>(
  channel: string,
  first: (keyof Contract & string)[] = [],
): Contract {
  const ask = async (method: string, args: unknown[]) => {
    const answer = await send({ channel, method, args })
    if ('error' in answer) throw new WalletError(answer.error.code, answer.error.message, answer.error.facts)
    return answer.value
  }
  const asked = new Map<string, Promise<unknown>>(first.map((method) => [method, ask(method, [])]))
  for (const answer of asked.values()) answer.catch(() => undefined)
  setTimeout(() => asked.clear())
  return new Proxy({} as Contract, {
    get: (_target, method) => {
      // A promise-like would be awaited by mistake: `await connect()` asks for `then`.
      if (typeof method !== 'string' || method === 'then') return undefined
      return (...args: unknown[]) => {
        const answer = asked.get(method) ?? ask(method, args)
        asked.delete(method)
        return answer
      }
    },
  })
}

/**
 * Answers `connect` on `channel` with `methods`. Only our own pages are heard: a content script carries our id too, but the
 * browser reports the page's address as its sender.
 */
export function serve<Contract extends object>(channel: string, methods: Contract): void {
  browser.runtime.onMessage.addListener((message: unknown, sender: Sender, respond) => {
    const call = parseCall(message)
    if (call?.channel !== channel || !isOwnPage(sender)) return undefined
    answer(methods, call).then((reply) => respond(encode(reply)))
    return true
  })
}

/** Tells every open view; nobody listening is fine. */
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

/** Hears what the worker broadcasts on `channel`, and nobody else, as `serve` does. Answers the way to stop. */
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

/** A page of ours or the worker, which is a file of ours (in Firefox, of a page that the browser makes for it). */
function isOwnPage(sender: Sender): boolean {
  return sender.id === browser.runtime.id && (sender.url ?? '').startsWith(browser.runtime.getURL('/'))
}
