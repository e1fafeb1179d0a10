import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../src/domain/json.ts'

describe('encode and decode', () => {
  it('restores bigints at any depth', () => {
    const key = fc.string().filter((text) => text !== '__proto__')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt(),
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(decode(encode(value))).toEqual(value)
      }),
    )
  })

  it('rejects a bigint tag that holds no number', () => {
    expect(() => decode('{"#bigint":"twelve"}')).toThrow(SyntaxError)
  })

  it('does not pollute the prototype through a decoded message', () => {
    decode('{"__proto__":{"polluted":true}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
