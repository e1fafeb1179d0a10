import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { CountedAs } from './clients.ts'
import { readableByPages } from './cors.ts'
import { errorBody, toRequestId, toRetryAfter } from './errorBody.ts'

/** Answers 429 in place of the handler. */
export function refuse(
  { headers, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  retryMs: number,
  hasCors: boolean,
): void {
  const given = headers['request-id']
  const requestId = toRequestId(typeof given === 'string' ? given : undefined)
  const error = new ServiceError('RATE_LIMITED', 'too many requests at once')
  outgoing.writeHead(error.statusCode, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'request-id': requestId,
    'retry-after': toRetryAfter(retryMs),
    ...(hasCors || url.startsWith('/v3.0/') ? readableByPages : {}),
  })
  outgoing.end(JSON.stringify(errorBody(error, requestId, url)))
}

const everyMs = 10_000
const maxNamed = 5

/** Logs refusals in one line per ten seconds: the clients with the most, keys by their hash. */
export function createRefusalLog(log: Log | undefined): { count(client: CountedAs): void } {
  const refused = new Map<string, number>()

  function write(): void {
    const most = [...refused].sort(([, one], [, other]) => other - one).slice(0, maxNamed)
    const total = [...refused.values()].reduce((sum, count) => sum + count, 0)
    log?.warn(
      { refused: total, clients: refused.size, most: Object.fromEntries(most) },
      'requests were refused',
    )
    refused.clear()
  }

  return {
    count([name = '']) {
      if (refused.size === 0) setTimeout(write, everyMs).unref()
      refused.set(name, (refused.get(name) ?? 0) + 1)
    },
  }
}
