import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Requests = Record<string, number>

/** A JSON-RPC proxy that counts requests by method. */
export type RpcCounter = {
  url: string
  /** Since the last call; `bytes` in both directions. */
  take(): { requests: Requests; bytes: number }
  stop(): void
}

export async function startCounter(rpcUrl: string): Promise<RpcCounter> {
  let requests: Requests = {}
  let bytes = 0
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const parsed: { method: string } | { method: string }[] = JSON.parse(String(body))
      for (const { method } of [parsed].flat()) requests[method] = (requests[method] ?? 0) + 1
      const headers = { 'content-type': 'application/json' }
      const reply = await (await fetch(rpcUrl, { method: 'POST', headers, body })).arrayBuffer()
      bytes += body.length + reply.byteLength
      response.writeHead(200, headers).end(Buffer.from(reply))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = { requests, bytes }
      requests = {}
      bytes = 0
      return taken
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
