import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export type Bytes = { raw: number; gzip: number }

/** Code loaded at start, without lazy chunks. */
export type Bundles = {
  popupScript: Bytes
  popupStyle: Bytes
  worker: Bytes
  /** Injected into web pages: provider, relay, both. */
  page: Bytes
  relay: Bytes
  pages: Bytes
  unpacked: number
}

/** Measures a build; throws when there is none. */
export function measureBundles(folder: string): Bundles {
  const html = readFileSync(join(folder, 'popup.html'), 'utf8')
  const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path = '']) => path)
  const styles = [...html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  return {
    popupScript: sum(folder, reachable(folder, scripts)),
    popupStyle: sum(folder, styles),
    worker: sum(folder, ['background.js']),
    page: sum(folder, ['content-scripts/page.js']),
    relay: sum(folder, ['content-scripts/relay.js']),
    pages: sum(folder, contentScripts(folder)),
    unpacked: filesOf(folder).reduce((total, file) => total + statSync(join(folder, file)).size, 0),
  }
}

function contentScripts(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    content_scripts?: { js?: string[] }[]
  }
  return (manifest.content_scripts ?? []).flatMap(({ js = [] }) => js)
}

/** Follows static imports. */
function reachable(folder: string, scripts: string[]): string[] {
  const seen = new Set<string>()
  const queue = scripts.map((path) => path.replace(/^\//, ''))
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const text = readFileSync(join(folder, file), 'utf8')
    const imports = text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g)
    for (const [, path = ''] of imports) queue.push(join(dirname(file), path))
  }
  return [...seen]
}

function sum(folder: string, files: string[]): Bytes {
  const contents = files.map((file) => readFileSync(join(folder, file)))
  return {
    raw: contents.reduce((total, content) => total + content.length, 0),
    gzip: contents.reduce((total, content) => total + gzipSync(content).length, 0),
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
}
