import fc from 'fast-check'
import type { AbiParameter } from 'viem'
import type { Hex } from '../../../src/domain/token/token.ts'

/** Numbers up to 48 bits are `number`, hex is lower case. */
export type Sample = { parameters: AbiParameter[]; values: unknown[] }

type Typed = { parameter: AbiParameter; value: fc.Arbitrary<unknown> }

const hex = (constraints: fc.IntArrayConstraints) =>
  fc.uint8Array(constraints).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

const numbers = fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean()).map(([size, signed]): Typed => {
  const bits = BigInt(size * 8)
  const value = signed
    ? fc.bigInt(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n)
    : fc.bigInt(0n, 2n ** bits - 1n)
  return {
    parameter: { type: `${signed ? 'int' : 'uint'}${bits}` },
    value: bits > 48n ? value : value.map(Number),
  }
})

const fixedBytes = fc.integer({ min: 1, max: 32 }).map(
  (size): Typed => ({
    parameter: { type: `bytes${size}` },
    value: hex({ minLength: size, maxLength: size }),
  }),
)

const plain = fc.constantFrom<Typed>(
  { parameter: { type: 'bool' }, value: fc.boolean() },
  { parameter: { type: 'address' }, value: hex({ minLength: 20, maxLength: 20 }) },
  { parameter: { type: 'bytes' }, value: hex({ maxLength: 70 }) },
  { parameter: { type: 'string' }, value: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

const { typed } = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    numbers,
    fixedBytes,
    fc.tuple(tie('typed'), fc.option(fc.integer({ min: 1, max: 3 }))).map(([item, length]): Typed => {
      const size = length === null ? { maxLength: 4 } : { minLength: length, maxLength: length }
      const type = `${item.parameter.type}[${length ?? ''}]`
      return { parameter: { ...item.parameter, type }, value: fc.array(item.value, size) }
    }),
    fc
      .tuple(fc.array(tie('typed'), { minLength: 1, maxLength: 4 }), fc.constantFrom('all', 'none', 'last'))
      .map(([fields, named]): Typed => {
        const isNamed = (index: number) =>
          named === 'all' || (named === 'last' && index === fields.length - 1)
        const components = fields.map(({ parameter }, index) => ({
          ...parameter,
          ...(isNamed(index) && { name: `field${index}` }),
        }))
        const values = fields.map(({ value }) => value)
        // A struct is an object only if all fields are named.
        const value = components.every((each) => 'name' in each)
          ? fc.record(Object.fromEntries(values.map((each, index) => [`field${index}`, each])), {
              noNullPrototype: true,
            })
          : fc.tuple(...values)
        return { parameter: { type: 'tuple', components }, value }
      }),
  ),
}))

export const samples: fc.Arbitrary<Sample> = fc.array(typed, { minLength: 1, maxLength: 5 }).chain((all) =>
  fc.tuple(...all.map(({ value }) => value)).map((values) => ({
    parameters: all.map(({ parameter }) => parameter),
    values,
  })),
)

export function lowered<T>(value: T): T {
  if (typeof value === 'string') return (/^0x[\da-fA-F]{40}$/.test(value) ? value.toLowerCase() : value) as T
  if (Array.isArray(value)) return value.map(lowered) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lowered(each)])) as T
}
