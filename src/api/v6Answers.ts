import * as z from 'zod/mini'
import { plainText } from '../domain/text.ts'
import type { Address, Hex, Token } from '../domain/token.ts'
import type { Hop } from '../domain/trade.ts'
import type { LiquiditySource } from './api.ts'

// The shapes of the 6.1 answers (service-interface, Resources), each turning the wire's words into ours.

const amount = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/)),
    z.transform((digits) => BigInt(digits)),
  ),
  z.bigint().check(z.lt(2n ** 256n)),
)
const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => text.toLowerCase() as Address),
)
const hex = z.pipe(
  z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/)),
  z.transform((text) => text.toLowerCase() as Hex),
)
const slot = hex.check(z.length(66))
const gas = z.pipe(
  z.int().check(z.nonnegative()),
  z.transform((units) => BigInt(units)),
)
const percent = z.number().check(z.gte(0), z.lte(100))
const index = z.int().check(z.nonnegative())
const label = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((text) => plainText(text, most)),
  )

const hop = z.pipe(
  z.object({
    part: percent,
    dst: address,
    fromTokenId: index,
    toTokenId: index,
    protocols: z.array(z.object({ name: label(100), part: percent })).check(z.minLength(1)),
  }),
  z.transform(
    ({ part, dst, protocols }): Hop => ({
      buy: dst,
      share: part,
      sources: protocols.map(({ name, part }) => ({ name, share: part })),
    }),
  ),
)
const split = z.object({ token: address, hops: z.array(hop).check(z.minLength(1)) })

export const quoteAnswer = z.object({ dstAmount: amount, gas, protocols: z.array(split) })

const transaction = z.object({
  from: address,
  to: address,
  data: hex,
  value: amount,
  gasPrice: amount,
  gas,
  gasUsed: z.optional(gas),
  accessList: z.optional(z.array(z.object({ address, storageKeys: z.array(slot) }))),
})
export const swapAnswer = z.object({
  dstAmount: amount,
  tx: transaction,
  protocols: z.optional(z.array(split)),
})

export const spenderAnswer = z.object({ address })

export const approvalAnswer = z.object({ to: address, data: hex, value: amount, gasPrice: amount })

export const allowanceAnswer = z.object({ allowance: amount })

const source = z.pipe(
  z.object({
    // Sent back as it came, so it is checked rather than cleaned.
    id: z.string().check(z.regex(/^[^\p{C}\s,]{1,100}$/u)),
    title: label(100),
    img: z.string(),
    img_color: z.string(),
  }),
  z.transform(
    ({ id, title, img, img_color }): LiquiditySource => ({ id, title, image: img, colorImage: img_color }),
  ),
)
export const sourcesAnswer = z.object({ protocols: z.array(source) })

export const tokenAnswer = z.pipe(
  z.object({
    address,
    symbol: label(20).check(z.minLength(1)),
    name: label(60),
    decimals: z.int().check(z.gte(0), z.lte(255)),
    eip2612: z.optional(z.boolean()),
    isFoT: z.optional(z.boolean()),
    tags: z.optional(z.array(label(100))),
  }),
  z.transform(
    ({ eip2612, isFoT, tags, ...token }): Token => ({
      ...token,
      listed: true,
      eip2612: eip2612 ?? false,
      taxed: isFoT ?? false,
      tags: tags ?? [],
    }),
  ),
)
/** Entries stay unknown here: one that is not a `token` must not hide the others. */
export const tokensAnswer = z.object({ tokens: z.record(z.string(), z.unknown()) })
