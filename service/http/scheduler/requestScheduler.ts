import type { Service } from '../../service.ts'
import { type Metrics, registerQueueMetrics } from '../metrics.ts'
import { type Client, createFairQueue, type FairQueue, type QueueLimits } from './fairQueue.ts'
import type { Job, Step } from './job.ts'
import { createResponseCache } from './responseCache.ts'
import { createSingleFlight } from './singleFlight.ts'

/** `isPassing` prevents caching. */
export type Reply<Body = unknown> = { body: Body; headers?: Record<string, string>; isPassing?: boolean }

export type ScheduledRequest = <Body>(
  /** Names the operation, too. */
  question: string,
  client: Client,
  make: () => Promise<Reply<Body>>,
) => Promise<Reply<Body>>

/**
 * Equal requests at a block share one response: quotes while the block is the latest, swaps while in
 * progress. Separate queues, since swaps wait for the RPC.
 */
export type Scheduler = { quote: ScheduledRequest; swap: ScheduledRequest }

export type SchedulerLimits = Record<keyof Scheduler, QueueLimits>

const defaults: SchedulerLimits = {
  quote: { atOnce: 64, waiting: 1_024 },
  swap: { atOnce: 64, waiting: 1_024 },
}

export function createScheduler(service: Service, metrics: Metrics, limits = defaults): Scheduler {
  const queues = { quote: createFairQueue(limits.quote), swap: createFairQueue(limits.swap) }
  registerQueueMetrics(metrics, queues)
  const schedule = (...steps: Step<Reply>[]): ScheduledRequest => {
    return async <Body>(question: string, { asker, signal }: Client, make: () => Promise<Reply<Body>>) => {
      const block = service.engine().block()?.hash ?? ''
      const answer = steps.reduceRight<(job: Job) => Promise<Reply>>(
        (next, step) => (job) => step(job, next),
        make,
      )
      return (await answer({ asker, signal, question, block, begin: () => undefined })) as Reply<Body>
    }
  }
  return {
    quote: schedule(
      countAnswers('quote', metrics),
      createResponseCache(({ isPassing }) => !isPassing),
      shareRuns(),
      enqueue(queues.quote),
    ),
    swap: schedule(countAnswers('swap', metrics), shareRuns(), enqueue(queues.swap)),
  }
}

function countAnswers<Answer>(lane: keyof Scheduler, metrics: Metrics): Step<Answer> {
  return (job, next) => {
    let isMade = false
    const begin = () => {
      isMade = true
    }
    const answer = next({ ...job, begin })
    metrics.answers.inc({ lane, answer: isMade ? 'made' : 'repeated' })
    return answer
  }
}

/** Single-flight per block. */
export function shareRuns<Answer>(): Step<Answer> {
  const share = createSingleFlight<Answer>()
  return (job, next) =>
    share(`${job.block} ${job.question}`, job.signal, (signal) => {
      job.begin()
      return next({ ...job, signal })
    })
}

function enqueue<Answer>(queue: FairQueue): Step<Answer> {
  return (job, next) => queue.run(job, () => next(job))
}

/** Returns a key independent of case and order. */
export function cacheKey(path: string, query: object): string {
  const write = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return `${path} ${JSON.stringify(query, write)}`
}
