import { cors } from 'hono/cors'

const exposed = ['request-id', 'retry-after', 'x-route-bound']

/**
 * Lets pages of any origin read answers and errors (Fetch Standard, CORS protocol). Mount it before
 * middleware that may reject: preflights carry no key.
 */
export const allowAnyOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD'],
  // Some HTTP libraries send `content-type` with every request.
  allowHeaders: ['authorization', 'request-id', 'content-type'],
  exposeHeaders: exposed,
  maxAge: 300,
})

/** The same as headers of an answer outside the handler. */
export const readableByPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(','),
}
