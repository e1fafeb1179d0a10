import fc from 'fast-check'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Sample = {
  domain: Record<string, Json>
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, Json>
}

/** EIP-712. */
export const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
} satisfies Sample

const bytes = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((array): Json => `0x${Buffer.from(array).toString('hex')}`)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const sizes = Array.from({ length: 32 }, (_, index) => index + 1)

const plainType = fc.oneof(
  fc.constantFrom('address', 'bool', 'string', 'bytes', 'uint256', 'int256'),
  fc.constantFrom(...sizes).map((size) => `bytes${size}`),
  fc.constantFrom(...sizes).map((size) => `uint${size * 8}`),
  fc.constantFrom(...sizes).map((size) => `int${size * 8}`),
)

export const typedData: fc.Arbitrary<Sample> = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => struct(index, count))))
  .chain((structs) => {
    const types = Object.fromEntries(structs.map((members, index) => [`S${index}`, members]))
    return fc.record({
      domain: fc.record(
        {
          name: text,
          version: text.filter((version) => version !== ''),
          chainId: fc.nat(),
          verifyingContract: bytes(20),
          salt: bytes(32),
        },
        { requiredKeys: [] },
      ),
      types: fc.constant(types),
      primaryType: fc.constant('S0'),
      message: fields('S0', types, 0) as fc.Arbitrary<Record<string, Json>>,
    })
  })

/** Only later structs by value, so that sizes are finite. */
function struct(index: number, count: number) {
  const later = Array.from({ length: count - index - 1 }, (_, step) => `S${index + step + 1}`)
  const all = Array.from({ length: count }, (_, each) => `S${each}[]`)
  const base = fc.oneof(plainType, fc.constantFrom(...later, 'bool'))
  const suffixed = fc
    .tuple(base, fc.constantFrom('', '', '[]', '[2]', '[][2]', '[1][]'))
    .map(([type, suffix]) => type + suffix)
  return fc
    .array(fc.oneof({ weight: 5, arbitrary: suffixed }, fc.constantFrom(...all)), { maxLength: 4 })
    .map((types) => types.map((type, place) => ({ name: `f${place}`, type })))
}

function fields(type: string, types: Sample['types'], depth: number): fc.Arbitrary<Json> {
  return fc.record(
    Object.fromEntries(
      (types[type] ?? []).map((member) => [member.name, anyOf(member.type, types, depth + 1)]),
    ),
  )
}

function anyOf(type: string, types: Sample['types'], depth: number): fc.Arbitrary<Json> {
  const list = /^(.+)\[(\d*)\]$/.exec(type)
  if (list) {
    const length = list[2] ? Number(list[2]) : undefined
    if (length === undefined && depth > 4) return fc.constant([])
    return fc.array(anyOf(list[1] ?? '', types, depth + 1), {
      minLength: length ?? 0,
      maxLength: length ?? 2,
    })
  }
  if (types[type]) return fields(type, types, depth)
  if (type === 'string') return text
  if (type === 'bool') return fc.boolean()
  if (type === 'address') return bytes(20)
  if (type === 'bytes') return fc.constantFrom(0, 1, 31, 32, 33, 100).chain(bytes)
  if (type.startsWith('bytes')) return bytes(Number(type.slice(5)))
  const bits = Number(type.replace(/\D/g, ''))
  const [least, most] = type.startsWith('u')
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
  return fc.oneof(fc.constantFrom(least, most), fc.bigInt(least, most)).map(String)
}
