import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeInterface } from '../../../service/api/openapi.ts'
import { createMetrics } from '../../../service/http/metrics.ts'
import { createScheduler } from '../../../service/http/scheduler/requestScheduler.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens } from '../../../service/tokens/registry.ts'
import { createVersions } from '../../../service/versions.ts'
import { withoutDeadline } from '../../helpers/service/deadline.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'

type Schema = Record<string, unknown>
type Parameter = z.infer<typeof parameter> & { schema: Schema }
type DocumentedOperation = Omit<z.infer<typeof described>, 'parameters' | 'responses'> & {
  parameters: Parameter[]
  responses: Record<'200', z.infer<typeof response>> &
    Record<string, z.infer<typeof response> | { $ref: string } | undefined>
}
type Document = Omit<z.infer<typeof documentShape>, 'paths'> & {
  paths: Record<string, { get: DocumentedOperation }>
}

let running: Running
let document: Document
beforeAll(async () => {
  running = await startRunning()
  document = (await running.request('/openapi.json')).body
})
afterAll(() => running.stop())

function operations(): [string, DocumentedOperation][] {
  return Object.entries(document.paths).map(([path, { get }]) => [path, get])
}

describe('OpenAPI document', () => {
  it('serves the document that describeInterface returns, as JSON', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(describeInterface(running.config))))
  })

  it('follows OpenAPI 3.1 in every part in use', () => {
    expect(documentShape.safeParse(document).error?.issues ?? []).toEqual([])
  })

  it('contains no dangling reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '')
    expect(references.length).toBeGreaterThan(50)
    for (const reference of new Set(references)) {
      const [root, ...way] = reference.split('/')
      expect(root).toBe('#')
      const found = way.reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document)
      expect(found, reference).toBeTypeOf('object')
    }
  })

  it('names each operation and parameter once, and declares exactly the tags and security schemes in use', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map(({ name }) => name)
    expect(new Set(operations().flatMap(([, operation]) => operation.tags))).toEqual(new Set(tags))
    expect(document['x-tagGroups'].flatMap((group) => group.tags)).toEqual(tags)
    for (const [path, { parameters }] of operations()) {
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(names).size).toBe(names.length)
      const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
        segments,
      )
    }
    const keys = document.security.flatMap((way) => Object.keys(way))
    expect(keys).toEqual(Object.keys(document.components.securitySchemes))
  })

  it('documents exactly the paths that are served', () => {
    const { config, engine, localnet } = running
    const node = connectRpc(localnet.rpcUrl)
    const service = { config, node, tokens: createTokens(config, node), engine: () => engine }
    const work = createScheduler(service, createMetrics())
    const served = createVersions(service, work).flatMap(({ label, router: { routes } }) =>
      routes
        .filter(({ method }) => method === 'GET')
        .map(({ path }) => `/${label}/31337${path === '/' ? '' : path}`),
    )
    const documented = operations().map(([path]) => path.replace(/\{(\w+)\}/g, ':$1'))
    expect(served.sort()).toEqual(documented.sort())
  })
})

describe('OpenAPI limits', () => {
  async function refusal(
    [path, { parameters }]: [string, DocumentedOperation],
    { name }: Parameter,
    value: string,
  ) {
    const good = parameters.flatMap((parameter) =>
      parameter.in === 'query' && parameter.example !== undefined
        ? [[parameter.name, String(parameter.example)] as const]
        : [],
    )
    const query = new URLSearchParams(Object.fromEntries([...good, [name, value]]))
    const { status, body } = await running.request(`${path}?${query}`)
    return status === 400 && body.description.startsWith(`${name} `) ? body.code : undefined
  }

  function each(test: (parameter: Parameter) => boolean) {
    return operations().flatMap((operation) =>
      operation[1].parameters
        .filter((parameter) => parameter.in === 'query' && test(parameter))
        .map((parameter) => ({ operation, parameter, schema: parameter.schema as Limits })),
    )
  }
  type Limits = { type: string; minimum: number; maximum: number; pattern: string; default: unknown }

  it('rejects numbers just outside the documented range and accepts its limits', async () => {
    const bounded = each(({ schema }) => 'minimum' in schema)
    expect(bounded.length).toBe(53)
    for (const { operation, parameter, schema } of bounded) {
      const step = schema.type === 'integer' ? 1 : 0.0001
      for (const value of [schema.minimum - step, schema.maximum + step]) {
        const code = await refusal(operation, parameter, String(value))
        expect(code, `${parameter.name}=${value}`).toMatch(/VALIDATION_FAILED|SLIPPAGE_TOO_HIGH/)
      }
      for (const value of [schema.minimum, schema.maximum]) {
        const code = await refusal(operation, parameter, String(value))
        expect(code, `${parameter.name}=${value}`).toBeUndefined()
      }
      expect(await refusal(operation, parameter, 'some')).toBe('INVALID_NUMBER')
    }
  })

  it('rejects texts that do not match the documented pattern', async () => {
    const texts = each(({ schema }) => 'pattern' in schema)
    expect(texts.length).toBeGreaterThan(30)
    for (const { operation, parameter, schema } of texts) {
      const pattern = new RegExp(schema.pattern)
      for (const value of ['', ' ', '01', '-1', '0x', '7', `0x${'1'.repeat(40)}`]) {
        if (pattern.test(value)) continue
        const code = await refusal(operation, parameter, value)
        // An empty amount to approve would be an unlimited one.
        const isAbsent = value === '' && !parameter.required && parameter.name !== 'amount'
        expect(code !== undefined, `${parameter.name}=${value}`).toBe(!isAbsent)
      }
      if (parameter.example !== undefined) expect(parameter.example).toMatch(pattern)
    }
  })

  it('accepts each form of false, and an empty value, and rejects other words for flags', async () => {
    expect(document.info.description).toContain('`true` or `false` in any letter case, or `1` or `0`')
    expect(document.info.description).toContain('(`permit=`) counts as absent')
    const flags = each(({ schema }) => schema.type === 'boolean')
    expect(flags.length).toBeGreaterThan(50)
    for (const { operation, parameter } of flags) {
      expect(await refusal(operation, parameter, 'yes'), parameter.name).toBe('VALIDATION_FAILED')
      for (const value of ['false', 'FALSE', '0', '']) {
        expect(await refusal(operation, parameter, value), `${parameter.name}=${value}`).toBeUndefined()
      }
    }
  })

  it('requires origin on the documented mount alone', () => {
    const origins = operations().flatMap(([path, { parameters }]) =>
      parameters.filter(({ name }) => name === 'origin').map(({ required }) => [path, required]),
    )
    expect(Object.fromEntries(origins)).toEqual({
      '/v6.1/31337/swap': true,
      '/swap/v6.1/31337/swap': false,
      '/swap/v6.0/31337/swap': false,
      '/v6.0/31337/swap': false,
    })
  })

  it('requires exactly the parameters documented as required', async () => {
    for (const [path, { parameters }] of operations()) {
      for (const { name, required, ...parameter } of parameters) {
        if (parameter.in !== 'query') continue
        const others = parameters.filter((other) => other.name !== name && other.example !== undefined)
        const query = new URLSearchParams(others.map((other) => [other.name, String(other.example)]))
        const { body } = await running.request(`${path}?${query}`)
        const isMissed = body.code === 'REQUIRED_FIELD_MISSING' && body.description.startsWith(`${name} `)
        expect(isMissed, `${path} ${name}`).toBe(required)
      }
    }
  })

  it('documents the defaults that the service uses', async () => {
    for (const { operation, parameter, schema } of each(({ schema }) => 'default' in schema)) {
      const [path, { parameters }] = operation
      const given = parameters.filter(({ name, example }) => name !== parameter.name && example !== undefined)
      const query = new URLSearchParams(given.map(({ name, example }) => [name, String(example)]))
      const absent = await running.request(`${path}?${query}`)
      query.set(parameter.name, String(schema.default))
      const present = await running.request(`${path}?${query}`)
      const answer = (body: object) => ({ ...withoutDeadline(body), requestId: '' })
      expect(answer(present.body), parameter.name).toEqual(answer(absent.body))
    }
  })
})

describe('OpenAPI responses', () => {
  function checker(schema: unknown): z.ZodType {
    const { schemas: $defs } = document.components
    const local = JSON.stringify({ ...(schema as object), $defs }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    )
    return z.fromJSONSchema(JSON.parse(local))
  }

  function ask([path, { parameters }]: [string, DocumentedOperation], more: Record<string, string> = {}) {
    const query = new URLSearchParams(more)
    let url = path
    for (const { name, in: place, example } of parameters) {
      if (place === 'path') url = url.replace(`{${name}}`, String(example))
      else if (example !== undefined) query.set(name, String(example))
    }
    return running.request(`${url}?${query}`)
  }

  it('answers each example request with status 200 and a response that fits the schema', async () => {
    for (const operation of operations()) {
      const { schema, example } = operation[1].responses[200].content['application/json']
      const check = checker(schema)
      const { status, headers, body } = await ask(operation)
      expect(status, operation[0]).toBe(200)
      expect(check.safeParse(body).error?.issues ?? [], operation[0]).toEqual([])
      expect(check.safeParse(example).error?.issues ?? [], operation[0]).toEqual([])
      expect(check.safeParse({ ...body, surprise: 1 }).success, operation[0]).toBe(false)
      // Prices have tokens as their keys.
      const keys = operation[1].operationId === 'prices' ? [] : Object.keys(body)
      expect(Object.keys(example as object)).toEqual(expect.arrayContaining(keys))
      if (keys.length > 0) expect(Object.keys(example as object)).toHaveLength(keys.length)
      for (const [name, header] of Object.entries(operation[1].responses[200].headers ?? {})) {
        expect(checker(header.schema).safeParse(headers.get(name)).success, name).toBe(true)
      }
    }
  })

  it('returns quotes and swaps of versions 6.1 and 6.0 with all optional fields that fit the schema', async () => {
    const includes = { includeTokensInfo: 'true', includeProtocols: 'true', includeGas: 'true' }
    for (const operation of operations().filter(([path]) => /v6.*\/(quote|swap)$/.test(path))) {
      const { schema } = operation[1].responses[200].content['application/json']
      const { body } = await ask(operation, { ...includes, createAccessList: 'true' })
      expect(checker(schema).safeParse(body).error?.issues ?? [], operation[0]).toEqual([])
      expect(body).toMatchObject({ srcToken: { symbol: 'ETH' }, protocols: expect.any(Array) })
    }
  })

  it('returns errors that fit the schema, which rejects a code of another operation', async () => {
    for (const operation of operations()) {
      const refused = operation[1].responses['400']
      if (refused === undefined || !('content' in refused)) continue
      const check = checker(refused.content['application/json'].schema)
      const { status, body } = await running.request(operation[0])
      expect(status).toBe(400)
      expect(check.safeParse(body).error?.issues ?? []).toEqual([])
      expect(check.safeParse({ ...body, code: 'FORBIDDEN' }).success).toBe(false)
    }
  })
})

// Only the parts of OpenAPI 3.1 in use; unknown keys fail.

const text = z.string().min(1)
const anySchema: z.ZodType = z.lazy(() =>
  z.strictObject({
    $ref: text.optional(),
    type: z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']).optional(),
    format: text.optional(),
    description: text.optional(),
    default: z.unknown().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    pattern: text.refine((pattern) => new RegExp(pattern)).optional(),
    minLength: z.int().optional(),
    maxLength: z.int().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    items: anySchema.optional(),
    properties: z.record(z.string(), anySchema).optional(),
    required: z.array(text).optional(),
    propertyNames: anySchema.optional(),
    additionalProperties: z.union([z.boolean(), anySchema]).optional(),
    allOf: z.array(anySchema).optional(),
    anyOf: z.array(anySchema).optional(),
  }),
)
const headers = z.record(text, z.strictObject({ description: text, schema: anySchema }))
const content = z.strictObject({
  'application/json': z.strictObject({ schema: anySchema, example: z.unknown().optional() }),
})
const response = z.strictObject({ description: text, headers: headers.optional(), content })
const parameter = z.strictObject({
  name: text,
  in: z.enum(['query', 'path', 'header']),
  required: z.boolean(),
  description: text,
  schema: anySchema,
  example: z.union([z.string(), z.number(), z.boolean()]).optional(),
})
const described = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  tags: z.array(text),
  summary: text,
  description: text,
  parameters: z.array(parameter),
  'x-codeSamples': z.tuple([
    z.strictObject({ lang: z.literal('bash'), label: z.literal('curl'), source: text }),
  ]),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.union([z.strictObject({ $ref: text }), response])),
})
const documentShape = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: text, version: text, summary: text, description: text }),
  servers: z.array(z.strictObject({ url: text })),
  security: z.array(z.record(text, z.array(text))),
  tags: z.array(z.strictObject({ name: text, description: text })),
  'x-tagGroups': z.array(z.strictObject({ name: text, description: text, tags: z.array(text) })),
  paths: z.record(z.string().regex(/^\//), z.strictObject({ get: described })),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z]+$/), anySchema),
    responses: z.record(z.string().regex(/^[A-Za-z]+$/), response),
    securitySchemes: z.record(
      text,
      z.strictObject({ type: z.literal('http'), scheme: text, description: text }),
    ),
  }),
})
