import * as v from 'valibot'
import type { Hop } from '../domain/swap/quote.ts'
import { maxName, maxSymbol, type Token } from '../domain/token/token.ts'
import { address, amount, gas, hex, label, percent, source, transaction } from './schemas.ts'

// Service-interface, Resources.

const slot = v.pipe(hex, v.length(66))
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const hop = v.pipe(
  v.object({
    part: percent,
    dst: address,
    fromTokenId: index,
    toTokenId: index,
    protocols: v.pipe(v.array(v.object({ name: label(100), part: percent })), v.minLength(1)),
  }),
  v.transform(
    ({ part, dst, protocols }): Hop => ({
      buy: dst,
      share: part,
      sources: protocols.map(({ name, part }) => ({ name, share: part })),
    }),
  ),
)
const split = v.object({ token: address, hops: v.pipe(v.array(hop), v.minLength(1)) })

const described = v.optional(v.object({ address }))
const offer = { dstAmount: amount, srcToken: described, dstToken: described }

export const quoteResponse = v.object({ ...offer, gas, protocols: v.array(split) })

export const swapResponse = v.object({
  ...offer,
  tx: v.object({
    ...transaction.entries,
    accessList: v.optional(v.array(v.object({ address, storageKeys: v.array(slot) }))),
  }),
  protocols: v.optional(v.array(split)),
})

export const sourcesResponse = v.object({ protocols: v.array(source) })

export const tokenResponse = v.pipe(
  v.object({
    address,
    symbol: v.pipe(label(maxSymbol), v.minLength(1)),
    name: label(maxName),
    decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255)),
    eip2612: v.optional(v.boolean()),
    isFoT: v.optional(v.boolean()),
    tags: v.optional(v.array(label(100))),
  }),
  v.transform(
    ({ eip2612, isFoT, tags, ...token }): Token => ({
      ...token,
      listed: true,
      eip2612: eip2612 ?? false,
      taxed: isFoT ?? false,
      tags: tags ?? [],
    }),
  ),
)
/** Validated one by one, so an invalid one does not hide the others. */
export const tokensResponse = v.object({
  // Rejects arrays.
  tokens: v.custom<Record<string, unknown>>(
    (found) => typeof found === 'object' && found !== null && !Array.isArray(found),
  ),
})
