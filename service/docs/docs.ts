import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { describeInterface } from '../api/openapi.ts'
import type { ChainConfig } from '../config.ts'
import { renderPage } from './page.ts'
import { style } from './style.ts'

/** Serves `/openapi.json` and `/docs`. Both are cacheable, and need neither a key nor the RPC. */
export function docs(config: ChainConfig, publicUrl?: string): Hono {
  const document = describeInterface(config, publicUrl)
  const page = renderPage(document, publicUrl)
  const json = JSON.stringify(document)
  const app = new Hono()
  const headers = { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }
  app.get('/openapi.json', (context) =>
    context.body(json, 200, { ...headers, 'content-type': 'application/json' }),
  )
  app.get('/docs', (context) => {
    return context.html(page, 200, {
      ...headers,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    })
  })
  return app
}

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
