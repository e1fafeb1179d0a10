import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { type ServiceCode, ServiceError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { cacheKey, type Reply, type Scheduler } from '../http/scheduler/requestScheduler.ts'
import type { Service } from '../service.ts'
import { createRouterCheck } from '../swap/routerCode.ts'
import type { Operation } from './operation.ts'

type Answering<Query extends z.ZodObject, Answer> = (
  query: z.output<Query>,
  context: Context<Env>,
  /** URL of version and chain, without a trailing slash. */
  base: string,
) => Answer | Promise<Answer>

/**
 * Creates the router of a version. URLs in responses start with `publicUrl`, else with the request's origin.
 */
export function createVersionRouter(service: Service, work: Scheduler, label: string, publicUrl?: string) {
  const app = new Hono<Env>()
  app.use(async (_context, next) => {
    service.engine()
    await next()
  })
  const baseOf = ({ req }: Context<Env>) =>
    `${publicUrl ?? new URL(req.url).origin}/${label}/${service.config.chainId}`
  const requireRouter = createRouterCheck(service.config, service.node)

  function mount<Query extends z.ZodObject, Answer extends z.ZodType>(
    { path, query, maxAge }: Operation<Query, Answer>,
    answer: Answering<Query, Reply<z.input<Answer>>>,
  ): void {
    const needsRouter = path === '/swap' || path.startsWith('/approve/')
    app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const asked = parseQuery(query, context.req.url)
      if (needsRouter) await requireRouter()
      const { body, headers = {} } = await answer(asked, context, baseOf(context))
      if (maxAge !== undefined) {
        context.header('cache-control', `public, max-age=${maxAge}, s-maxage=${maxAge}`)
      }
      return context.json(body as object, 200, headers)
    })
  }

  function on<Query extends z.ZodObject, Answer extends z.ZodType>(
    operation: Operation<Query, Answer>,
    answer: Answering<Query, z.input<Answer>>,
  ): void {
    mount(operation, async (query, context, base) => ({ body: await answer(query, context, base) }))
  }

  /** Cached per block. */
  function onceABlock<Query extends z.ZodObject, Answer extends z.ZodType>(
    operation: Operation<Query, Answer>,
    answer: Answering<Query, Reply<z.input<Answer>>>,
  ): void {
    mount(operation, (query, context, base) =>
      work.quote(cacheKey(base + context.req.path, query), context.var, async () =>
        answer(query, context, base),
      ),
    )
  }

  /** Single-flight. */
  function onceAtATime<Query extends z.ZodObject, Answer extends z.ZodType>(
    operation: Operation<Query, Answer>,
    answer: Answering<Query, z.input<Answer>>,
  ): void {
    mount(operation, (query, context, base) =>
      work.swap(cacheKey(base + context.req.path, query), context.var, async () => ({
        body: await answer(query, context, base),
      })),
    )
  }

  return { app, on, onceABlock, onceAtATime }
}

/**
 * Parses a query, ignoring unknown keys and empty optional values. Throws the first ServiceError: missing
 * fields, then malformed numbers, then others.
 */
export function parseQuery<Shape extends z.ZodObject>(shape: Shape, url: string): z.output<Shape> {
  const query = new URL(url).searchParams
  const given: Record<string, string | string[]> = {}
  for (const [name, schema] of Object.entries<z.core.$ZodType>(shape.shape)) {
    const [value, ...others] = query.getAll(name)
    if (value === undefined) continue
    if (others.length > 0) given[name] = [value, ...others]
    // An approval without an amount is unlimited.
    else if (value !== '' || name === 'amount' || schema._zod.optin === undefined) given[name] = value
  }
  const result = shape.safeParse(given)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => toFault(issue, given))
  throw faults.reduce((first, fault) => (stage(fault.code) < stage(first.code) ? fault : first))
}

function toFault(issue: z.core.$ZodIssue, given: Record<string, string | string[]>): ServiceError {
  const name = String(issue.path[0])
  if (!Object.hasOwn(given, name)) return missingField(name)
  if (Array.isArray(given[name])) return new ServiceError('VALIDATION_FAILED', `${name} is given twice`)
  const code = issue.code === 'custom' ? (issue.params?.code as ServiceCode | undefined) : undefined
  // An empty number is malformed instead.
  if (given[name] === '' && code !== 'INVALID_NUMBER') return missingField(name)
  return new ServiceError(code ?? 'VALIDATION_FAILED', `${name} ${issue.message}`)
}

function missingField(name: string): ServiceError {
  return new ServiceError('REQUIRED_FIELD_MISSING', `${name} is not set`)
}

function stage(code: ServiceCode): number {
  const early: ServiceCode[] = ['REQUIRED_FIELD_MISSING', 'INVALID_NUMBER']
  return early.includes(code) ? early.indexOf(code) : early.length
}
