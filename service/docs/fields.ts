import type { Document } from '../api/openapi.ts'

export type Field = { name: string; kind: string; isOptional: boolean; description: string }

type Schema = {
  $ref?: string
  type?: string
  format?: string
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
}

/** Lists fields by path (`protocols[].hops[].part`). A named schema is expanded once. */
export function listFields(
  document: Document,
  schema: Schema,
  above = '',
  opened = new Map<string, string>(),
): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema)
  return Object.entries(properties).flatMap(([name, property]): Field[] => {
    const { schema: inner, suffix } = open(document, property)
    const way = above + name + suffix
    const before = opened.get(inner.$ref ?? '')
    const { description = '' } = property
    const field = {
      name: way,
      kind: nameKind(resolve(document, inner)),
      isOptional: !required.includes(name),
      description: before === undefined ? description : `${description} Fields as in \`${before}\`.`.trim(),
    }
    if (before !== undefined) return [field]
    if (inner.$ref !== undefined) opened.set(inner.$ref, way)
    return [field, ...listFields(document, inner, `${way}.`, opened)]
  })
}

function open(document: Document, schema: Schema, suffix = ''): { schema: Schema; suffix: string } {
  const { items, additionalProperties } = resolve(document, schema)
  if (items !== undefined) return open(document, items, `${suffix}[]`)
  if (typeof additionalProperties === 'object')
    return open(document, additionalProperties, `${suffix}{address}`)
  return { schema, suffix }
}

function resolve({ components }: Document, schema: Schema): Schema {
  const id = schema.$ref?.split('/').at(-1)
  return id === undefined ? schema : ((components.schemas[id] ?? {}) as Schema)
}

/** Returns the format of a schema, else its type. */
export function nameKind({ type, format, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only)
  return format ?? type ?? 'any'
}
