import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCertificate } from './certificate.ts'
import { startLogProxy } from './logProxy.ts'

export type PublicRpc = {
  /** Chromium's command line: the hosts answer, and no other one is reached. */
  args: string[]
  /** JSON-RPC requests to the hosts, in order. */
  requests: { host: string; method: string }[]
  /** Hosts with ports that the browser asked for, answered or not. */
  hosts: Set<string>
  /** From now on a host is unreachable. */
  takeDown(host: string): void
  stop(): Promise<void>
}

/**
 * Serves public HTTPS hosts from local RPCs, given by host name. Chromium reaches them through a proxy that
 * records all its traffic, loopback included, and trusts their certificate alone.
 */
export async function startPublicRpc(rpcUrls: Record<string, string>): Promise<PublicRpc> {
  const { key, cert, keyHash } = createCertificate(Object.keys(rpcUrls))
  const requests: PublicRpc['requests'] = []
  const down = new Set<string>()
  const server = createServer({ key, cert }, async (request, response) => {
    const host = request.headers.host ?? ''
    const rpcUrl = rpcUrls[host]
    if (rpcUrl === undefined) return response.writeHead(421).end()
    // A connection that was being made is not among those closed.
    if (down.has(host)) return void response.destroy()
    try {
      let body = ''
      for await (const chunk of request) body += chunk
      for (const { method } of [JSON.parse(body)].flat()) requests.push({ host, method })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
      response.writeHead(answer.status, headers).end(await answer.text())
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const tunnels = new Map(Object.keys(rpcUrls).map((host) => [`${host}:443`, port]))
  const proxy = await startLogProxy(tunnels)
  return {
    args: [
      `--proxy-server=${proxy.url}`,
      '--proxy-bypass-list=<-loopback>',
      `--ignore-certificate-errors-spki-list=${keyHash}`,
    ],
    requests,
    hosts: proxy.hosts,
    takeDown(host) {
      down.add(host)
      tunnels.delete(`${host}:443`)
      server.closeAllConnections()
    },
    async stop() {
      await proxy.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Copies a built extension that may reach `hosts` from the start, for headless browsers, which cannot answer
 * the permission prompt. Other hosts stay forbidden.
 */
export function copyWithHosts(extension: string, hosts: string[], folder: string): string {
  cpSync(extension, folder, { recursive: true })
  const file = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  manifest.host_permissions.push(...hosts.map((host) => `https://${host}/*`))
  writeFileSync(file, JSON.stringify(manifest))
  return folder
}
