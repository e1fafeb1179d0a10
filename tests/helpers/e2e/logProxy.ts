import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

export type LogProxy = {
  url: string
  /** Requested hosts with ports. */
  hosts: Set<string>
  stop(): Promise<void>
}

/**
 * Starts an HTTP proxy for a browser. Forwards plain HTTP, and TLS of `tunnels` (host with port) to a local
 * port; records other hosts without connecting.
 */
export async function startLogProxy(tunnels: ReadonlyMap<string, number> = new Map()): Promise<LogProxy> {
  const hosts = new Set<string>()
  const sockets = new Set<Duplex>()
  const server = createServer((asked, answer) => {
    const { host } = new URL(asked.url ?? '')
    hosts.add(host)
    const { method, headers } = asked
    const onward = request(asked.url ?? '', { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  server.on('connect', ({ url = '' }, socket, head) => {
    hosts.add(url)
    socket.on('error', () => undefined)
    const port = tunnels.get(url)
    if (port === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    sockets.add(socket.on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    async stop() {
      server.closeAllConnections()
      // Unknown to the server after CONNECT.
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Hosts Chromium contacts by itself, for updates and sign-in. */
export const isBrowsersOwn = /(^|\.)(google|googleapis|gvt1)\.com(:443)?$/
