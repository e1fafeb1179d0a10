import cluster, { type Worker as Process } from 'node:cluster'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AggregatorRegistry } from 'prom-client'
import { describeError } from '../errorReporting.ts'
import type { Metrics } from '../http/metrics.ts'
import type { RateLimiter } from '../http/rateLimiter.ts'
import type { Feed } from '../indexer/nodeFeed.ts'
import { createPoolState } from '../indexer/poolState.ts'
import type { Update } from '../indexer/update.ts'
import type { Log } from '../log.ts'
import { createIpcRpc, type IpcRpc } from './ipcRpc.ts'
import type { PrimaryApi, Settings, WorkerApi } from './protocol.ts'

export type WorkersOptions = {
  count: number
  settings: Settings
  feed: Feed
  limiter?: RateLimiter | undefined
  wrongKeys: RateLimiter
  metrics: Metrics
  log?: Log | undefined
}

/** `metrics` covers all processes. */
export type RunningWorkers = { url: string; metrics(): Promise<string>; stop(): Promise<void> }

type Seat = {
  process: Process
  line: IpcRpc<WorkerApi>
  /** Resolves with its URL. */
  serving: Promise<string>
  ended: Promise<void>
  hasJoined: boolean
  silentSince: number | undefined
}

/** Heartbeat interval of workers. */
const beatMs = 500
/** Then a silent worker is killed. */
const maxSilenceMs = 15_000
const maxEndMs = 15_000
/** Delay before retrying a replacement. */
const pauseMs = 1_000

/**
 * Starts workers on one socket; the primary reads the chain, and replaces workers that exit or hang. Resolves
 * when all serve and the first read attempt is over. Throws when an initial worker cannot serve.
 */
export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const { count, settings, feed, limiter, wrongKeys, metrics, log } = options
  const seats = new Set<Seat>()
  const ledger = createPoolState()
  let isStopping = false

  async function tellAll(): Promise<string> {
    const serving = [...seats].filter(({ hasJoined }) => hasJoined)
    const asked = serving.map(({ line }) => line.ask('numbers').catch(() => []))
    const numbers = await Promise.all([metrics.registry.getMetricsAsJSON(), ...asked])
    return AggregatorRegistry.aggregate(numbers).metrics()
  }

  /** viem's errors cannot be sent, and contain the RPC URL. */
  async function refresh(): Promise<void> {
    await feed.refresh().catch((error: unknown) => {
      throw new Error(describeError(error))
    })
  }

  function open(): Seat {
    const process = cluster.fork()
    const ended = new Promise<void>((resolve) => process.once('exit', () => resolve()))
    let isServing: PrimaryApi['serving'] = () => {}
    let cannot: (error: Error) => void = () => {}
    const serving = new Promise<string>((resolve, reject) => {
      isServing = resolve
      cannot = reject
    })
    const line = createIpcRpc<WorkerApi>(process, {
      settings: () => settings,
      serving: isServing,
      failed: (message, code) => cannot(Object.assign(new Error(message), { code })),
      join: () => {
        seat.hasJoined = true
        const whole = ledger.whole()
        if (whole !== undefined) tell(seat, whole)
        line.ask('checked', feed.checked()).catch(ignore)
      },
      refresh,
      take: async (client, cost) => limiter?.take(client, cost),
      takeWrongKey: wrongKeys.take,
      metrics: tellAll,
    } satisfies PrimaryApi)
    const seat: Seat = { process, line, serving, ended, hasJoined: false, silentSince: undefined }
    process.once('exit', (code, signal) => {
      seats.delete(seat)
      cannot(new Error(`A worker ended (${signal ?? code}) before it served.`))
    })
    seats.add(seat)
    return seat
  }

  async function replace(seat: Seat): Promise<void> {
    await seat.ended
    while (!isStopping) {
      log?.warn({ worker: seat.process.id }, 'a worker has ended and is replaced')
      const next = open()
      try {
        await next.serving
        return void replace(next)
      } catch (error) {
        log?.error({ fault: (error as Error).message }, 'a worker cannot be replaced')
        next.process.process.kill('SIGKILL')
        await sleep(pauseMs)
      }
    }
  }

  function tell({ line }: Seat, update: Update): void {
    line.ask('update', update).catch(ignore)
  }

  function beat(): void {
    for (const seat of seats) {
      if (!seat.hasJoined) continue
      if (seat.silentSince === undefined) void check(seat)
      else if (Date.now() - seat.silentSince > maxSilenceMs) seat.process.process.kill('SIGKILL')
    }
  }

  async function check(seat: Seat): Promise<void> {
    seat.silentSince = Date.now()
    await seat.line.ask('checked', feed.checked()).catch(ignore)
    seat.silentSince = undefined
  }

  async function endAll(): Promise<void> {
    isStopping = true
    const ends = [...seats].map(async ({ process, line, ended }) => {
      line.ask('stop').catch(ignore)
      const late = setTimeout(() => process.process.kill('SIGKILL'), maxEndMs)
      await ended
      clearTimeout(late)
    })
    await Promise.all(ends)
  }

  cluster.setupPrimary({ ...workerProgram(), args: [], serialization: 'advanced' })
  const first = Array.from({ length: count }, open)
  try {
    const [url = ''] = await Promise.all(first.map(({ serving }) => serving))
    for (const seat of first) void replace(seat)
    await feed.start(async (update) => {
      ledger.apply(update)
      for (const seat of seats) if (seat.hasJoined) tell(seat, update)
    })
    await Promise.all([...seats].map(check))
    const beating = setInterval(beat, beatMs)
    return {
      url,
      metrics: tellAll,
      async stop() {
        clearInterval(beating)
        await endAll()
        await feed.stop()
      },
    }
  } catch (error) {
    await endAll()
    await feed.stop()
    throw error
  }
}

/** Beside built JavaScript a file of it, else TypeScript. */
function workerProgram(): { exec: string; execArgv: string[] } {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  if (!import.meta.url.endsWith('.ts')) return { exec: file('worker.js'), execArgv: [] }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { exec: file('worker.ts'), execArgv: ['--import', loader] }
}

/** For messages to a worker that may have exited. */
function ignore(): void {}
