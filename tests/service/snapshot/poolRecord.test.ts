import { expect, it } from 'vitest'
import { type PoolKind, poolKinds } from '../../../service/config.ts'
import { headOf, parseHead, toHead } from '../../../service/snapshot/poolRecord.ts'

it('has room for every kind of pool, and for the most tokens, in the head of a record', () => {
  for (const kind of poolKinds) {
    for (const tokenCount of [2, 8, 255]) {
      expect(parseHead(toHead(kind, tokenCount))).toEqual({ kind, tokenCount })
    }
  }
})

it('rejects a kind or a number of tokens that a head would read as another one', () => {
  expect(parseHead(headOf(poolKinds.length - 1, 2)).kind).toBe(poolKinds.at(-1))
  for (const kind of [-1, 16, 17]) expect(() => headOf(kind, 2), String(kind)).toThrow(RangeError)
  expect(() => toHead('no-kind' as PoolKind, 2)).toThrow('no room for kind -1')
  expect(() => toHead('stable', 2 ** 27)).toThrow('no room for 134217728 tokens')
})
