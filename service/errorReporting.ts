import { BaseError, HttpRequestError } from 'viem'
import type { Metrics } from './http/metrics.ts'
import type { FeedOptions } from './indexer/nodeFeed.ts'
import type { Log } from './log.ts'

export type ErrorReport = (error: unknown, during: string) => void

/** True if the RPC failed. */
export function isNodeError(error: unknown): boolean {
  return error instanceof BaseError
}

/** Describes an error for the log. Only viem's short messages contain no RPC URL, which may hold a key. */
export function describeError(error: unknown): string {
  if (error instanceof BaseError) {
    const http = error.walk((cause) => cause instanceof HttpRequestError)
    const status =
      http instanceof HttpRequestError && http.status !== undefined ? `HTTP ${http.status}` : undefined
    const reason = status ?? systemCode(error)
    return reason === undefined ? error.shortMessage : `${error.shortMessage.replace(/\.$/, '')} (${reason}).`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** E.g. ECONNREFUSED. */
function systemCode(error: BaseError): string | undefined {
  const cause = error.walk((inner) => typeof (inner as NodeJS.ErrnoException).code === 'string')
  return (cause as NodeJS.ErrnoException | null)?.code
}

/** Logs a failure once per reason, and the recovery. */
export function createErrorReporter(log: Log | undefined, words: { fails: string; works: string }) {
  let last: string | undefined
  return {
    fails(error: unknown): undefined {
      const fault = describeError(error)
      if (fault !== last) log?.warn({ fault }, words.fails)
      last = fault
    },
    works<Result>(result: Result): Result {
      if (last !== undefined) log?.info(words.works)
      last = undefined
      return result
    },
  }
}

/** Returns feed options that report failures. */
export function monitorFeed(
  log: Log | undefined,
  metrics: Metrics,
  report: ErrorReport | undefined,
): FeedOptions {
  const alarm = createErrorReporter(log, {
    fails: 'the chain cannot be read',
    works: 'the chain is read again',
  })
  return {
    onFailure(error) {
      metrics.nodeFailures.inc({ during: 'reading' })
      report?.(error, 'reading the chain')
      alarm.fails(error)
    },
    onRecovery: () => alarm.works(undefined),
  }
}
