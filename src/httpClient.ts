/** `deadlineMs` includes retries, waits and reading. */
export type HttpRequest = {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  deadlineMs: number
  /** After an unreachable host, 429 or 5xx. 0 if not idempotent. */
  retries: number
  mostBytes: number
  signal?: AbortSignal | undefined
  /** Defaults to the reply's own. */
  statusOf?: (reply: HttpResponse) => number
}

/** `text` is undefined if too long. */
export type HttpResponse = {
  status: number
  text: string | undefined
  retryAfterMs: number | undefined
  /** RFC 9651 dictionary of the swap service (src/api/routeBound.ts). */
  routeBound: string | undefined
}

export type NetworkError = { failure: 'unreachable' | 'timeout' | 'aborted'; cause: unknown }

export type HttpClient = (ask: HttpRequest) => Promise<HttpResponse | NetworkError>

export type HttpDeps = {
  fetch?: typeof fetch
  /** Resolves early when `signal` aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Jitter, 0 to 1. */
  random?: () => number
  timeout?: (ms: number) => AbortSignal
}

/**
 * Creates the wallet's only HTTP client. No cookies, referrer, redirects or cache. Backoff doubles from 250
 * ms, with jitter; honours Retry-After.
 */
export function createHttpClient({
  fetch = ownFetch,
  sleep = pause,
  random = Math.random,
  timeout = (ms) => AbortSignal.timeout(ms),
}: HttpDeps = {}): HttpClient {
  return async (ask) => {
    const startedAt = performance.now()
    const deadline = timeout(ask.deadlineMs)
    const signal = ask.signal ? AbortSignal.any([ask.signal, deadline]) : deadline

    for (let tries = 0; ; tries++) {
      const reply = await once(fetch, ask, signal).catch(
        (cause: unknown): NetworkError => ({
          failure: ask.signal?.aborted ? 'aborted' : deadline.aborted ? 'timeout' : 'unreachable',
          cause,
        }),
      )
      if (tries === ask.retries || !isWorthAnotherTry(reply, ask)) return reply
      const waitMs = waitBefore(reply, tries, random, ask)
      if (waitMs >= ask.deadlineMs - (performance.now() - startedAt)) return reply
      await sleep(waitMs, signal)
    }
  }
}

async function once(send: typeof fetch, ask: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const response = await send(ask.url, {
    method: ask.method ?? 'GET',
    headers: ask.headers ?? {},
    ...(ask.body === undefined ? {} : { body: ask.body }),
    signal,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  })
  return {
    status: response.status,
    text: await readText(response.body, ask.mostBytes),
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    routeBound: response.headers.get('x-route-bound') ?? undefined,
  }
}

async function readText(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<string | undefined> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > mostBytes) {
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

function isWorthAnotherTry(
  reply: HttpResponse | NetworkError,
  { statusOf = ownStatus }: HttpRequest,
): boolean {
  if ('failure' in reply) return reply.failure === 'unreachable'
  const status = statusOf(reply)
  return status === 429 || status >= 500
}

function waitBefore(
  reply: HttpResponse | NetworkError,
  tries: number,
  random: () => number,
  { statusOf = ownStatus }: HttpRequest,
): number {
  const backOff = 250 * 2 ** tries * (0.5 + random())
  if ('failure' in reply) return backOff
  // 2 s for a 429 without Retry-After.
  const asked = reply.retryAfterMs ?? (statusOf(reply) === 429 ? 2_000 : 0)
  return asked + backOff
}

function ownStatus({ status }: HttpResponse): number {
  return status
}

/** RFC 9110, 10.2.3. At most one day. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 86_400_000)
}

// Browsers require the global object as `this`.
function ownFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return globalThis.fetch(input, init)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
