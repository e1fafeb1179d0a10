import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpServer, startHttpServer } from '../httpServer.ts'

/** `query` keeps the last value of a name; header names are lower case. */
export type Asked = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}

export type Fault = (response: ServerResponse) => void

export type FaultServer = HttpServer & {
  asked: Asked[]
  /** Sets the responses, the last one repeating, and clears `asked`. */
  script(...answers: Fault[]): void
}

export async function startFaultServer(): Promise<FaultServer> {
  const asked: Asked[] = []
  let answers: Fault[] = []
  const server = await startHttpServer((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const { method = '', headers } = request
    asked.push({ method, path: pathname, query: Object.fromEntries(searchParams), headers, body })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(response)
  })
  return {
    ...server,
    asked,
    script(...next) {
      answers = next
      asked.length = 0
    },
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Fault {
  return text(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers })
}

export function text(body: string, status = 200, headers: Record<string, string> = {}): Fault {
  return (response) => response.writeHead(status, headers).end(body)
}

export const html = (status: number) =>
  text('<!doctype html><title>Bad gateway</title>', status, { 'content-type': 'text/html' })

export const silent: Fault = () => undefined

export const hangUp: Fault = (response) => response.destroy()

export const stalled: Fault = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"dstAmount": "1')
}

export const cutOff: Fault = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"dstAmount": "1', () => response.destroy())
}

/** Valid JSON, but too long. */
export function padded(body: unknown, bytes: number): Fault {
  return text(' '.repeat(bytes) + JSON.stringify(body))
}

export function refusal(status: number, code: string, description: string, meta: unknown = null) {
  const error = { 400: 'Bad Request', 403: 'Forbidden' }[status] ?? 'Internal Server Error'
  return { error, description, statusCode: status, code, requestId: 'r-1', meta }
}
