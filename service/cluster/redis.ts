import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client'
import type { Log } from '../log.ts'

export type Redis = {
  /** Texts are Buffers. Rejects when Redis is unavailable; a timeout disconnects. */
  ask(command: Command): Promise<unknown>
  /** For commands that block up to `ms`, on a separate connection. */
  wait(command: Command, ms: number): Promise<unknown>
  /** For large data, on a separate connection. */
  carry(command: Command): Promise<unknown>
  isThere(): boolean
  /** Resolves when connected or stopped. */
  there(): Promise<void>
  stop(): void
}

export type Command = readonly (string | Buffer)[]

export type RedisOptions = {
  log?: Log | undefined
  patienceMs?: number
  retryMs?: number
}

type Connections = { ask: Client; wait: Client; carry: Client; lost: AbortController }
type Client = ReturnType<typeof makeClient>

/** Returns a client that connects and reconnects in the background. */
export function connectRedis(
  url: string,
  { log, patienceMs = 2_000, retryMs = 500 }: RedisOptions = {},
): Redis {
  const stopped = new AbortController()
  let open: Connections | undefined
  let arrivals: (() => void)[] = []

  function arrive(): void {
    for (const resolve of arrivals) resolve()
    arrivals = []
  }

  async function stayConnected(): Promise<void> {
    let last: string | undefined
    while (!stopped.signal.aborted) {
      try {
        open = await connect(url, patienceMs)
        log?.info('Redis is there')
        last = undefined
        arrive()
        await lossOf(open.lost.signal, stopped.signal)
      } catch (error) {
        const fault = (error as Error).message || 'no answer'
        if (fault !== last && !stopped.signal.aborted) log?.warn({ fault }, 'Redis is away')
        last = fault
      }
      close(open)
      open = undefined
      await sleep(retryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
    arrive()
  }
  void stayConnected()

  async function send(which: 'ask' | 'wait' | 'carry', ms: number, command: Command): Promise<unknown> {
    const connections = open
    if (connections === undefined || connections.lost.signal.aborted) throw new Error('Redis is away.')
    return within(ms, connections[which].sendCommand(command, asBuffers)).catch((error) => {
      // Redis itself replied: still connected. A demoted primary never takes writes again.
      if (!(error instanceof ErrorReply) || /READONLY/.test(error.message)) connections.lost.abort(error)
      throw error
    })
  }

  return {
    ask: (command) => send('ask', patienceMs, command),
    wait: (command, ms) => send('wait', ms + patienceMs, command),
    carry: (command) => send('carry', 15 * patienceMs, command),
    isThere: () => open !== undefined && !open.lost.signal.aborted,
    there: () =>
      new Promise((resolve) => {
        arrivals.push(resolve)
        if (stopped.signal.aborted || (open !== undefined && !open.lost.signal.aborted)) arrive()
      }),
    stop() {
      stopped.abort()
      close(open)
    },
  }
}

function makeClient(url: string, connectTimeout: number, lost: AbortController) {
  const socket = { connectTimeout, reconnectStrategy: false } as const
  const client = createClient({ url, RESP: 2, disableOfflineQueue: true, socket })
  return client.on('error', (error) => lost.abort(error)).on('end', () => lost.abort())
}

async function connect(url: string, patienceMs: number): Promise<Connections> {
  const lost = new AbortController()
  const [ask, wait, carry] = [0, 1, 2].map(() => makeClient(url, patienceMs, lost)) as [
    Client,
    Client,
    Client,
  ]
  try {
    await within(patienceMs, Promise.all([ask, wait, carry].map((client) => client.connect())))
    return { ask, wait, carry, lost }
  } catch (error) {
    close({ ask, wait, carry, lost })
    throw error
  }
}

function close(connections: Connections | undefined): void {
  if (connections === undefined) return
  const { ask, wait, carry } = connections
  for (const client of [ask, wait, carry]) if (client.isOpen) client.destroy()
}

const asBuffers = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }

function lossOf(...signals: AbortSignal[]): Promise<never> {
  const any = AbortSignal.any(signals)
  return new Promise((_resolve, reject) => {
    if (any.aborted) reject(any.reason)
    any.addEventListener('abort', () => reject(any.reason), { once: true })
  })
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`Redis did not answer for ${ms / 1_000} seconds.`)
  })
  return Promise.race([work, late]).finally(() => {
    over.abort()
    late.catch(() => undefined)
  })
}
