import type { Service } from '../service.ts'
import { type Asker, createLane, type LaneLimits } from './fairQueue.ts'
import { type Metrics, watchLanes } from './metrics.ts'
import { createRepeats } from './responseCache.ts'

/** Makes the answer to a question. `forget` is called when it is not to be given again. */
export type Making<Answer> = (forget: () => void) => Promise<Answer>

/** Gets a question answered. */
export type Asking = <Answer>(question: string, asker: Asker, make: Making<Answer>) => Promise<Answer>

/**
 * What needs a search of routes. Equal questions at the same block are answered once: quotes as long as the block is the newest,
 * swaps while they are being made. Each kind has a lane of its own, since swaps wait for the node and quotes do not.
 */
export type Work = { quote: Asking; swap: Asking }

export type WorkLimits = Record<keyof Work, LaneLimits>

const defaults: WorkLimits = {
  quote: { atOnce: 64, waiting: 1_024 },
  swap: { atOnce: 64, waiting: 1_024 },
}

/** Questions must name their operation: an answer is repeated to whoever asks in the same words. */
export function createWork(service: Service, metrics: Metrics, limits = defaults): Work {
  const lanes = { quote: createLane(limits.quote), swap: createLane(limits.swap) }
  watchLanes(metrics, lanes)

  function asking(name: keyof Work, repeats: ReturnType<typeof createRepeats<unknown>>): Asking {
    return async <Answer>(question: string, { asker, signal }: Asker, make: Making<Answer>) => {
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

  return { quote: asking('quote', createRepeats()), swap: asking('swap', createRepeats(0)) }
}

/** A question as it is compared with others: what was parsed, whatever its letter case and order were. */
export function questionOf(path: string, query: object): string {
  const write = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return `${path} ${JSON.stringify(query, write)}`
}
