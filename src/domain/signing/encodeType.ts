import type { TypedData } from './typedData.ts'

/** Encodes as EIP-712: `Mail(Person from,Person to)Person(string name)`. */
export function encodeType(types: TypedData['types'], type: string): string {
  const found = new Set<string>()
  function collect(name: string): void {
    const members = Object.hasOwn(types, name) && !found.has(name) ? types[name] : undefined
    if (members === undefined) return
    found.add(name)
    for (const member of members) collect(member.type.replace(/\[.*/, ''))
  }
  collect(type)
  found.delete(type)
  return [type, ...[...found].sort()].map((name) => encodeStruct(types, name)).join('')
}

/** Encodes a struct without those it refers to. */
export function encodeStruct(types: TypedData['types'], name: string): string {
  const members = Object.hasOwn(types, name) ? (types[name] ?? []) : []
  return `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`
}

/** True for an exact encoding. */
export function hasType({ types, primaryType }: TypedData, type: string): boolean {
  return type.startsWith(`${primaryType}(`) && encodeType(types, primaryType) === type
}
