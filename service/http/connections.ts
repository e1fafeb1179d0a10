import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CountedAs, clientNetworks } from './clients.ts'
import { createFairSemaphore } from './scheduler/fairQueue.ts'

export type ConnectionTimes = {
  /** From opening, or a later request's first byte, to its end. */
  requestMs: number
  /** Above the 60 s for which proxies keep connections. */
  idleMs: number
  /** From a response's first byte until it is sent. */
  responseMs: number
  /** Time for the client to read after our half is closed. */
  lingerMs: number
}

export const connectionTimes: ConnectionTimes = {
  requestMs: 10_000,
  idleMs: 65_000,
  responseMs: 30_000,
  lingerMs: 1_000,
}

export type ConnectionOptions = {
  max: number
  /** False if all clients come through own proxies. */
  isShared: boolean
  times: ConnectionTimes
}

/** A server's connections; each has a time limit. */
export type Connections = {
  /** Accepts a connection, closing an idle one if full, else the new one. */
  admit(socket: Socket): void
  /** Tracks a request; false if it must not be answered. */
  follow(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Sends `text` for an unparsable request and closes the connection. */
  refuse(socket: Socket, text: string): void
  stop(): void
}

type Connection = {
  socket: Socket
  client: CountedAs
  hasAnswered: boolean
  restingSince: number
  last?: IncomingMessage
  /** Oldest first, with the time each was first seen to have begun. */
  responses: Map<ServerResponse, number | undefined>
}

/** Pipelined responses are buffered. */
const maxPipelined = 16
const sweepMs = 500

export function createConnections({ max, isShared, times }: ConnectionOptions): Connections {
  const open = new Map<Socket, Connection>()
  const places = createFairSemaphore(max)

  function drop({ socket, client }: Connection): void {
    if (open.delete(socket)) places.leave(client)
    socket.destroy()
  }

  function linger(connection: Connection, hasRecovered = () => false): void {
    setTimeout(() => {
      if (!hasRecovered()) drop(connection)
    }, times.lingerMs).unref()
  }

  /** Longest idle connection of `network`, or of the largest network. */
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
      // Already answered before its body ended.
      const isAnswered = connection.last !== undefined && !connection.last.complete
      if (!socket.writable || connection.responses.size > 0 || isAnswered) return drop(connection)
      socket.end(text)
      linger(connection)
    },

    stop: () => clearInterval(sweeping),
  }
}

/** Returns three quarters of the file limit, at most 4,096. */
export function defaultMaxConnections(): number {
  return Math.max(16, Math.min(4_096, Math.floor((descriptorLimit() * 3) / 4)))
}

/** Returns the soft limit of open files; 1,024 if unknown. */
export function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? 1_024 : Number(soft)
  } catch {
    return 1_024
  }
}
