import { arrayItemType, type TypedData } from './typedData.ts'

export type SignedField = { name: string; type: string; value: string | SignedField[] }

/** Returns the message as a tree of fields. */
export function signedFields({ types, primaryType, message }: TypedData): SignedField[] {
  const membersOf = (type: string) => (Object.hasOwn(types, type) ? types[type] : undefined)

  function field(name: string, type: string, value: unknown): SignedField {
    const list = arrayItemType(type)
    if (list !== undefined) {
      const items = value as unknown[]
      return { name, type, value: items.map((item, index) => field(String(index), list.item, item)) }
    }
    const members = membersOf(type)
    if (members === undefined) return { name, type, value: String(value) }
    const values = value as Record<string, unknown>
    return { name, type, value: members.map((each) => field(each.name, each.type, values[each.name])) }
  }

  if (primaryType === 'EIP712Domain') return []
  return (membersOf(primaryType) ?? []).map(({ name, type }) => field(name, type, message[name]))
}

/** List items have the list's name. */
export type LeafField = { name: string; type: string; value: string; isListed: boolean }

export function leafFields(fields: SignedField[], isListed = false): LeafField[] {
  return fields.flatMap(({ name, type, value }) => {
    if (typeof value === 'string') return [{ name, type, value, isListed }]
    if (!type.endsWith(']')) return leafFields(value, isListed)
    return leafFields(
      value.map((item) => ({ ...item, name })),
      true,
    )
  })
}
