import type { ServerResponse } from 'node:http'
import { type HttpServer, startHttpServer } from '../httpServer.ts'

/** Proxy behaviour: the service's real answer, a common failure, or silence. */
export type Fault =
  | 'none'
  | '400'
  | '401'
  | '403'
  | '404'
  | '429'
  | '500'
  | '502'
  | 'garbage'
  | 'html'
  | 'html 403'
  | 'html 404'
  | 'cut'
  | 'huge'
  | 'silence'

export type FaultProxy = HttpServer & {
  /** Requested paths, oldest first. */
  asked: string[]
  set(fault: Fault): void
}

/** Starts an HTTP proxy between the wallet and the real service. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = 'none'
  const asked: string[] = []
  const server = await startHttpServer(async ({ url = '' }, response) => {
    asked.push(url)
    if (fault !== 'none') return fail(response, fault)
    const answer = await fetch(target + url, { headers: { 'request-id': 'proxy' } })
    const text = await answer.text()
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(text)
  })
  return {
    ...server,
    asked,
    set(next) {
      fault = next
    },
  }
}

function fail(response: ServerResponse, fault: Exclude<Fault, 'none'>): void {
  const json = { 'content-type': 'application/json' }
  const body = (statusCode: number, error: string, code: string, description: string) =>
    JSON.stringify({ error, description, statusCode, code, requestId: 'r-1', meta: null })
  if (fault === '400') {
    response
      .writeHead(400, json)
      .end(body(400, 'Bad Request', 'INSUFFICIENT_LIQUIDITY', 'insufficient liquidity'))
  } else if (fault === '401') {
    response.writeHead(401, json).end(body(401, 'Unauthorized', 'FORBIDDEN', 'no key'))
  } else if (fault === '403') {
    response.writeHead(403, json).end(body(403, 'Forbidden', 'FORBIDDEN', 'not this key'))
  } else if (fault === '404') {
    response.writeHead(404, json).end(body(404, 'Not Found', 'NOT_FOUND', 'nothing here'))
  } else if (fault === '502') {
    response.writeHead(502, json).end('{"message": "bad gateway"}')
  } else if (fault === 'html 403' || fault === 'html 404') {
    response.writeHead(Number(fault.slice(-3)), { 'content-type': 'text/html' }).end('<h1>No</h1>')
  } else if (fault === 'huge') {
    response.writeHead(200, json).end(`{"dstAmount": "${'1'.repeat(20_000_000)}"}`)
  } else if (fault === '500') {
    response.writeHead(500, json).end(body(500, 'Internal Server Error', 'INTERNAL_SERVER_ERROR', 'sorry'))
  } else if (fault === '429') {
    response
      .writeHead(429, { ...json, 'retry-after': '1' })
      .end(body(429, 'Too Many Requests', 'TOO_MANY_REQUESTS', 'slow down'))
  } else if (fault === 'garbage') {
    response.writeHead(200, json).end('{"dstAmount": -5, "tx": 7, "tokens": []}')
  } else if (fault === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  } else if (fault === 'cut') {
    response.writeHead(200, json).end('{"dstAmount": "12')
  }
  // 'silence' leaves the connection open without an answer.
}
