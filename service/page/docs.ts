import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { ChainConfig } from '../config.ts'
import { describeInterface } from '../interface/openapi.ts'
import { renderPage } from './page.ts'
import { style } from './style.ts'

/** The interface's own description: `/openapi.json` for programs, `/docs` for people. Neither needs a key, or the node. */
export function docs(config: ChainConfig): Hono {
  const document = describeInterface(config)
  const app = new Hono()
  const headers = { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }
  app.get('/openapi.json', (context) => context.json(document, 200, headers))
  app.get('/docs', (context) => {
    const page = renderPage(document, new URL(context.req.url).origin)
    return context.html(page, 200, {
      ...headers,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    })
  })
  return app
}

/** The page is text and its own style; nothing else may load, run, frame it or be sent from it. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
