import type { Handler } from '../app.ts'
import { listen, type Socket } from './listen.ts'
import type { Metrics } from './metrics.ts'

/** Of those who read metrics; a few keep their connection. */
const maxConnections = 16

/**
 * Serves `/metrics` on 127.0.0.1 alone, on a port of its own: behind a proxy on this machine every client of the other port
 * would seem to be local. Rejects when the port is taken.
 */
export function serveMetrics(
  { registry }: Metrics,
  read: () => Promise<string>,
  port: number,
): Promise<Socket> {
  const handler: Handler = async ({ url, method }) => {
    const { pathname, hostname } = new URL(url)
    // Another name is a page's that has pointed its own at this machine (DNS rebinding).
    if (!['127.0.0.1', 'localhost'].includes(hostname)) return new Response(null, { status: 403 })
    if (pathname !== '/metrics') return new Response(null, { status: 404 })
    if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405 })
    return new Response(await read(), { headers: { 'content-type': registry.contentType } })
  }
  // All of its clients have the same address.
  return listen(handler, { port, host: '127.0.0.1', maxConnections, isBehindProxies: true })
}
