import { type Env, Hono } from 'hono'
import { drawTokenLogo } from '../api/logo.ts'
import type { Address } from '../config.ts'
import type { Tokens } from './registry.ts'

/** Serves logos at the paths of `formatToken`, without a key, as `<img>` sends none, or the RPC. */
export function tokenLogos({ listed }: Tokens): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/tokens/:picture{0x[0-9a-fA-F]{40}\\.svg}', (context) => {
    const address = context.req.param('picture').slice(0, 42).toLowerCase() as Address
    return context.body(drawTokenLogo(address, listed.get(address)?.symbol), 200, headers)
  })
  return app
}

const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
  // Opened as a page, the SVG runs nothing.
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
