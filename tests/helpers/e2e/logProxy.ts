import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LogProxy = {
  url: string
  /** Requested hosts with ports. */
  hosts: Set<string>
  stop(): Promise<void>
}

/** Starts an HTTP proxy for a browser. Forwards plain HTTP; records other hosts without connecting. */
export async function startLogProxy(): Promise<LogProxy> {
  const hosts = new Set<string>()
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
  server.on('connect', ({ url = '' }, socket) => {
    hosts.add(url)
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
