import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Hono, type MiddlewareHandler } from 'hono'
import { html, raw } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import type { ChainConfig } from '../config.ts'
import { describeInterface } from './openapi.ts'

/** Serves `/openapi.json`, and `/docs` by RapiDoc. Both are cacheable, and need neither a key nor the RPC. */
export function createDocsRouter(config: ChainConfig, publicUrl?: string): Hono {
  const document = describeInterface(config, publicUrl)
  const json = JSON.stringify(document)
  const page = renderPage(document.info.title)
  const app = new Hono()
  app.get('/openapi.json', cacheable, (context) =>
    context.body(json, 200, { 'content-type': 'application/json' }),
  )
  app.get('/docs', cacheable, pageHeaders, (context) => context.html(page))
  app.get(scriptPath, cacheable, serveScript)
  return app
}

const cacheable: MiddlewareHandler = async (context, next) => {
  context.header('cache-control', 'public, max-age=300')
  context.header('x-content-type-options', 'nosniff')
  await next()
}

const scriptPath = '/docs/rapidoc-min.js'
const rapidoc = new URL(import.meta.resolve('rapidoc/dist/rapidoc-min.js.gz'))

type Script = { compressed: Uint8Array<ArrayBuffer>; plain: Uint8Array<ArrayBuffer> }

let script: Promise<Script> | undefined

/** Reads it once: to unpack it takes some milliseconds. */
function loadScript(): Promise<Script> {
  script ??= readCompressed(rapidoc).then(
    (compressed) => ({
      compressed: new Uint8Array(compressed),
      plain: new Uint8Array(gunzipSync(compressed)),
    }),
    (error: unknown) => {
      script = undefined
      throw error
    },
  )
  return script
}

const serveScript: MiddlewareHandler = async (context) => {
  const { compressed, plain } = await loadScript()
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(context.req.header('accept-encoding') ?? '')
  const body = takesGzip ? compressed : plain
  return context.body(body, 200, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(body.length),
    vary: 'Accept-Encoding',
    ...(takesGzip ? { 'content-encoding': 'gzip' } : {}),
  })
}

/** A service of one file has it in a data URL, which `readFile` does not take. */
async function readCompressed(file: URL): Promise<Buffer> {
  if (file.protocol === 'file:') return readFile(file)
  return Buffer.from(await (await fetch(file)).arrayBuffer())
}

const chooseTheme = `document.querySelector('rapi-doc').setAttribute(
  'theme',
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
)`

function renderPage(title: string) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<script type="module" src="${scriptPath}"></script>
</head>
<body style="margin: 0">
<rapi-doc
  spec-url="/openapi.json"
  load-fonts="false"
  regular-font="system-ui, sans-serif"
  mono-font="ui-monospace, monospace"
  primary-color="#0b7285"
  render-style="read"
  schema-style="table"
  show-header="false"
  allow-server-selection="false"
  use-path-in-nav-bar="true"
><p slot="overview"><a href="/openapi.json">OpenAPI document</a></p></rapi-doc>
<script type="module">${raw(chooseTheme)}</script>
</body>
</html>
`
}

/** RapiDoc's light and dark themes in the colours above; a test has Chromium apply them. */
const themes = [
  "'sha256-YPESJ0vSgUd6P2cXGqUQCY0HhVMSdRwnIZSk3Dx2r6s='",
  "'sha256-xvE0XqD+AHrlkbyacQrULbEH8UxbUxH+voH7wnOsQ34='",
]

const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", hashOf(chooseTheme)],
    styleSrc: themes,
    // RapiDoc's templates have style attributes.
    styleSrcAttr: ["'unsafe-inline'"],
    connectSrc: ["'self'"],
    imgSrc: ['data:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // Up to the proxy that ends TLS.
  strictTransportSecurity: false,
})

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
