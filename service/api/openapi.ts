import { z } from 'zod'
import type { ChainConfig } from '../config.ts'
import { createExamples } from './examples.ts'
import {
  type DocumentedOperation,
  describeErrorResponse,
  describeOperation,
  resolveRef,
  type Schema,
  sampleRequest,
} from './openapiOperation.ts'
import type { Operation, Version } from './operation.ts'
import { named } from './responses.ts'
import { version as v3 } from './v3Operations.ts'
import { version as v6 } from './v6Operations.ts'

export type Document = ReturnType<typeof describeInterface>

/** Returns the OpenAPI 3.1 document, generated from the schemas in use. */
export function describeInterface(config: ChainConfig, publicUrl?: string) {
  const versions = [v6, v3]
  const examples = createExamples(config, publicUrl)
  const paths = versions.flatMap((version) =>
    version.operations.map((operation): [string, { get: DocumentedOperation }] => [
      `/${version.label}/${config.chainId}${operation.path}`,
      { get: describeOperation(operation, tagOf(version, operation), examples.get(operation.id)) },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: `Sluice on ${config.name}`,
      version: '6.1',
      summary: `The best swaps on chain ${config.chainId}.`,
      description:
        'Amounts are decimal integers in a token’s base units, as text. The native coin is `0xeeee…eeee`. Addresses are read ' +
        'in any letter case and answered in lower case. Flags are `true` or `false`. A parameter given twice is refused, an ' +
        'unknown one is ignored.',
    },
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
      schemas: describeAnswers(),
      responses: Object.fromEntries(
        Object.entries(sampleRequest).map(([name, codes]) => [name, describeErrorResponse(codes)]),
      ),
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'Only where the service was started with keys.',
        },
      },
    },
  }
}

function tagsOf(version: Version): string[] {
  return [...new Set(version.operations.map((operation) => tagOf(version, operation)))]
}

/** One version per tag keeps generated clients apart. */
function tagOf({ label }: Version, { tag }: Operation): string {
  return `${tag} ${label.slice(1)}`
}

function describeAnswers(): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(named, { uri: resolveRef })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as Schema]),
  )
}
