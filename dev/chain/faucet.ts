import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from '../../service/config.ts'

export type Faucet = { url: string; stop(): Promise<void> }

type Give = (address: Address) => Promise<void>

/**
 * Serves `POST /{address}`, answered with `{"funded":"0x…"}` or `{"error":"…"}`. Throws when the port is
 * taken.
 */
export async function startFaucet(give: Give, port: number): Promise<Faucet> {
  const server = createServer((request, response) => {
    answer(request, give).then(
      ({ status, body }) => reply(response, status, body),
      (error: unknown) => reply(response, 500, { error: `The faucet could not give. ${sentence(error)}` }),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  { method, url }: IncomingMessage,
  give: Give,
): Promise<{ status: number; body?: object }> {
  if (method === 'OPTIONS') return { status: 204 }
  if (method !== 'POST') return { status: 405, body: { error: 'Ask the faucet with POST /{address}.' } }
  const address = (url ?? '').slice(1).toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(address)) {
    return { status: 400, body: { error: 'The path is not an address: 0x and 40 hex digits.' } }
  }
  await give(address as Address)
  return { status: 200, body: { funded: address } }
}

function reply(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': '*',
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  })
  response.end(body && JSON.stringify(body))
}

function sentence(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
