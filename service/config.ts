import { isAddress } from 'viem'
import { z } from 'zod'

/** 20 bytes as lower-case hex. In files both letter cases are read; where they are mixed, they are a checksum (EIP-55). */
export type Address = `0x${string}`

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address')
  .refine((text) => isAddress(text) || text.slice(2) === text.slice(2).toUpperCase(), 'has a wrong checksum')
  .transform((text) => text.toLowerCase() as Address)

const tokenShape = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
  logoURI: z.string().default(''),
  domainVersion: z.string().optional(),
  eip2612: z.boolean().optional(),
  isFoT: z.boolean().optional(),
  tags: z.array(z.string()).default([]),
})

const factoryShape = z.object({
  kind: z.enum(['constant-product', 'concentrated', 'weighted', 'stable']),
  /** The id in liquidity-sources, e.g. UNISWAP_V2. */
  source: z.string(),
  title: z.string(),
  address,
  /** What its pools take from the input, in millionths. Concentrated pools say it themselves. */
  feePpm: z.int().min(0).max(999_999).default(0),
  /** The block of its first pool or earlier. */
  fromBlock: z.int().min(0).default(0),
})

const configShape = z.object({
  chainId: z.int().positive(),
  name: z.string(),
  coin: z.object({ symbol: z.string(), name: z.string(), logoURI: z.string().default('') }),
  wrapped: address,
  router: address,
  multicall: address,
  permit2: address,
  /** Balancer's vault, where there is one. */
  vault: address.exactOptional(),
  /** How often there is a block; absent where blocks come only with transactions. */
  blockSeconds: z.number().positive().exactOptional(),
  /** How long a swap can be executed after it was built, in seconds: 900 unless given. Wallets resend for ten minutes. */
  swapSeconds: z.int().min(60).max(1_200).exactOptional(),
  connectors: z.array(address),
  factories: z.array(factoryShape),
  /** Which of the factories' pools are read: all unless given, or those between listed tokens, since some chains have millions. */
  pools: z.enum(['all', 'listed']).exactOptional(),
  tokens: z.array(tokenShape),
  /** A token list (tokenlists.org) to be listed besides: a URL, or a file as seen from the config's folder. */
  tokenList: z.string().exactOptional(),
})

/** What an operator says of a chain: `service/chains/{chainId}.json`. Decimals of listed tokens are checked on chain at start. */
export type ChainConfig = z.infer<typeof configShape>
export type TokenInfo = z.infer<typeof tokenShape>
export type Factory = z.infer<typeof factoryShape>

/** Parses a chain's config. Throws an Error that names the file and each field that is wrong. */
export function parseConfig(data: unknown, name: string): ChainConfig {
  const result = configShape.safeParse(data)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${name} is not a chain config. ${faults.join('; ')}`)
}
