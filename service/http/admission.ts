import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { CountedAs } from './clients.ts'
import { createRefusalLog, refuse } from './refusal.ts'
import { createRetryTimes } from './retryTimes.ts'
import { createFairOrder } from './scheduler/fairOrder.ts'
import { createFairSemaphore } from './scheduler/fairQueue.ts'

export type AdmissionLimits = {
  /** Requests of one client that are answered at once. */
  perClient: number
  /** Unanswered requests of all clients; one client may have a quarter. */
  open: number
  /** Requests begun per turn of the event loop, so that I/O runs in between. */
  perTurn: number
  /** Longest wait for a place, in milliseconds. */
  waitMs: number
  /** A request answered with one of `refusals` keeps its place this long, which bounds their rate. */
  penaltyMs: number
}

export const admissionLimits: AdmissionLimits = {
  perClient: 32,
  open: 4_096,
  perTurn: 8,
  waitMs: 2_000,
  penaltyMs: 100,
}

export type AdmissionOptions = {
  clientOf: (request: IncomingMessage) => CountedAs
  limits?: Partial<AdmissionLimits>
  onRefusal?: () => void
  /** Lets pages of any origin read refusals; those of version 3.0 always. */
  hasCors?: boolean | undefined
  log?: Log | undefined
}

export type Admission = {
  /**
   * Calls `begin` when it is the request's turn; answers 429 itself if that takes too long. Returns a
   * function to call once the request is answered, or its connection has closed.
   */
  enter(incoming: IncomingMessage, outgoing: ServerResponse, begin: () => void): () => void
  /** Call for each new connection: while more arrive, accepting goes before answering. */
  accepted(): void
}

type Waiting = { begin(): void }

/**
 * Node accepts one connection per turn of the event loop (libuv 1.45). In turns that accepted one, only every
 * eighth begins a request, so that a burst of connections does not delay those behind it for long.
 */
const turnsPerBeginning = 8

/** Wrong keys, exceeded rates, full queues. */
const refusals = new Set([403, 429, 503])

/**
 * Creates the admission of requests, before they are read further than their headers. A client over its share
 * waits: unanswered, its connections send nothing more. Clients take turns, so others do not wait with it.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { clientOf, limits, onRefusal, hasCors = false, log } = options
  const { perClient, open, perTurn, waitMs, penaltyMs } = { ...admissionLimits, ...limits }
  const waiting = createFairOrder<Waiting>()
  const running = createFairSemaphore(Number.POSITIVE_INFINITY, perClient)
  const unanswered = createFairSemaphore(open)
  const retryTimes = createRetryTimes()
  const refusalLog = createRefusalLog(log)
  let left = perTurn
  let isRenewing = false
  let hasAccepted = false
  let accepting = 0

  /** Begins what may begin in this turn of the event loop. */
  function beginWaiting(): void {
    while (left > 0) {
      const next = waiting.take(running.isFree)
      if (next === undefined) return
      left--
      renewLater()
      next.begin()
    }
  }

  function renewLater(): void {
    if (!isRenewing) setImmediate(renew)
    isRenewing = true
  }

  function renew(): void {
    isRenewing = false
    accepting = hasAccepted ? accepting + 1 : 0
    left = accepting === 0 ? perTurn : accepting % turnsPerBeginning === 0 ? 1 : 0
    hasAccepted = false
    if (left < perTurn) renewLater()
    beginWaiting()
  }

  function leave(client: CountedAs): void {
    running.leave(client)
    beginWaiting()
  }

  function turnAway(client: CountedAs, incoming: IncomingMessage, outgoing: ServerResponse): void {
    refusalLog.count(client)
    onRefusal?.()
    refuse(incoming, outgoing, retryTimes.afterRefusal(client, minRetryMs), hasCors)
  }

  return {
    enter(incoming, outgoing, begin) {
      const client = clientOf(incoming)
      if (!unanswered.isFree(client)) {
        outgoing.shouldKeepAlive = false
        turnAway(client, incoming, outgoing)
        return () => {}
      }
      unanswered.take(client)
      let hasBegun = false
      const one = {
        begin() {
          hasBegun = true
          clearTimeout(timer)
          running.take(client)
          begin()
        },
      }
      const timer = setTimeout(() => {
        waiting.remove(client, one)
        turnAway(client, incoming, outgoing)
      }, waitMs)
      waiting.add(client, one)
      beginWaiting()
      return () => {
        clearTimeout(timer)
        waiting.remove(client, one)
        unanswered.leave(client)
        if (!hasBegun) return
        if (refusals.has(outgoing.statusCode)) setTimeout(leave, penaltyMs, client).unref()
        else leave(client)
      }
    },
    accepted() {
      hasAccepted = true
      renewLater()
    },
  }
}

const minRetryMs = 1_000
