import * as v from 'valibot'
import type { Bytes } from './bytes.ts'
import { accountsSchema, type Contents } from './contents.ts'

/** Fixed until an unlock migrates the record. */
const onlySeed = '0000000000000000'

/** Decodes version 1: entropy length (1 byte), entropy, seed (64 bytes), JSON. Zeroes `packed`. */
export function unpackLegacy(packed: Bytes): Contents {
  const textAt = 1 + (packed[0] ?? 0) + 64
  const open = v.parse(openShape, JSON.parse(new TextDecoder().decode(packed.subarray(textAt))))
  const bytes = packed.slice(1, textAt)
  packed.fill(0)
  return {
    secrets: [{ id: onlySeed, kind: 'seed', backedUp: open.backedUp, bytes }],
    accounts: open.accounts.map((account) => ({ ...account, secret: onlySeed })),
  }
}

const openShape = v.object({ accounts: accountsSchema, backedUp: v.boolean() })
