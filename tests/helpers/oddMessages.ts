import fc from 'fast-check'

const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    '#bigint',
    'length',
    '0',
    'id',
  ),
  fc.string({ maxLength: 6 }),
)
const leaf = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 2 ** 60, '', '0x', '__proto__', 'constructor', null, true, '9'.repeat(400)),
  fc.constantFrom(...['1', 'x', '-', '1e999', '0x1g'].map((digits) => ({ '#bigint': digits }))),
  fc.string({ maxLength: 20 }),
)

/** Prototype keys, invalid tagged numbers, deep and large values. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'json' },
        leaf.map((one) => JSON.stringify(one)),
        fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'json' }).map((items) => `[${items.join()}]`),
        fc
          .array(fc.tuple(key, tie('value')), { maxLength: 3, depthIdentifier: 'json' })
          // Objects take a `__proto__` key as their prototype.
          .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
      ),
    })).value,
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(100, 101, 5_000, 50_000)
      .map((levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(100, 3_000)
      .map((levels) => `${'{"__proto__":'.repeat(levels)}{"x":1}${'}'.repeat(levels)}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1_000, 300_000, 1_100_000).map((size) => JSON.stringify('x'.repeat(size))),
  },
)
