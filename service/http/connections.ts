import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CountedAs, clientNetworks } from './clients.ts'
import { createFairSemaphore } from './fairQueue.ts'

/** Bounds of a connection's phases, in milliseconds. */
export type ConnectionTimes = {
  /** From its opening, or the first byte of a later request, to the end of that request. */
  requestMs: number
  /** Without a request after a response. Longer than the minute for which proxies keep their connections. */
  idleMs: number
  /** From a response's first byte until the client has taken it all. */
  responseMs: number
  /**
   * Between our closing of one half and the destruction of the whole, for the client to read what was sent.
   */
  lingerMs: number
}

export const connectionTimes: ConnectionTimes = {
  requestMs: 10_000,
  idleMs: 65_000,
  responseMs: 30_000,
  lingerMs: 1_000,
}

export type ConnectionOptions = {
  /** The most connections at a time. */
  max: number
  /**
   * Whether an address and its wider networks are kept to a share of them; not where all come from proxies of
   * our own.
   */
  isShared: boolean
  times: ConnectionTimes
}

/**
 * The open connections of a server, each of which is destroyed within a bound, whatever the other side does.
 */
export type Connections = {
  /**
   * Takes a new connection in, closing an idle one for it where there is no place. Destroys the new one where
   * none is idle.
   */
  admit(socket: Socket): void
  /** Follows a request until its response has ended. Returns whether it is to be answered at all. */
  follow(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /**
   * Answers what never became a request with `text`, unless a response is under way, and destroys the
   * connection.
   */
  refuse(socket: Socket, text: string): void
  stop(): void
}

type Connection = {
  socket: Socket
  client: CountedAs
  hasAnswered: boolean
  /** When it was opened, or its last response ended. */
  restingSince: number
  /** The request that came last. */
  last?: IncomingMessage
  /** Responses under way, oldest first, and when each was first seen to have begun. */
  responses: Map<ServerResponse, number | undefined>
}

/** Requests that may be sent ahead of their responses, which are kept in memory meanwhile. */
const maxPipelined = 16
const sweepMs = 500

export function createConnections({ max, isShared, times }: ConnectionOptions): Connections {
  // In the order of their opening.
  const open = new Map<Socket, Connection>()
  const places = createFairSemaphore(max)

  function drop({ socket, client }: Connection): void {
    if (open.delete(socket)) places.leave(client)
    socket.destroy()
  }

  /** Destroys a connection unless it has recovered after the time for the client to read what was sent. */
  function linger(connection: Connection, hasRecovered = () => false): void {
    setTimeout(() => {
      if (!hasRecovered()) drop(connection)
    }, times.lingerMs).unref()
  }

  /**
   * The connection without a request that rests for longest: of `network`, or of the network that has most of
   * them.
   */
  function findResting(network: string | undefined): Connection | undefined {
    let found: Connection | undefined
    const weight = ({ client }: Connection) => places.countOf(client.at(-1) ?? '')
    for (const one of open.values()) {
      if (one.responses.size > 0 || (network !== undefined && !one.client.includes(network))) continue
      const lead = found === undefined ? 1 : weight(one) - weight(found)
      if (found === undefined || lead > 0 || (lead === 0 && one.restingSince < found.restingSince))
        found = one
    }
    return found
  }

  function hasRoom(client: CountedAs): boolean {
    return isShared ? places.isFree(client) : places.taken() < max
  }

  function makeRoom(client: CountedAs): boolean {
    while (!hasRoom(client)) {
      const resting = findResting(isShared ? places.exhausted(client) : undefined)
      if (resting === undefined) return false
      drop(resting)
    }
    return true
  }

  function isOverdue({ responses, hasAnswered, restingSince }: Connection, now: number): boolean {
    if (responses.size === 0) {
      const patienceMs = hasAnswered ? times.idleMs + times.requestMs : times.requestMs
      return now - restingSince > patienceMs + 2 * times.lingerMs
    }
    return [...responses].some(([outgoing, begun]) => {
      if (begun === undefined && outgoing.headersSent) responses.set(outgoing, now)
      return begun !== undefined && now - begun > times.responseMs
    })
  }

  const sweeping = setInterval(() => {
    const now = performance.now()
    for (const connection of open.values()) if (isOverdue(connection, now)) drop(connection)
  }, sweepMs).unref()

  return {
    admit(socket) {
      const client = clientNetworks(socket.remoteAddress ?? '', undefined, 0)
      if (!makeRoom(client)) return void socket.destroy()
      const connection: Connection = {
        socket,
        client,
        hasAnswered: false,
        restingSince: performance.now(),
        responses: new Map(),
      }
      open.set(socket, connection)
      places.take(client)
      socket.once('close', () => drop(connection))
    },

    follow(incoming, outgoing) {
      const connection = open.get(incoming.socket)
      if (connection === undefined) return false
      connection.last = incoming
      connection.responses.set(outgoing, undefined)
      outgoing.once('close', () => {
        connection.responses.delete(outgoing)
        connection.hasAnswered = true
        connection.restingSince = performance.now()
        if (!incoming.complete) linger(connection, () => incoming.complete)
      })
      if (connection.responses.size <= maxPipelined) return true
      drop(connection)
      return false
    },

    refuse(socket, text) {
      const connection = open.get(socket)
      if (connection === undefined) return void socket.destroy()
      // A request whose response was sent before its body came needs no second one.
      const isAnswered = connection.last !== undefined && !connection.last.complete
      if (!socket.writable || connection.responses.size > 0 || isAnswered) return drop(connection)
      socket.end(text)
      linger(connection)
    },

    stop: () => clearInterval(sweeping),
  }
}

/** Most connections of a process: three quarters of the files that it may open, and 4,096 at most. */
export function defaultMaxConnections(): number {
  return Math.max(16, Math.min(4_096, Math.floor((descriptorLimit() * 3) / 4)))
}

/** The soft limit of open files. Where it cannot be read it is taken to be 1,024. */
export function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? 1_024 : Number(soft)
  } catch {
    return 1_024
  }
}
