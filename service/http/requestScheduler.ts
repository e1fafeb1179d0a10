import type { Service } from '../service.ts'
import { type Client, createFairQueue, type QueueLimits } from './fairQueue.ts'
import { type Metrics, registerQueueMetrics } from './metrics.ts'
import { createResponseCache } from './responseCache.ts'

/** Makes the answer to a question. `forget` is called when it is not to be given again. */
export type RequestHandler<Answer> = (forget: () => void) => Promise<Answer>

/** Gets a question answered. */
export type ScheduledRequest = <Answer>(
  question: string,
  asker: Client,
  make: RequestHandler<Answer>,
) => Promise<Answer>

/**
 * What needs a search of routes. Equal questions at the same block are answered once: quotes as long as the block is the newest,
 * swaps while they are being made. Each kind has a lane of its own, since swaps wait for the node and quotes do not.
 */
export type Scheduler = { quote: ScheduledRequest; swap: ScheduledRequest }

export type WorkLimits = Record<keyof Scheduler, QueueLimits>

const defaults: WorkLimits = {
  quote: { atOnce: 64, waiting: 1_024 },
  swap: { atOnce: 64, waiting: 1_024 },
}

/** Questions must name their operation: an answer is repeated to whoever asks in the same words. */
export function createWork(service: Service, metrics: Metrics, limits = defaults): Scheduler {
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

/** A question as it is compared with others: what was parsed, whatever its letter case and order were. */
export function cacheKey(path: string, query: object): string {
  const write = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return `${path} ${JSON.stringify(query, write)}`
}
