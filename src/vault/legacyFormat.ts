import * as v from 'valibot'
import type { Bytes } from './bytes.ts'
import { accountsShape, type Contents } from './contents.ts'

/** The first format knew one phrase and gave it no id. It has to be the same at each look, until an unlock writes it anew. */
const onlySeed = '0000000000000000'

/**
 * The contents of a record of version 1: one byte with the entropy's length, the entropy, the seed (64 bytes), then the accounts,
 * all of that seed, as JSON. `packed` is filled with zero.
 */
export function unpackFirst(packed: Bytes): Contents {
  const textAt = 1 + (packed[0] ?? 0) + 64
  const open = v.parse(openShape, JSON.parse(new TextDecoder().decode(packed.subarray(textAt))))
  const bytes = packed.slice(1, textAt)
  packed.fill(0)
  return {
    secrets: [{ id: onlySeed, kind: 'seed', backedUp: open.backedUp, bytes }],
    accounts: open.accounts.map((account) => ({ ...account, secret: onlySeed })),
  }
}

const openShape = v.object({ accounts: accountsShape, backedUp: v.boolean() })
