import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket as TcpSocket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Handler } from '../app.ts'
import { ServiceError } from '../errors.ts'
import { type Admission, createAdmission } from './admission.ts'
import { createClientOf } from './clients.ts'
import {
  type ConnectionTimes,
  connectionTimes,
  createConnections,
  defaultMaxConnections,
  defaultMaxPending,
} from './connections.ts'
import { errorBody } from './errorBody.ts'

export type Socket = {
  port: number
  /** Rejects new requests, waits up to `graceMs`, then closes all connections. */
  stop(): Promise<void>
}

export type SocketOptions = {
  /** 0 chooses a free port. */
  port: number
  host: string
  graceMs?: number
  /** By default from the limit of open files. */
  maxConnections?: number
  /** True if all clients come through own proxies. */
  isBehindProxies?: boolean
  times?: ConnectionTimes
  /** By default by address. */
  admission?: Admission
}

/** Serves `handler`. Rejects when the port is taken or the host is not local. */
export async function listen(
  handler: Handler,
  {
    port,
    host,
    graceMs = 10_000,
    maxConnections = defaultMaxConnections(),
    isBehindProxies = false,
    times = connectionTimes,
    admission = createAdmission({ clientOf: createClientOf(undefined, 0) }),
  }: SocketOptions,
): Promise<Socket> {
  const maxPending = defaultMaxPending(maxConnections)
  const connections = createConnections({
    ...{ max: maxConnections, maxPending, isShared: !isBehindProxies, times },
    serve: (socket) => read(socket),
  })
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
  const server = createServer(toServerOptions(times), (incoming, outgoing) => {
    let leave = () => {}
    const isTracked = connections.follow(incoming, outgoing, {
      onTurn() {
        outgoing.shouldKeepAlive &&= !isClosing
        leave = admission.enter(incoming, outgoing, () => listener(incoming, outgoing))
      },
      onEnd() {
        leave()
        running.delete(outgoing)
        if (running.size === 0) onIdle()
      },
    })
    if (isTracked) running.add(outgoing)
  })
  const read = deferReading(server, (socket) => {
    admission.accepted()
    connections.admit(socket)
  })
  // A backstop above the limit of `connections`.
  server.maxConnections = maxConnections + maxPending + 32
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else connections.refuse(socket as TcpSocket, rawAnswer(toRefusal(error.code)))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog }, resolve)
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
      connections.stop()
    },
  }
}

/** Of a burst of connections none is to be dropped: a client tries again after a second. */
const backlog = 4_096

/** Passes connections to `admit` unread; returns the function that lets the server read one. */
function deferReading(server: Server, admit: (socket: TcpSocket) => void): (socket: TcpSocket) => void {
  const [read] = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', admit)
  // An option of net.Server that http.Server does not pass on.
  Object.assign(server, { pauseOnConnect: true })
  return (socket) => {
    read?.call(server, socket)
    socket.resume()
  }
}

function toServerOptions({ requestMs, idleMs }: ConnectionTimes) {
  return {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    keepAliveTimeout: idleMs,
    // The listener rejects these requests, with an error body.
    requireHostHeader: false,
  }
}

function unreadable(): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'the request cannot be read')
}

function toRefusal(code: string | undefined): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('REQUEST_TOO_LARGE', 'the request’s line and headers are too long')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('VALIDATION_FAILED', 'the request was not finished in time')
  }
  return unreadable()
}

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
