import { z } from 'zod'
import { httpStatus, type ServiceCode } from '../errors.ts'
import { errorResponses } from './errorResponses.ts'
import type { Example } from './examples.ts'
import type { Operation } from './operation.ts'
import { errorResponse, named } from './responses.ts'

export type Schema = Record<string, unknown>

export type Parameter = {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: string | number | boolean
}

export type DocumentedOperation = {
  operationId: string
  tags: [string]
  summary: string
  description: string
  parameters: Parameter[]
  responses: { 200: Answer; [status: `4${string}` | `5${string}`]: Refusal | Reference }
}

type Answer = {
  description: string
  headers: Headers
  content: { 'application/json': { schema: Schema; example?: unknown } }
}

type Refusal = {
  description: string
  headers?: Headers
  content: {
    'application/json': {
      schema: { allOf: [Schema, { type: 'object'; properties: { code: { enum: ServiceCode[] } } }] }
    }
  }
}

type Headers = Record<string, { description: string; schema: Schema }>

type Reference = { $ref: string }

/** Describes an operation for OpenAPI. */
export function describeOperation(
  operation: Operation,
  tag: string,
  example: Example | undefined,
): DocumentedOperation {
  const { id, summary, description } = operation
  const statuses = [...new Set(operation.refusals.map(httpStatus))]
  const refused = statuses.map((status): [string, Refusal] => [
    String(status),
    describeErrorResponse(operation.refusals.filter((code) => httpStatus(code) === status)),
  ])
  const always = Object.entries(sampleRequest).map(([name, [code = 'FORBIDDEN']]): [string, Reference] => [
    String(httpStatus(code)),
    { $ref: `#/components/responses/${name}` },
  ])
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [...describeSegments(operation, example), ...describeQuery(operation, example), requestId],
    responses: {
      200: describeAnswer(operation, example),
      ...Object.fromEntries(refused),
      ...Object.fromEntries(always),
    },
  }
}

/** Errors of every operation. */
export const sampleRequest: Record<string, ServiceCode[]> = {
  Forbidden: ['FORBIDDEN'],
  TooManyRequests: ['RATE_LIMITED'],
  TooLarge: ['REQUEST_TOO_LARGE'],
  Failed: ['INTERNAL_SERVER_ERROR'],
  Unavailable: ['NOT_READY', 'BUSY', 'TIMED_OUT'],
}

const requestId: Parameter = {
  name: 'request-id',
  in: 'header',
  required: false,
  description: 'A name for the request; errors give it back, and the operator finds it in the log.',
  schema: { type: 'string' },
}

function describeSegments({ segments = {} }: Operation, example: Example | undefined): Parameter[] {
  return Object.entries(segments).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    ...show(example?.segments?.[name], 'string'),
  }))
}

function describeQuery({ query }: Operation, example: Example | undefined): Parameter[] {
  const { properties = {}, required = [] } = toSchema(query)
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = property as Schema & { description?: string }
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...show(example?.query[name], schema.type),
    }
  })
}

function toSchema(query: z.ZodObject) {
  const schema = z.toJSONSchema(query, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Defaults are written as text.
      if (jsonSchema.type !== 'string' && typeof jsonSchema.default === 'string') {
        jsonSchema.default = JSON.parse(jsonSchema.default)
      }
    },
  })
  return JSON.parse(JSON.stringify(schema)) as { properties?: Record<string, Schema>; required?: string[] }
}

function show(written: string | undefined, type: unknown) {
  if (written === undefined) return {}
  return { example: type === 'string' ? written : (JSON.parse(written) as number | boolean) }
}

function describeAnswer({ answer, headers = {}, maxAge }: Operation, example: Example | undefined): Answer {
  const own = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    description: 'The answer.',
    headers: {
      'request-id': { description: 'The request’s, or one made for it.', schema: { type: 'string' } },
      ...Object.fromEntries(own),
      ...(maxAge === undefined ? {} : { 'cache-control': describeCaching(maxAge) }),
    },
    content: { 'application/json': { schema: refer(answer), example: example?.answer } },
  }
}

function describeCaching(maxAge: number) {
  const schema = { const: `public, max-age=${maxAge}, s-maxage=${maxAge}` }
  return { description: 'How long anybody may keep the answer.', schema }
}

export function describeErrorResponse(codes: ServiceCode[]): Refusal {
  const mayWait = codes.some((code) => [429, 503].includes(httpStatus(code)))
  return {
    description: codes.map((code) => `\`${code}\`: ${errorResponses[code]}`).join('\n\n'),
    ...(mayWait ? { headers: { 'retry-after': retryAfter } } : {}),
    content: {
      'application/json': {
        schema: { allOf: [refer(errorResponse), { type: 'object', properties: { code: { enum: codes } } }] },
      },
    },
  }
}

const retryAfter = {
  description: 'Seconds after which to ask again, where that is known.',
  schema: { type: 'integer', minimum: 0 },
}

function refer(shape: z.ZodType): Schema {
  return { $ref: resolveRef(named.get(shape)?.id ?? '') }
}

export function resolveRef(id: string): string {
  return `#/components/schemas/${id}`
}
