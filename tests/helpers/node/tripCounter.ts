import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpServer, startHttpServer } from '../httpServer.ts'

export type TripCounter = HttpServer & {
  /** Since the last call; `trips` is the most of them of which each began after the one before had ended. */
  take(): { requests: number; trips: number }
}

/** Starts an HTTP proxy before an RPC that delays each answer by `delayMs`. */
export async function startTripCounter(rpcUrl: string, delayMs = 0): Promise<TripCounter> {
  let requests = 0
  let ended = 0
  let trips = 0
  const server = await startHttpServer(async (_request, response, body) => {
    requests++
    const trip = ended + 1
    trips = Math.max(trips, trip)
    const headers = { 'content-type': 'application/json' }
    const [reply] = await Promise.all([fetch(rpcUrl, { method: 'POST', headers, body }), sleep(delayMs)])
    const text = await reply.text()
    ended = Math.max(ended, trip)
    response.writeHead(200, headers).end(text)
  })
  return {
    ...server,
    take() {
      const taken = { requests, trips }
      requests = 0
      ended = 0
      trips = 0
      return taken
    },
  }
}
