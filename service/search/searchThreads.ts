import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { RouteRequest } from '../routing/route.ts'
import type { PoolStore } from '../snapshot/poolStore.ts'
import { buffersOf } from '../snapshot/poolTables.ts'
import type { PoolVersion, VersionSlot } from '../snapshot/versionSlots.ts'
import type { FoundRoute, Searcher, SearchInput, SearchOptions } from './searcher.ts'
import { fromSentRoute, type ThreadInput, type ThreadRequest, type ThreadResponse } from './searchMessages.ts'
import { loadThreadCode, type ThreadCode } from './threadCode.ts'

export type SearchThreads = Searcher & {
  /** Searches without a thread yet. */
  waiting(): number
  running(): number
  /** Part of the time that each thread was busy since the last call, from 0 to 1. */
  utilizations(): number[]
  /** Ids of the running threads. */
  threadIds(): number[]
}

export type ThreadsOptions = {
  count: number
  log?: Log | undefined
  /** After that long beyond its own limit a search is ended with its thread. */
  hangMs?: number
  code?: ThreadCode
}

type Job = {
  version: PoolVersion
  request: RouteRequest
  options: SearchOptions
  attempts: number
  resolve(route: FoundRoute | undefined): void
  reject(error: Error): void
}

type Thread = { worker: Worker; job: Job | undefined; timer: NodeJS.Timeout | undefined; slots: number }

const maxAttempts = 2
const retryMs = 1_000

/**
 * Starts threads that search shared pools, one search each at a time. A thread that ends is replaced, and its
 * search is repeated once; one that hangs is ended, and its search fails with TIMED_OUT. Resolves when all
 * threads are ready; throws if one cannot start.
 */
export async function startSearchThreads(
  store: PoolStore,
  input: SearchInput,
  { count, log, hangMs = 15_000, code }: ThreadsOptions,
): Promise<SearchThreads> {
  store.indexPrices(input.trusted)
  const script = code ?? (await loadThreadCode())
  const threads = new Set<Thread>()
  const queue: Job[] = []
  let nextId = 0
  let isStopping = false

  function open(): Promise<Thread> {
    const workerData: ThreadInput = { tables: buffersOf(store.tables), input, threads: count }
    const options = { workerData, execArgv: [], resourceLimits }
    const worker =
      'text' in script
        ? new Worker(script.text, { ...options, eval: true })
        : new Worker(script.file, options)
    const thread: Thread = { worker, job: undefined, timer: undefined, slots: 0 }
    return new Promise((resolve, reject) => {
      let fault = 'it has ended'
      worker.on('error', (error) => {
        fault = error.stack ?? error.message
      })
      worker.once('exit', () => {
        reject(new Error(`A search thread cannot start: ${fault}`))
        if (threads.delete(thread)) void replace(thread, fault)
      })
      worker.on('message', (message: ThreadResponse) => {
        if (message.type === 'ready') {
          threads.add(thread)
          resolve(thread)
          dispatch()
        } else end(thread, message)
      })
    })
  }

  async function replace({ job, timer }: Thread, fault: string): Promise<void> {
    clearTimeout(timer)
    if (job !== undefined) retry(job, fault)
    if (isStopping) return
    log?.warn({ fault }, 'a search thread has ended and is replaced')
    while (!isStopping) {
      try {
        const next = await open()
        if (isStopping) await next.worker.terminate()
        return
      } catch (error) {
        log?.error({ fault: (error as Error).message }, 'a search thread cannot be replaced')
        await sleep(retryMs, undefined, { ref: false })
      }
    }
  }

  function retry(job: Job, fault: string): void {
    job.attempts++
    if (isStopping || job.attempts >= maxAttempts) {
      job.reject(new Error(`The search of a route has ended with its thread: ${fault}`))
    } else {
      queue.unshift(job)
      dispatch()
    }
  }

  function dispatch(): void {
    for (const thread of threads) {
      if (thread.job !== undefined) continue
      const job = queue.shift()
      if (job === undefined) return
      begin(thread, job)
    }
  }

  function begin(thread: Thread, job: Job): void {
    const { version, request, options } = job
    const tell = (message: ThreadRequest) => thread.worker.postMessage(message)
    for (; thread.slots < store.slots.length; thread.slots++) {
      const { offsets, prices } = store.slots[thread.slots] as VersionSlot
      tell({ type: 'slot', offsets: offsets.buffer, prices: prices.buffer })
    }
    thread.job = job
    const limit = Number.isFinite(options.searchMs) ? (options.searchMs as number) : 0
    thread.timer = setTimeout(() => void endHung(thread), limit + hangMs).unref()
    nextId++
    tell({ type: 'search', id: nextId, version, request, options })
  }

  /** Its version is released when the thread can no longer read it. */
  async function endHung(thread: Thread): Promise<void> {
    const { job } = thread
    thread.job = undefined
    threads.delete(thread)
    await thread.worker.terminate()
    job?.reject(new ServiceError('TIMED_OUT', 'the search of a route took too long'))
    await replace(thread, 'it hung')
  }

  function end(thread: Thread, message: Exclude<ThreadResponse, { type: 'ready' }>): void {
    const { job } = thread
    if (!threads.has(thread)) return
    clearTimeout(thread.timer)
    thread.job = undefined
    dispatch()
    if (message.type === 'failed') job?.reject(new Error(`The search of a route failed: ${message.fault}`))
    else job?.resolve(message.route && fromSentRoute(message.route, store, job.version))
  }

  async function stop(): Promise<void> {
    isStopping = true
    for (const job of queue.splice(0)) job.reject(new Error('The service has been stopped.'))
    await Promise.all([...threads].map(({ worker }) => worker.terminate()))
  }

  try {
    await Promise.all(Array.from({ length: count }, open))
  } catch (error) {
    await stop()
    throw error
  }

  return {
    search: (version, request, options) =>
      new Promise((resolve, reject) => {
        queue.push({ version, request, options, attempts: 0, resolve, reject })
        dispatch()
      }),
    stop,
    waiting: () => queue.length,
    running: () => [...threads].filter(({ job }) => job !== undefined).length,
    utilizations: createUtilizations(() => [...threads].map(({ worker }) => worker)),
    threadIds: () => [...threads].map(({ worker }) => worker.threadId),
  }
}

/**
 * Far above what a thread uses. Without a limit V8 lets a heap grow fourfold between collections, below
 * 512 MB by a third. Young objects live for one search.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 2 }

function createUtilizations(workers: () => Worker[]): () => number[] {
  const last = new WeakMap<Worker, ReturnType<Worker['performance']['eventLoopUtilization']>>()
  return () =>
    workers().map((worker) => {
      const now = worker.performance.eventLoopUtilization()
      const { utilization } = worker.performance.eventLoopUtilization(now, last.get(worker))
      last.set(worker, now)
      return utilization
    })
}
