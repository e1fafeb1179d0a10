import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as parameter from '../../../service/api/parameters.ts'
import * as value from '../../../service/api/parameterTypes.ts'
import { parseQuery } from '../../../service/api/versionRouter.ts'
import type { ServiceError } from '../../../service/errors.ts'
import { percentUnit } from '../../../service/swap/request.ts'

const token = `0x${'Ab'.repeat(20)}`

function read(schema: z.ZodType, text: string): unknown {
  return attempt(z.object({ x: schema }), new URLSearchParams({ x: text }).toString(), (values) => values.x)
}

function attempt<Shape extends z.ZodRawShape>(
  shape: z.ZodObject<Shape>,
  query: string,
  pick: (values: z.output<z.ZodObject<Shape>>) => unknown = (values) => values,
): unknown {
  try {
    return pick(parseQuery(shape, `http://service/?${query}`))
  } catch (error) {
    return `${(error as ServiceError).code}: ${(error as ServiceError).description}`
  }
}

describe('amount', () => {
  it('accepts every integer of up to 256 bits and rejects larger ones', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 260n), (units) => {
        const expected = units < 2n ** 256n ? units : 'VALIDATION_FAILED: x is above 2^256-1'
        expect(read(value.amount, String(units))).toBe(expected)
      }),
    )
  })

  it.each(['1e18', '0x10', '+1', '-1', '1.0', ' 1', '1 ', '01', '00', '', 'abc', '١', '1_000'])(
    'rejects the amount "%s"',
    (text) => {
      expect(read(value.amount, text)).toBe('INVALID_NUMBER: x is not a decimal integer')
    },
  )

  it('rejects zero only for a sold amount', () => {
    expect(read(value.amount, '0')).toBe(0n)
    expect(read(value.positiveAmount, '0')).toBe('VALIDATION_FAILED: x must be above 0')
  })
})

describe('empty values', () => {
  it.each([
    ['receiver', parameter.receiver.exactOptional()],
    ['permit', parameter.permit.exactOptional()],
    ['protocols', parameter.sources.exactOptional()],
    ['gasPrice', parameter.gasPrice.exactOptional()],
    ['minReturn', parameter.minReturn.exactOptional()],
    ['slippage', parameter.slippage.exactOptional()],
    ['connectorTokens', parameter.connectors.exactOptional()],
    ['infinity', parameter.infinity.exactOptional()],
    ['fee', parameter.fee],
    ['complexityLevel', parameter.complexityLevel],
    ['parts', parameter.parts],
    ['mainRouteParts', parameter.mainRouteParts],
    ['gasLimit', parameter.gasLimit],
    ['usePermit2', parameter.usePermit2],
  ])('reads an empty optional %s as an absent one', (name, schema) => {
    const shape = z.object({ [name]: schema })
    expect(attempt(shape, `${name}=`)).toEqual(attempt(shape, ''))
    expect(attempt(shape, name)).toEqual(attempt(shape, ''))
    expect(attempt(shape, `${name}=&${name}=`)).toBe(`VALIDATION_FAILED: ${name} is given twice`)
  })

  it('reports an empty required value as missing, an empty required number as malformed', () => {
    expect(read(parameter.payer, '')).toBe('REQUIRED_FIELD_MISSING: x is not set')
    expect(read(parameter.currency, '')).toBe('REQUIRED_FIELD_MISSING: x is not set')
    expect(read(parameter.sellAmount, '')).toBe('INVALID_NUMBER: x is not a decimal integer')
    expect(read(parameter.slippage, '')).toBe('INVALID_NUMBER: x is not a number')
  })
})

describe('address', () => {
  it('accepts an address in any letter case and returns lower case', () => {
    expect(read(value.address, token)).toBe(token.toLowerCase())
    expect(read(value.address, `0x${'EE'.repeat(20)}`)).toBe(`0x${'ee'.repeat(20)}`)
  })

  it.each([
    '0x',
    token.slice(2),
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `0X${token.slice(2)}`,
    'vitalik.eth',
  ])('rejects the address "%s"', (text) => {
    expect(read(value.address, text)).toBe('VALIDATION_FAILED: x is not an address')
  })

  it('rejects the zero address as a recipient', () => {
    expect(read(value.nonZeroAddress, `0x${'00'.repeat(20)}`)).toBe(
      'VALIDATION_FAILED: x is the zero address',
    )
    expect(read(value.nonZeroAddress, token)).toBe(token.toLowerCase())
  })
})

describe('percentages', () => {
  it.each([
    ['0', 0n],
    ['50', 50n * percentUnit],
    ['0.3333', (3333n * percentUnit) / 10_000n],
    ['0.000000000000000001', 1n],
    ['50.0', 50n * percentUnit],
  ])('parses a slippage of %s', (text, expected) => {
    expect(read(parameter.slippage, text)).toBe(expected)
  })

  it.each([
    ['50.0001', 'SLIPPAGE_TOO_HIGH: x must not be above 50'],
    ['51', 'SLIPPAGE_TOO_HIGH: x must not be above 50'],
    ['-1', 'VALIDATION_FAILED: x must not be below 0'],
    ['0.0000000000000000001', 'VALIDATION_FAILED: x has more than 18 decimals'],
    ['', 'INVALID_NUMBER: x is not a number'],
    ['1e1', 'INVALID_NUMBER: x is not a number'],
    ['1,5', 'INVALID_NUMBER: x is not a number'],
    ['.5', 'INVALID_NUMBER: x is not a number'],
    ['5.', 'INVALID_NUMBER: x is not a number'],
    ['NaN', 'INVALID_NUMBER: x is not a number'],
    ['Infinity', 'INVALID_NUMBER: x is not a number'],
  ])('rejects a slippage of "%s"', (text, refusal) => {
    expect(read(parameter.slippage, text)).toBe(refusal)
  })

  it.each([
    ['0', 0],
    ['3', 30_000],
    ['1.5', 15_000],
    ['0.0001', 1],
    ['0.30000', 3_000],
    ['0.00001', 0],
    ['0.33339999', 3_333],
    ['2.999999999999999999', 29_999],
    ['3.000000000000000000', 30_000],
  ])('parses a fee of %s percent to parts per million', (text, expected) => {
    expect(read(parameter.fee, text)).toBe(expected)
  })

  it.each([
    ['3.0001', 'VALIDATION_FAILED: x must not be above 3'],
    ['-0.1', 'VALIDATION_FAILED: x must not be below 0'],
    ['3.000000000000000001', 'VALIDATION_FAILED: x must not be above 3'],
    ['one', 'INVALID_NUMBER: x is not a number'],
  ])('rejects a fee of "%s"', (text, refusal) => {
    expect(read(parameter.fee, text)).toBe(refusal)
  })

  it('accepts and rejects the same number formats for a fee as for a slippage', () => {
    const forms = [
      '0.123456789',
      '1.0',
      '01',
      '1.',
      '.5',
      '+1',
      ' 1',
      '1 ',
      '1e0',
      '0x1',
      '١',
      '１',
      '0.0000000000000000001',
    ]
    const refusals = (schema: z.ZodType) =>
      forms.map((text) => /^[A-Z_]+: .*/.exec(`${read(schema, text)}`)?.[0])
    expect(refusals(parameter.fee)).toEqual(refusals(parameter.slippage))
    expect(refusals(parameter.fee).slice(0, 3)).toEqual([
      undefined,
      undefined,
      'INVALID_NUMBER: x is not a number',
    ])
  })
})

describe('counts', () => {
  it.each([
    ['complexityLevel', parameter.complexityLevel, 0, 2],
    ['parts', parameter.parts, 0, 50],
    ['mainRouteParts', parameter.mainRouteParts, 0, 10],
    ['gasLimit', parameter.gasLimit, 100_000, 11_500_000],
  ])('accepts %s within its limits only', (_name, schema, min, max) => {
    expect(Number(read(schema, String(max)))).toBe(max)
    expect(String(read(schema, String(min)))).toMatch(/^\d+$/)
    const refusal = `VALIDATION_FAILED: x must be from ${min} to ${max}`
    expect(read(schema, String(min - 1))).toBe(refusal)
    expect(read(schema, String(max + 1))).toBe(refusal)
    for (const text of ['1.5', 'one', '0x1', '1e2', '+1', ' 1']) {
      expect(read(schema, text)).toBe('INVALID_NUMBER: x is not a whole number')
    }
  })

  it('replaces zero by the default number of parts', () => {
    expect(read(parameter.parts, '0')).toBe(50)
    expect(read(parameter.mainRouteParts, '0')).toBe(10)
    expect(read(parameter.complexityLevel, '0')).toBe(0)
  })
})

describe('connectorTokens', () => {
  it('accepts a count or a list of addresses', () => {
    expect(read(parameter.connectors, '0')).toEqual({ count: 0 })
    expect(read(parameter.connectors, '5')).toEqual({ count: 5 })
    const tokens = [token.toLowerCase(), `0x${'11'.repeat(20)}`]
    expect(read(parameter.connectors, tokens.join(','))).toEqual({ count: 2, tokens })
    expect(read(parameter.connectors, Array(5).fill(token).join(','))).toMatchObject({ count: 5 })
  })

  it.each(['6', '-1', '1.5', 'x', `${token},`, Array(6).fill(token).join(',')])(
    'rejects connectorTokens "%s"',
    (text) => {
      expect(read(parameter.connectors, text)).toBe(
        'VALIDATION_FAILED: x is neither 0 to 5 nor up to five addresses',
      )
    },
  )
})

describe('flags, ids and permits', () => {
  it('accepts true and false in any letter case, 1 and 0 for a flag, and nothing else', () => {
    for (const text of ['true', 'TRUE', 'True', '1']) expect(read(value.flag, text)).toBe(true)
    for (const text of ['false', 'FALSE', 'fAlse', '0']) expect(read(value.flag, text)).toBe(false)
    for (const text of ['2', '01', '-1', 'yes', 't', 'null', ' true', 'true\n', 'truefalse']) {
      expect(read(value.flag, text)).toBe('VALIDATION_FAILED: x is not true or false')
    }
  })

  it('parses a missing flag as false', () => {
    expect(attempt(z.object({ x: value.flag }), '')).toEqual({ x: false })
  })

  it('splits ids and keeps their letter case', () => {
    expect(read(parameter.sources, 'UNISWAP_V2,weth')).toEqual(['UNISWAP_V2', 'weth'])
  })

  it('accepts permits of 7, 8 and 12 words only', () => {
    for (const words of [7, 8, 12])
      expect(read(parameter.permit, `0x${'AB'.repeat(32 * words)}`)).toBe(`0x${'ab'.repeat(32 * words)}`)
    const words = (count: number) => `0x${'ab'.repeat(32 * count)}`
    for (const text of ['0x', words(6), words(9), words(11), words(13), `0x${'ab'.repeat(225)}`, 'xyz']) {
      expect(read(parameter.permit, text)).toBe('VALIDATION_FAILED: x is not hex of 7, 8 or 12 words')
    }
  })
})

describe('counts of version 3.0', () => {
  it('accepts larger counts and caps the parts at the limits of routes', () => {
    expect(['0', '2', '3'].map((text) => read(parameter.complexityText, text))).toEqual([0, 2, 3])
    expect(['0', '7', '50', '100'].map((text) => read(parameter.manyParts, text))).toEqual([50, 7, 50, 50])
    expect(['0', '7', '50'].map((text) => read(parameter.manyMainRouteParts, text))).toEqual([10, 7, 10])
    expect(read(parameter.complexityText, '4')).toBe('VALIDATION_FAILED: x must be from 0 to 3')
    expect(read(parameter.manyParts, '101')).toBe('VALIDATION_FAILED: x must be from 0 to 100')
    expect(read(parameter.manyMainRouteParts, '51')).toBe('VALIDATION_FAILED: x must be from 0 to 50')
  })

  it('accepts a list of connector tokens but no number of them', () => {
    expect(read(parameter.connectorList, `${token},${token}`)).toMatchObject({ count: 2 })
    for (const text of ['3', `${token},`, Array(6).fill(token).join(',')]) {
      expect(read(parameter.connectorList, text)).toBe('VALIDATION_FAILED: x is not one to five addresses')
    }
  })
})

describe('parseQuery', () => {
  const shape = z.object({
    one: value.address,
    two: value.amount,
    three: value.trueOrFalse.exactOptional(),
  })

  it('reports missing fields before malformed numbers, and those before all other errors', () => {
    expect(attempt(shape, 'one=x&three=x')).toBe('REQUIRED_FIELD_MISSING: two is not set')
    expect(attempt(shape, 'one=x&two=x&three=x')).toBe('INVALID_NUMBER: two is not a decimal integer')
    expect(attempt(shape, 'three=x&two=1&one=x')).toBe('VALIDATION_FAILED: one is not an address')
  })

  it('rejects a repeated parameter, even with the same value', () => {
    expect(attempt(shape, `one=${token}&two=1&two=1`)).toBe('VALIDATION_FAILED: two is given twice')
    expect(attempt(shape, `one=${token}&two=1&three=true&three=true`)).toBe(
      'VALIDATION_FAILED: three is given twice',
    )
  })

  it('ignores unknown parameters, whatever their name', () => {
    const query = `one=${token}&two=1&four=4&four=5&__proto__=6&constructor=7`
    expect(attempt(shape, query)).toEqual({ one: token.toLowerCase(), two: 1n })
  })
})
