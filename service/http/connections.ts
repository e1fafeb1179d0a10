import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CountedAs, clientNetworks } from './clients.ts'
import { createPendingConnections } from './pendingConnections.ts'
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
  /** Longest wait of a connection over its client's share. */
  pendingMs: number
}

export const connectionTimes: ConnectionTimes = {
  requestMs: 10_000,
  idleMs: 65_000,
  responseMs: 30_000,
  lingerMs: 1_000,
  pendingMs: 5_000,
}

export type ConnectionOptions = {
  max: number
  /** False if all clients come through own proxies. */
  isShared: boolean
  times: ConnectionTimes
  /** Connections over their client's share that are kept unread. */
  maxPending: number
  /** Begins to read a connection. */
  serve(socket: Socket): void
}

/** A server's connections; each has a time limit. */
export type Connections = {
  /**
   * Serves a connection, closing an idle one if full. Else it waits unread: a client that reconnects as soon
   * as it is closed would keep the service accepting.
   */
  admit(socket: Socket): void
  /**
   * Tracks a request; false if it must not be answered. Calls `onTurn` when those before it on its connection
   * are answered, and `onEnd` when it is, or when its connection has closed.
   */
  follow(incoming: IncomingMessage, outgoing: ServerResponse, steps: Steps): boolean
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
  /** Oldest first. */
  responses: Map<ServerResponse, Tracked>
}

type Steps = { onTurn(): void; onEnd(): void }

/** `begun` is the time at which the response was first seen to have begun. */
type Tracked = Steps & { begun?: number }

/** Pipelined responses are buffered. */
const maxPipelined = 16
const sweepMs = 500
/** A younger connection may not have been read yet. */
const minRestMs = 100

export function createConnections(options: ConnectionOptions): Connections {
  const { max, isShared, times, maxPending, serve } = options
  const open = new Map<Socket, Connection>()
  const places = createFairSemaphore(max)
  const pending = createPendingConnections(maxPending, times.pendingMs)

  function close({ socket, client, responses }: Connection): void {
    socket.destroy()
    if (!open.delete(socket)) return
    places.leave(client)
    for (const { onEnd } of responses.values()) onEnd()
    responses.clear()
  }

  function drop(connection: Connection): void {
    close(connection)
    admitPending(hasRoom)
  }

  function linger(connection: Connection, hasRecovered = () => false): void {
    setTimeout(() => {
      if (!hasRecovered()) drop(connection)
    }, times.lingerMs).unref()
  }

  /** Longest idle connection of `network`, or of the largest network. */
  function findResting(network: string | undefined): Connection | undefined {
    let found: Connection | undefined
    const latest = performance.now() - minRestMs
    const weight = ({ client }: Connection) => places.countOf(client.at(-1) ?? '')
    for (const one of open.values()) {
      if (one.responses.size > 0 || one.restingSince > latest) continue
      if (network !== undefined && !one.client.includes(network)) continue
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
      close(resting)
    }
    return true
  }

  function begin(socket: Socket, client: CountedAs): void {
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
    serve(socket)
  }

  function admitPending(mayBegin: (client: CountedAs) => boolean): void {
    for (let next = pending.take(mayBegin); next !== undefined; next = pending.take(mayBegin)) {
      begin(next.socket, next.client)
    }
  }

  function isOverdue({ responses, hasAnswered, restingSince }: Connection, now: number): boolean {
    if (responses.size === 0) {
      const patienceMs = hasAnswered ? times.idleMs + times.requestMs : times.requestMs
      return now - restingSince > patienceMs + 2 * times.lingerMs
    }
    return [...responses].some(([outgoing, response]) => {
      if (outgoing.headersSent) response.begun ??= now
      return response.begun !== undefined && now - response.begun > times.responseMs
    })
  }

  const sweeping = setInterval(() => {
    const now = performance.now()
    for (const connection of open.values()) if (isOverdue(connection, now)) drop(connection)
    admitPending(makeRoom)
  }, sweepMs).unref()

  return {
    admit(socket) {
      const client = clientNetworks(socket.remoteAddress ?? '', undefined, 0)
      if (makeRoom(client)) begin(socket, client)
      else pending.hold(socket, client)
    },

    follow(incoming, outgoing, steps) {
      const connection = open.get(incoming.socket)
      if (connection === undefined) return false
      const { responses, socket } = connection
      if (responses.size === maxPipelined) {
        drop(connection)
        return false
      }
      connection.last = incoming
      responses.set(outgoing, { ...steps })
      outgoing.once('close', () => {
        if (responses.delete(outgoing)) steps.onEnd()
        const [next] = responses.values()
        if (outgoing.shouldKeepAlive && !socket.destroyed) next?.onTurn()
        connection.hasAnswered = true
        connection.restingSince = performance.now()
        if (!incoming.complete) linger(connection, () => incoming.complete)
      })
      if (responses.size === 1) steps.onTurn()
      return true
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

    stop() {
      clearInterval(sweeping)
      pending.stop()
    },
  }
}

/** Returns three quarters of the file limit, at most 4,096. */
export function defaultMaxConnections(): number {
  return Math.max(16, Math.min(4_096, Math.floor((descriptorLimit() * 3) / 4)))
}

/** Returns how many connections beyond `max` may wait: what the file limit leaves, at most 4,096. */
export function defaultMaxPending(max: number): number {
  return Math.max(0, Math.min(4_096, descriptorLimit() - max - sparedDescriptors))
}

/** For the log, the RPC and Redis. */
export const sparedDescriptors = 64

/** Returns the soft limit of open files; 1,024 if unknown. */
export function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? 1_024 : Number(soft)
  } catch {
    return 1_024
  }
}
