import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ServiceError } from './errors.ts'
import type { Service } from './service.ts'
import { v6 } from './v6.ts'

export type HandlerOptions = {
  /** When given, a request needs `Authorization: Bearer` and one of these. */
  keys?: ReadonlySet<string>
  /** Told of every failure that is not the asker's, who sees nothing of it but the request id. */
  report?: (error: unknown, during: string) => void
}

/** The service as a function from Request to Response: versions of the interface side by side, one shape of errors. */
export function createHandler(
  service: Service,
  { keys, report }: HandlerOptions = {},
): (request: Request) => Response | Promise<Response> {
  const app = new Hono<Env>()

  app.use(async (context, next) => {
    context.set('requestId', context.req.header('request-id') || crypto.randomUUID())
    const { method } = context.req
    if (method !== 'GET' && method !== 'HEAD') {
      context.header('allow', 'GET, HEAD')
      throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not allowed, only GET is`)
    }
    await next()
  })
  app.get('/health', (context) => context.json({ status: 'ok' }))
  app.use(async (context, next) => {
    if (keys !== undefined && !keys.has(bearer(context))) {
      throw new ServiceError('FORBIDDEN', 'this service asks for a key')
    }
    await next()
  })
  app.get('/ready', (context) => {
    const block = service.engine().block()
    return context.json({ status: 'ok', block: Number(block?.number) })
  })
  app.route(`/v6.1/${service.config.chainId}`, v6(service))

  app.notFound((context) => answer(context, notFound(context, service.config.chainId)))
  app.onError((error, context) => {
    if (error instanceof ServiceError) return answer(context, error)
    report?.(error, `request ${context.get('requestId')}`)
    return answer(context, new ServiceError('INTERNAL_SERVER_ERROR', 'internal error'))
  })
  return (request) => app.fetch(request)
}

type Env = { Variables: { requestId: string } }

function bearer(context: Context): string {
  return /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
}

function notFound(context: Context, chainId: number): ServiceError {
  const [, version, chain = ''] = context.req.path.split('/')
  const isOtherChain = version === 'v6.1' && chain !== '' && chain !== String(chainId)
  const text = isOtherChain ? `chain not found: this service serves ${chainId}` : 'path not found'
  return new ServiceError('NOT_FOUND', text)
}

const names: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The one error body (service-interface, Errors). */
function answer(context: Context<Env>, { statusCode, description, code, meta }: ServiceError): Response {
  const error = names[statusCode] ?? 'Error'
  const requestId = context.get('requestId')
  const status = statusCode as ContentfulStatusCode
  return context.json({ error, description, statusCode, code, requestId, meta }, status)
}
