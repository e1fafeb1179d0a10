import { WalletError } from '../../errors.ts'
import type { Address, Hex } from '../token/token.ts'

/** EIP-712 data with known types and fitting values. */
export type TypedData = {
  domain: {
    name?: string
    version?: string
    chainId?: bigint
    verifyingContract?: Address
    salt?: Hex
  }
  /** Includes `EIP712Domain`. */
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  /** Integers are bigints, addresses and bytes lower-case hex. */
  message: Record<string, unknown>
  /** The domain names a contract, chain or salt outside its type, so it is not signed. */
  hasUnsignedDomain?: true
}

/**
 * Parses JSON text or an object. Drops values outside the types, which sites do send, and rejects missing
 * ones: everything shown is signed. Throws `invalid-params` with the path.
 */
export function parseTypedData(value: unknown): TypedData {
  const data = toRecord(typeof value === 'string' ? parseJson(value) : value, 'data')
  const types = parseTypes(data.types)
  types[domainType] ??= domainMembers(toRecord(data.domain, 'domain'))
  checkTypes(types)
  const { primaryType } = data
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType)) {
    throw fault('primaryType', 'is not among the types')
  }
  const read = createReader(types)
  const isUnsigned = bindingFields.some(
    (name) => hasValue(data.domain, name) && !types[domainType]?.some((member) => member.name === name),
  )
  return {
    ...(isUnsigned && { hasUnsignedDomain: true }),
    domain: read(domainType, data.domain, 'domain'),
    types,
    primaryType,
    message:
      primaryType === domainType
        ? // A domain alone has no message.
          createReader({})(domainType, data.message ?? {}, 'message')
        : read(primaryType, data.message, 'message'),
  }
}

/** Returns undefined for other types. Items of `uint8[2][]` are `uint8[2]`. */
export function arrayItemType(type: string): { item: string; length?: number } | undefined {
  const [, item, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? []
  if (item === undefined) return undefined
  return length ? { item, length: Number(length) } : { item }
}

const domainType = 'EIP712Domain'
const domainFields: Record<string, string> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}

const bindingFields = ['chainId', 'verifyingContract', 'salt']

// Far above real use, but the worker stays responsive.
const maxTypes = 100
const maxMembers = 1_000
const maxValues = 10_000
const maxDepth = 32

// Colons occur (HyperliquidTransaction:UsdSend) and are unambiguous in an encoded type.
const structName = /^(?!__proto__$)[a-z_$][\w$:]{0,127}$/i
const memberName = /^(?!__proto__$)[a-z_$][\w$]{0,127}$/i
const memberType = /^([a-z_$][\w$:]{0,127})((?:\[(?:[1-9]\d{0,4})?\]){0,16})$/i
const reservedName = /^(address|bool|string|bytes\d*|u?int\d*)$/
const plainType = /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?)$/

type Types = TypedData['types']
type Values = Record<string, unknown>

function parseTypes(value: unknown): Types {
  const entries = Object.entries(toRecord(value, 'types'))
  if (entries.length > maxTypes) throw fault('types', `are more than ${maxTypes}`)
  let members = 0
  const types = entries.map(([name, list]) => {
    const path = `types.${name}`
    if (!structName.test(name) || reservedName.test(name)) throw fault(path, 'is not a name for a struct')
    const parsed = toArray(list, path).map((member, index) => parseMember(member, `${path}.${index}`))
    if (new Set(parsed.map((each) => each.name)).size < parsed.length)
      throw fault(path, 'names a field twice')
    members += parsed.length
    if (members > maxMembers) throw fault('types', `have more than ${maxMembers} fields`)
    return [name, parsed] as const
  })
  return Object.fromEntries(types)
}

function parseMember(value: unknown, path: string): { name: string; type: string } {
  const { name, type } = toRecord(value, path)
  if (typeof name !== 'string' || !memberName.test(name))
    throw fault(`${path}.name`, 'is not a name for a field')
  if (typeof type !== 'string' || !memberType.test(type)) throw fault(`${path}.type`, 'is not a type')
  return { name, type }
}

/** After all are parsed: types may refer to later ones or themselves. */
function checkTypes(types: Types): void {
  for (const [struct, members] of Object.entries(types)) {
    for (const { name, type } of members) {
      const path = `types.${struct}.${name}`
      const [, base = ''] = memberType.exec(type) ?? []
      if (!Object.hasOwn(types, base) && !isPlain(base)) throw fault(path, `"${base}" is not a known type`)
      if (struct === domainType && (!Object.hasOwn(domainFields, name) || domainFields[name] !== type)) {
        throw fault(path, 'is not a field of a domain')
      }
    }
  }
}

function isPlain(type: string): boolean {
  return plainType.test(type) || toBits(type) !== undefined
}

function toBits(type: string): number | undefined {
  const bits = Number(/^u?int([1-9]\d{0,2})$/.exec(type)?.[1])
  return bits % 8 === 0 && bits <= 256 ? bits : undefined
}

function hasValue(domain: unknown, name: string): boolean {
  const values = toRecord(domain, 'domain')
  return (
    Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null && values[name] !== ''
  )
}

function domainMembers(domain: Values): Types[string] {
  return Object.entries(domainFields).flatMap(([name, type]) =>
    Object.hasOwn(domain, name) ? [{ name, type }] : [],
  )
}

function createReader(types: Types) {
  let values = 0

  function readStruct(type: string, value: unknown, path: string, depth = 0): Values {
    const given = toRecord(value, path)
    const members = types[type] ?? []
    return Object.fromEntries(
      members.map(({ name, type }) => {
        const item = Object.hasOwn(given, name) ? given[name] : undefined
        return [name, readValue(type, item, `${path}.${name}`, depth + 1)]
      }),
    )
  }

  function readValue(type: string, value: unknown, path: string, depth: number): unknown {
    if (value === undefined || value === null) throw fault(path, 'is missing')
    values++
    if (values > maxValues) throw fault(path, `comes after ${maxValues} other values, and no more are read`)
    if (depth > maxDepth) throw fault(path, `is nested deeper than ${maxDepth}`)
    const list = arrayItemType(type)
    if (list === undefined) {
      return Object.hasOwn(types, type) ? readStruct(type, value, path, depth) : readPlain(type, value, path)
    }
    const items = toArray(value, path)
    if (items.length !== (list.length ?? items.length)) throw fault(path, `has not ${list.length} items`)
    return items.map((item, index) => readValue(list.item, item, `${path}.${index}`, depth + 1))
  }

  return readStruct
}

function readPlain(type: string, value: unknown, path: string): unknown {
  const bits = toBits(type)
  if (bits !== undefined) return readInteger(type, bits, value, path)
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
  } else if (typeof value === 'string') {
    // UTF-8 has no lone surrogates: other signers would hash something else.
    if (type === 'string') {
      if (!/\p{Surrogate}/u.test(value)) return value
    } else if (/^0x([0-9a-f]{2})*$/i.test(value)) {
      const size = type === 'address' ? 20 : Number(type.slice('bytes'.length))
      if (type === 'bytes' || value.length === 2 + 2 * size) return value.toLowerCase()
    }
  }
  throw fault(path, `is not of type ${type}`)
}

function readInteger(type: string, bits: number, value: unknown, path: string): bigint {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw fault(path, 'is too large for a number of JSON, which would round it: write it as a string')
  }
  const text = typeof value === 'string' ? value : typeof value === 'object' ? '' : `${value}`
  if (!/^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) throw fault(path, `is not of type ${type}`)
  const integer = BigInt(text)
  const fits = type.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)
  if (fits !== integer) throw fault(path, `does not fit into ${type}`)
  return integer
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault('data', 'is not JSON')
  }
}

function toRecord(value: unknown, path: string): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
  throw fault(path, value === undefined || value === null ? 'is missing' : 'is not an object')
}

function toArray(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value
  throw fault(path, 'is not a list')
}

function fault(path: string, what: string): WalletError {
  return new WalletError('invalid-params', `${path}: ${what}.`)
}
