import { expect, it } from 'vitest'
import { poolKinds } from '../../../service/config.ts'
import { parseHead, toHead } from '../../../service/snapshot/poolRecord.ts'

it('has room for every kind of pool, and for the most tokens, in the head of a record', () => {
  for (const kind of poolKinds) {
    for (const tokenCount of [2, 8, 255]) {
      expect(parseHead(toHead(kind, tokenCount))).toEqual({ kind, tokenCount })
    }
  }
})
