import * as v from 'valibot'
import { sanitizeText } from '../domain/sanitize.ts'
import type { Address, Hex } from '../domain/token/token.ts'

// Schemas common to both versions.

export const amount = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9]\d{0,77})$/),
  v.transform((digits) => BigInt(digits)),
  v.bigint(),
  v.maxValue(2n ** 256n - 1n),
)
export const address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{40}$/),
  v.transform((text) => text.toLowerCase() as Address),
)
export const hex = v.pipe(
  v.string(),
  v.regex(/^0x([0-9a-fA-F]{2})*$/),
  v.transform((text) => text.toLowerCase() as Hex),
)
export const gas = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.transform((units) => BigInt(units)),
)
export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100))
export const label = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => sanitizeText(text, most)),
  )
/** Not sanitised, as it is sent back. */
export const sourceId = v.pipe(v.string(), v.regex(/^[^\p{C}\s,]{1,100}$/u))
/** The wallet fetches no images. */
export const source = v.object({ id: sourceId, title: label(100) })

export const transaction = v.object({
  from: address,
  to: address,
  data: hex,
  value: amount,
  gasPrice: amount,
  gas,
})

export const spenderResponse = v.object({ address })
