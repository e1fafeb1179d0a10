import type { Handler } from '../app.ts'
import { listen, type Socket } from './listen.ts'
import type { Metrics } from './metrics.ts'

const maxConnections = 16

/**
 * Serves `/metrics` on its own port of 127.0.0.1, since behind a local proxy all clients look local. Rejects
 * when the port is taken.
 */
export function serveMetrics(
  { registry }: Metrics,
  read: () => Promise<string>,
  port: number,
): Promise<Socket> {
  const handler: Handler = async ({ url, method }) => {
    const { pathname, hostname } = new URL(url)
    // Prevents DNS rebinding.
    if (!['127.0.0.1', 'localhost'].includes(hostname)) return new Response(null, { status: 403 })
    if (pathname !== '/metrics') return new Response(null, { status: 404 })
    if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405 })
    return new Response(await read(), { headers: { 'content-type': registry.contentType } })
  }
  // All clients share an address.
  return listen(handler, { port, host: '127.0.0.1', maxConnections, isBehindProxies: true })
}
