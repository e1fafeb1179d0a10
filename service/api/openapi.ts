import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import type { ChainConfig } from '../config.ts'
import { httpStatus, type ServiceCode } from '../errors.ts'
import { errorResponses } from './errorResponses.ts'
import { createExamples, type Example, formatCommand } from './examples.ts'
import type { Operation, Version } from './operation.ts'
import { errorResponse } from './responses.ts'
import { versions } from './versions.ts'

/** Returns the OpenAPI 3.1 document, generated from the schemas in use. */
export function describeInterface(config: ChainConfig, publicUrl?: string) {
  const examples = createExamples(config, publicUrl)
  const info = {
    title: `Sluice on ${config.name}`,
    version: '6.1',
    summary: `The best swaps on chain ${config.chainId}.`,
    description: [
      conventions,
      ...versions.map(({ title, description }) => `## ${title}\n\n${description}`),
    ].join('\n\n'),
  }
  const paths = versions.flatMap((version) =>
    version.operations.map((operation) => {
      const path = `/${version.label}/${config.chainId}${operation.path}`
      const example = examples.get(operation.id) ?? { query: {}, answer: undefined }
      const source = formatCommand((publicUrl ?? '$SERVICE') + path, example)
      const described = describeOperation(operation, tagOf(version, operation), example)
      return [path, { get: { ...described, 'x-codeSamples': [{ lang: 'bash', label: 'curl', source }] } }]
    }),
  )
  return createDocument(
    {
      openapi: '3.1.0',
      info,
      servers: [{ url: publicUrl ?? '/' }],
      security: [{}, { key: [] }],
      tags: versions.flatMap((version) =>
        tagsOf(version).map((name) => ({ name, description: version.title })),
      ),
      'x-tagGroups': versions.map((version) => ({
        name: version.title,
        description: version.description,
        tags: tagsOf(version),
      })),
      paths: Object.fromEntries(paths),
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'Only where the service was started with keys.',
          },
        },
      },
    },
    {
      override({ jsonSchema, io }) {
        if (io === 'output') return
        // The parameter has it.
        delete jsonSchema.description
        // Defaults are written as text.
        if (jsonSchema.type !== 'string' && typeof jsonSchema.default === 'string') {
          jsonSchema.default = JSON.parse(jsonSchema.default)
        }
      },
    },
  )
}

const conventions =
  'Amounts are decimal integers in a token’s base units, as text. The native coin is `0xeeee…eeee`. Addresses are read ' +
  'in any letter case and answered in lower case. Flags are `true` or `false` in any letter case, or `1` or `0`. A ' +
  'parameter given twice is refused, an unknown one is ignored. An optional one without a value (`permit=`) counts as ' +
  'absent, a required one as missing; a required number without digits is malformed.'

function tagsOf(version: Version): string[] {
  return [...new Set(version.operations.map((operation) => tagOf(version, operation)))]
}

/** One version per tag keeps generated clients apart. */
function tagOf({ label }: Version, { tag }: Operation): string {
  return `${tag} ${label.replace('v', '')}`
}

function describeOperation(operation: Operation, tag: string, example: Example): ZodOpenApiOperationObject {
  const { id, summary, description, refusals } = operation
  const refused = [...new Set(refusals.map(httpStatus))].map((status) => {
    return [status, describeErrorResponse(refusals.filter((code) => httpStatus(code) === status))]
  })
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    requestParams: { ...describeParameters(operation, example), header: requestId },
    responses: {
      200: describeAnswer(operation, example),
      ...Object.fromEntries(refused),
      ...errorsOfAll,
    },
  }
}

const requestId = z.object({
  'request-id': z
    .string()
    .optional()
    .meta({
      description: 'A name for the request; errors give it back, and the operator finds it in the log.',
      param: { required: false },
    }),
})

function describeParameters({ segments = {}, query }: Operation, example: Example) {
  const path = Object.entries(segments).map(([name, description]) => {
    return [name, z.string().meta({ description, param: { example: example.segments?.[name] } })]
  })
  const asked = Object.entries<z.ZodType>(query.shape).map(([name, schema]) => {
    const { description = '' } =
      schema instanceof z.ZodExactOptional ? (schema.unwrap() as z.ZodType) : schema
    const param = { required: false, ...exampleOf(example.query[name]) }
    return [name, schema.meta({ description, param })]
  })
  return { path: z.object(Object.fromEntries(path)), query: z.object(Object.fromEntries(asked)) }
}

function exampleOf(value: unknown) {
  return value === undefined ? {} : { example: value }
}

function describeAnswer({ answer, headers = {}, maxAge }: Operation, example: Example) {
  const own = Object.entries(headers).map(([name, description]) => [name, describeHeader(description)])
  return {
    description: 'The answer.',
    headers: {
      'request-id': describeHeader('The request’s, or one made for it.'),
      ...Object.fromEntries(own),
      ...(maxAge === undefined ? {} : { 'cache-control': describeCaching(maxAge) }),
    },
    content: { 'application/json': { schema: answer, example: example.answer } },
  }
}

function describeHeader(description: string) {
  return { description, schema: { type: 'string' as const } }
}

function describeCaching(maxAge: number) {
  const schema = { const: `public, max-age=${maxAge}, s-maxage=${maxAge}` }
  return { description: 'How long anybody may keep the answer.', schema }
}

function describeErrorResponse(codes: ServiceCode[], id?: string): ZodOpenApiResponseObject {
  const mayWait = codes.some((code) => [429, 503].includes(httpStatus(code)))
  return {
    ...(id === undefined ? {} : { id }),
    description: codes.map((code) => `\`${code}\`: ${errorResponses[code]}`).join('\n\n'),
    ...(mayWait ? { headers: { 'retry-after': retryAfter } } : {}),
    content: {
      'application/json': { schema: errorResponse.and(z.looseObject({ code: z.enum(codes) })) },
    },
  }
}

const retryAfter = {
  description: 'Seconds after which to ask again, where that is known.',
  schema: { type: 'integer' as const, minimum: 0 },
}

/** Errors of every operation, by status. */
const errorsOfAll = {
  403: describeErrorResponse(['FORBIDDEN'], 'Forbidden'),
  429: describeErrorResponse(['RATE_LIMITED'], 'TooManyRequests'),
  431: describeErrorResponse(['REQUEST_TOO_LARGE'], 'TooLarge'),
  500: describeErrorResponse(['INTERNAL_SERVER_ERROR'], 'Failed'),
  503: describeErrorResponse(['NOT_READY', 'BUSY', 'TIMED_OUT'], 'Unavailable'),
}
