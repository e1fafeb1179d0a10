import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../../src/domain/json.ts'
import { arrayItemType, parseTypedData } from '../../../src/domain/signing/typedData.ts'
import { WalletError } from '../../../src/errors.ts'
import { mail, typedData } from '../../helpers/samples/typedDataSamples.ts'

const single = (type: string, value: unknown) => ({
  domain: {},
  types: { One: [{ name: 'a', type }] },
  primaryType: 'One',
  message: { a: value },
})
const read = (type: string, value: unknown) => parseTypedData(single(type, value)).message.a

describe('parseTypedData', () => {
  it('parses the example of EIP-712 as an object and as JSON text', () => {
    const parsed = parseTypedData(mail)
    expect(parsed.domain).toEqual({
      name: 'Ether Mail',
      version: '1',
      chainId: 1n,
      verifyingContract: `0x${'cc'.repeat(20)}`,
    })
    expect(parsed.message).toMatchObject({
      from: { name: 'Cow', wallet: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' },
    })
    expect(parseTypedData(JSON.stringify(mail))).toEqual(parsed)
  })

  it('parses its own output unchanged after a round trip through encode and decode', () => {
    fc.assert(
      fc.property(typedData, (sample) => {
        const parsed = parseTypedData(sample)
        expect(parseTypedData(decode(encode(parsed)))).toEqual(parsed)
      }),
      { numRuns: 200 },
    )
  })

  it('derives the domain type from the present fields, in the order of the standard', () => {
    const { EIP712Domain, ...types } = mail.types
    const salt = `0x${'5a'.repeat(32)}`
    const domain = { salt, verifyingContract: mail.domain.verifyingContract, name: '' }
    expect(parseTypedData({ ...mail, types, domain }).types.EIP712Domain).toEqual([
      { name: 'name', type: 'string' },
      { name: 'verifyingContract', type: 'address' },
      { name: 'salt', type: 'bytes32' },
    ])
    expect(parseTypedData({ ...mail, types }).types).toEqual({ ...types, EIP712Domain })
  })

  it('parses integers exactly from numbers, decimal text and hex', () => {
    expect(read('uint8', 255)).toBe(255n)
    expect(read('uint256', '0xFf')).toBe(255n)
    expect(read('int8', '-128')).toBe(-128n)
    expect(read('int256', `-${2n ** 255n}`)).toBe(-(2n ** 255n))
    expect(read('uint256', `${2n ** 256n - 1n}`)).toBe(2n ** 256n - 1n)
  })

  it.each([
    ['uint8', 256, 'does not fit into uint8'],
    ['uint8', -1, 'does not fit into uint8'],
    ['int8', 128, 'does not fit into int8'],
    ['int8', '-129', 'does not fit into int8'],
    ['uint256', `${2n ** 256n}`, 'does not fit into uint256'],
    ['uint256', '9'.repeat(79), 'is not of type uint256'],
    ['uint256', 2 ** 53, 'is too large for a number of JSON'],
    ['uint256', 1.5, 'is not of type uint256'],
    ['uint256', Number.NaN, 'is not of type uint256'],
    ['uint256', '', 'is not of type uint256'],
    ['uint256', ' 1', 'is not of type uint256'],
    ['uint256', '1e3', 'is not of type uint256'],
    ['uint256', '0x', 'is not of type uint256'],
    ['uint256', true, 'is not of type uint256'],
    ['uint256', [5], 'is not of type uint256'],
    ['uint256', null, 'is missing'],
    ['uint256', undefined, 'is missing'],
    ['bool', 1, 'is not of type bool'],
    ['bool', 'true', 'is not of type bool'],
    ['string', 7, 'is not of type string'],
    ['string', 'half \ud83d', 'is not of type string'],
    ['address', `0x${'a'.repeat(39)}`, 'is not of type address'],
    ['address', `0x${'a'.repeat(42)}`, 'is not of type address'],
    ['address', 'vitalik.eth', 'is not of type address'],
    ['bytes4', '0x123456', 'is not of type bytes4'],
    ['bytes4', '0x1234567890', 'is not of type bytes4'],
    ['bytes', '0x123', 'is not of type bytes'],
    ['bytes', 'abcd', 'is not of type bytes'],
    ['uint8[]', '0x01', 'is not a list'],
    ['uint8[2]', [1], 'has not 2 items'],
    ['uint8[2]', [1, 2, 3], 'has not 2 items'],
  ])('rejects for %s the value %j', (type, value, why) => {
    expect(fault(single(type, value))).toContain(`message.a: ${why}`)
  })

  it('names the path of an invalid value at any depth', () => {
    const types = {
      One: [{ name: 'pairs', type: 'Two[][2]' }],
      Two: [{ name: 'small', type: 'uint8' }],
    }
    const message = { pairs: [[], [{ small: 1 }, { small: 300 }]] }
    expect(fault({ domain: {}, types, primaryType: 'One', message })).toBe(
      'message.pairs.1.1.small: does not fit into uint8.',
    )
    expect(fault({ ...mail, message: { ...mail.message, to: { name: 'Bob' } } })).toBe(
      'message.to.wallet: is missing.',
    )
  })

  it('drops fields that no type declares', () => {
    const to = { ...mail.message.to, note: 'hi' }
    const domain = { ...mail.domain, owner: 'me' }
    const more = { ...mail, domain, message: { ...mail.message, to, amount: '1' } }
    expect(parseTypedData(more)).toEqual(parseTypedData(mail))
  })

  it('rejects a domain that does not follow the standard', () => {
    expect(fault({ ...mail, domain: { ...mail.domain, chainId: 'one' } })).toBe(
      'domain.chainId: is not of type uint256.',
    )
    expect(fault({ ...mail, domain: { name: 'Ether Mail' } })).toBe('domain.version: is missing.')
    expect(fault({ ...mail, domain: undefined })).toBe('domain: is missing.')
    for (const member of [
      { name: 'chainId', type: 'uint64' },
      { name: 'owner', type: 'address' },
      { name: 'toString', type: 'string' },
    ]) {
      const types = { ...mail.types, EIP712Domain: [member] }
      expect(fault({ ...mail, types })).toBe(`types.EIP712Domain.${member.name}: is not a field of a domain.`)
    }
  })

  it.each([
    'uint',
    'int',
    'uint7',
    'uint08',
    'uint264',
    'int0',
    'bytes0',
    'bytes33',
    'bytes01',
    'Address',
    'BOOL',
    'tuple',
    'fixed128x18',
    'Unknown',
    'Unknown[]',
    'toString',
    'constructor',
  ])('rejects the unknown type %s', (type) => {
    expect(fault(single(type, 1))).toContain('is not a known type')
  })

  it.each([
    '',
    '[]',
    'uint8[',
    'uint8[0]',
    'uint8[01]',
    'uint8[-1]',
    'uint8]',
    'uint8[][',
    'uint8 ',
    'uint8,bool b',
    'One)(',
    'uint8[99999999]',
    `uint8${'[]'.repeat(17)}`,
    7,
    null,
  ])('rejects the malformed type %j', (type) => {
    expect(fault(single(type as string, 1))).toBe('types.One.0.type: is not a type.')
  })

  it('rejects invalid and duplicate names', () => {
    for (const name of ['', 'a b', 'a,uint8 b', 'a)', '__proto__', '1a', 'é', 'x'.repeat(129), 7]) {
      const types = { One: [{ name, type: 'bool' }] }
      expect(fault({ ...single('bool', true), types })).toBe('types.One.0.name: is not a name for a field.')
    }
    for (const name of ['', 'a b', 'One(', 'uint8', 'uint', 'bytes', 'bytes99', 'address', 'string', 'x[]']) {
      const types = { [name]: [], One: [{ name: 'a', type: 'bool' }] }
      expect(fault({ ...single('bool', true), types })).toBe(`types.${name}: is not a name for a struct.`)
    }
    const proto = JSON.stringify(single('bool', true)).replace('"One":', '"__proto__":[],"One":')
    expect(fault(proto)).toBe('types.__proto__: is not a name for a struct.')
    const twice = {
      One: [
        { name: 'a', type: 'bool' },
        { name: 'a', type: 'uint8' },
      ],
    }
    expect(fault({ ...single('bool', true), types: twice })).toBe('types.One: names a field twice.')
  })

  it('accepts a colon in a struct name, as used by Hyperliquid', () => {
    const name = 'HyperliquidTransaction:UsdSend'
    const types = { [name]: [{ name: 'amount', type: 'string' }] }
    expect(parseTypedData({ domain: {}, types, primaryType: name, message: { amount: '1' } })).toMatchObject({
      primaryType: name,
    })
  })

  it('accepts a struct that lists itself and rejects one that contains itself', () => {
    const node = (type: string) => ({
      domain: {},
      primaryType: 'Node',
      types: { Node: [{ name: 'next', type }] },
    })
    const listed = { ...node('Node[]'), message: { next: [{ next: [] }] } }
    expect(parseTypedData(listed).message).toEqual({ next: [{ next: [] }] })
    expect(fault({ ...node('Node'), message: { next: { next: {} } } })).toBe(
      'message.next.next.next: is missing.',
    )
  })

  it('rejects input that is not typed data', () => {
    for (const [value, why] of [
      [undefined, 'data: is missing.'],
      ['{', 'data: is not JSON.'],
      ['"text"', 'data: is not an object.'],
      [[], 'data: is not an object.'],
      [{}, 'types: is missing.'],
      [{ ...mail, types: [] }, 'types: is not an object.'],
      [{ ...mail, types: { Mail: {} } }, 'types.Mail: is not a list.'],
      [{ ...mail, types: { Mail: ['bool a'] } }, 'types.Mail.0: is not an object.'],
      [{ ...mail, primaryType: undefined }, 'primaryType: is not among the types.'],
      [{ ...mail, primaryType: 'Letter' }, 'primaryType: is not among the types.'],
      [{ ...mail, primaryType: 'toString' }, 'primaryType: is not among the types.'],
      [{ ...mail, message: undefined }, 'message: is missing.'],
      [{ ...mail, message: 'hi' }, 'message: is not an object.'],
    ] as const) {
      expect(fault(value)).toBe(why)
    }
  })

  it('limits the number of types, fields and values, and the nesting depth', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`T${index}`, []]))
    expect(fault({ ...single('bool', true), types: many })).toBe('types: are more than 100.')
    const wide = { One: Array.from({ length: 1_001 }, (_, index) => ({ name: `f${index}`, type: 'bool' })) }
    expect(fault({ ...single('bool', true), types: wide })).toBe('types: have more than 1000 fields.')
    expect(fault(single('bool[]', Array(10_001).fill(true)))).toContain('no more are read')
    let deep: unknown = []
    for (let level = 0; level < 40; level++) deep = [{ next: deep }]
    const node = { domain: {}, primaryType: 'Node', types: { Node: [{ name: 'next', type: 'Node[]' }] } }
    expect(fault({ ...node, message: { next: deep } })).toContain('is nested deeper than 32')
  })

  it('returns typed data or throws its own error for any JSON, without prototype pollution', () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'a', 'One', 'EIP712Domain', 'uint8', 'types')
    const hostile = fc.record(
      {
        domain: fc.oneof(fc.jsonValue(), fc.constant({})),
        types: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(names, fc.array(fc.record({ name: names, type: names }))),
        ),
        primaryType: fc.oneof(names, fc.jsonValue()),
        message: fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(hostile, (value) => {
        try {
          parseTypedData(JSON.stringify(value))
        } catch (error) {
          expect(error).toBeInstanceOf(WalletError)
          expect((error as WalletError).code).toBe('invalid-params')
        }
      }),
      { numRuns: 2_000 },
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('arrayItemType', () => {
  it('removes the last brackets', () => {
    expect(arrayItemType('uint8[2][]')).toEqual({ item: 'uint8[2]' })
    expect(arrayItemType('uint8[2]')).toEqual({ item: 'uint8', length: 2 })
    expect(arrayItemType('uint8')).toBeUndefined()
  })
})

function fault(value: unknown): string {
  try {
    parseTypedData(value)
  } catch (error) {
    if (error instanceof WalletError && error.code === 'invalid-params') return error.message
    throw error
  }
  return expect.fail('was read')
}
