import { BaseError, HttpRequestError } from 'viem'
import type { Metrics } from './http/metrics.ts'
import type { FeedOptions } from './indexer/nodeFeed.ts'
import type { Log } from './log.ts'

/** Told of a failure that is not the asker's. */
export type ErrorReport = (error: unknown, during: string) => void

/** Whether it was the node that failed. */
export function isNodeError(error: unknown): boolean {
  return error instanceof BaseError
}

/** What an operator is told of a failure. viem's long messages hold the node's URL, which often holds a key; its short ones do not. */
export function describeError(error: unknown): string {
  if (error instanceof BaseError) {
    const http = error.walk((cause) => cause instanceof HttpRequestError)
    const status =
      http instanceof HttpRequestError && http.status !== undefined ? `HTTP ${http.status}` : undefined
    const reason = status ?? systemCode(error)
    return reason === undefined ? error.shortMessage : `${error.shortMessage} (${reason})`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What the system calls it: ECONNREFUSED, ENOTFOUND. It stands on an error deep inside. */
function systemCode(error: BaseError): string | undefined {
  const cause = error.walk((inner) => typeof (inner as NodeJS.ErrnoException).code === 'string')
  return (cause as NodeJS.ErrnoException | null)?.code
}

/** Says that something fails, once for each reason, and that it works again. */
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

/** Tells of a feed that fails: of a node that is away several times a second, which is logged once. */
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
