import fc from 'fast-check'

type Bend = (bytes: Buffer) => Buffer

/** Share of a length, from 0 to below 1. `fc.double` would be uniform over exponents: nearly always 0. */
export const place = fc.integer({ min: 0, max: 999_999 }).map((millionths) => millionths / 1_000_000)

/** Squared, to prefer the arguments at the start. */
const wordAt = (share: number, length: number) => 4 + 32 * Math.floor(share * share * ((length - 4) / 32))

/** Changes of calldata: a byte, a copied word, a word one more or less, another length. */
export const bendBytes: fc.Arbitrary<Bend> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, flip]): Bend => {
    return (bytes) => {
      bytes[Math.floor(at * bytes.length)]! ^= flip
      return bytes
    }
  }),
  fc.tuple(place, place).map(([to, from]): Bend => {
    return (bytes) => {
      const at = wordAt(from, bytes.length)
      Buffer.from(bytes.subarray(at, at + 32)).copy(bytes, wordAt(to, bytes.length))
      return bytes
    }
  }),
  fc.tuple(place, fc.constantFrom(-1n, 1n)).map(([at, by]): Bend => {
    return (bytes) => {
      const start = wordAt(at, bytes.length)
      const before = BigInt(`0x${bytes.toString('hex', start, start + 32) || '0'}`)
      const after = BigInt.asUintN(256, before + by)
      bytes.write(after.toString(16).padStart(64, '0'), start, 'hex')
      return bytes
    }
  }),
  fc.integer({ min: -64, max: 64 }).map((by): Bend => {
    return (bytes) => Buffer.concat([bytes, Buffer.alloc(64)]).subarray(0, Math.max(0, bytes.length + by))
  }),
)
