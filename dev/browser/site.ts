import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { build } from 'vite'

export type Site = { url: string; stop(): Promise<void> }

export type SiteOptions = {
  port?: number
  /** By path, served before the folder. */
  files?: Record<string, { type: string; body: string; headers?: Record<string, string> }>
}

export async function buildSite(root: string, folder: string): Promise<void> {
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
  })
}

export async function serveSite(folder: string, { port = 0, files = {} }: SiteOptions = {}): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const made = files[path]
    if (made !== undefined) {
      response.writeHead(200, { 'content-type': made.type, ...made.headers }).end(made.body)
      return
    }
    const file = fileAt(folder, path)
    if (file === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.')
      return
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fileAt(folder: string, path: string): string | undefined {
  const file = join(folder, normalize(decodeURIComponent(path)))
  if (!file.startsWith(folder)) return undefined
  const found = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file
  return existsSync(found) ? found : undefined
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
}
