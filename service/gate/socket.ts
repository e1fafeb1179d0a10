import { createServer, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ServiceError } from '../errors.ts'
import type { Handler } from '../handler.ts'
import { errorBody } from './errorBody.ts'

export type Socket = {
  port: number
  /** Lets running requests finish, while others are refused, and then closes, whoever would keep a connection open. */
  stop(): Promise<void>
}

export type SocketOptions = {
  /** 0 takes a free one. */
  port: number
  host: string
  /** How long running requests may take to finish once the service is stopped. */
  graceMs?: number
}

/** Gives `handler` a socket. Rejects when the port is taken or the host is not this machine's. */
export async function listen(
  handler: Handler,
  { port, host, graceMs = 10_000 }: SocketOptions,
): Promise<Socket> {
  const running = new Set<ServerResponse>()
  let isClosing = false
  let onIdle = () => {}

  const listener = getRequestListener(
    (request, { incoming }) => {
      return handler(request, { remoteAddress: incoming.socket?.remoteAddress, isClosing })
    },
    {
      overrideGlobalObjects: false,
      errorHandler: () => Response.json(errorBody(unreadable(), crypto.randomUUID()), { status: 400 }),
    },
  )
  const server = createServer(serverOptions, (incoming, outgoing) => {
    running.add(outgoing)
    outgoing.shouldKeepAlive &&= !isClosing
    outgoing.once('close', () => {
      running.delete(outgoing)
      if (running.size === 0) onIdle()
    })
    listener(incoming, outgoing)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = [...running].some((response) => response.socket === socket)
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy()
    else socket.end(rawAnswer(error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge() : unreadable()))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      isClosing = true
      for (const response of running) response.shouldKeepAlive = false
      await new Promise<void>((resolve) => {
        onIdle = resolve
        if (running.size === 0) resolve()
        else setTimeout(resolve, graceMs).unref()
      })
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const serverOptions = {
  // A question has no body and few headers.
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  // Longer than the minute for which proxies keep their connections.
  keepAliveTimeout: 65_000,
  // A request without is refused by ourselves, with a body.
  requireHostHeader: false,
}

function unreadable(): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'the request cannot be read')
}

function tooLarge(): ServiceError {
  return new ServiceError('REQUEST_TOO_LARGE', 'the request’s line and headers are too long')
}

/** An answer to what never became a request. */
function rawAnswer(error: ServiceError): string {
  const body = JSON.stringify(errorBody(error, crypto.randomUUID()))
  const head = [
    `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
