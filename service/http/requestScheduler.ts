import type { Service } from '../service.ts'
import { type Client, createFairQueue, type QueueLimits } from './fairQueue.ts'
import { type Metrics, registerQueueMetrics } from './metrics.ts'
import { createResponseCache } from './responseCache.ts'

/** `forget` prevents caching. */
export type RequestHandler<Answer> = (forget: () => void) => Promise<Answer>

export type ScheduledRequest = <Answer>(
  question: string,
  asker: Client,
  make: RequestHandler<Answer>,
) => Promise<Answer>

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

/** Creates the scheduler. Cache keys must name their operation. */
export function createScheduler(service: Service, metrics: Metrics, limits = defaults): Scheduler {
  const lanes = { quote: createFairQueue(limits.quote), swap: createFairQueue(limits.swap) }
  registerQueueMetrics(metrics, lanes)

  function asking(
    name: keyof Scheduler,
    repeats: ReturnType<typeof createResponseCache<unknown>>,
  ): ScheduledRequest {
    return async <Answer>(question: string, { asker, signal }: Client, make: RequestHandler<Answer>) => {
      const block = service.engine().block()?.hash ?? ''
      let isMade = false
      const answer = repeats(
        question,
        block,
        (everybody, forget) => {
          isMade = true
          return lanes[name].run({ asker, signal: everybody }, () => make(forget))
        },
        signal,
      )
      metrics.answers.inc({ lane: name, answer: isMade ? 'made' : 'repeated' })
      return (await answer) as Answer
    }
  }

  return { quote: asking('quote', createResponseCache()), swap: asking('swap', createResponseCache(0)) }
}

/** Returns a key independent of case and order. */
export function cacheKey(path: string, query: object): string {
  const write = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return `${path} ${JSON.stringify(query, write)}`
}
