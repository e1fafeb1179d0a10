import { isAddress } from 'viem'
import { z } from 'zod'

/** 20 bytes as lower-case hex. In files, mixed case is an EIP-55 checksum. */
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

/** In snapshots and shared memory a kind is its index: append only. */
export const poolKinds = [
  'constant-product',
  'concentrated',
  'weighted',
  'stable',
  'solidly',
  'weighted-v3',
  'stable-v3',
  'curve',
  'curve-factory',
  'curve-ng',
  'pancake-stable',
  'uniswap-v4',
  'algebra',
  'slipstream',
  'converter',
] as const

export type PoolKind = (typeof poolKinds)[number]

const factoryShape = z.object({
  kind: z.enum(poolKinds),
  /** E.g. UNISWAP_V2. */
  source: z.string(),
  title: z.string(),
  address,
  /** Millionths of the input; concentrated pools define their own. */
  feePpm: z.int().min(0).max(999_999).default(0),
  /** At or before its first pool. */
  fromBlock: z.int().min(0).default(0),
  /** Interface of a converter; its address is the contract itself. */
  form: z.enum(['erc4626', 'erc4626-deposit', 'wsteth', 'psm']).exactOptional(),
  /** Account whose maxRedeem shows what a vault pays out, if its assets are elsewhere. */
  holder: address.exactOptional(),
})

function hasOwnForm({ kind, form }: z.infer<typeof factoryShape>): boolean {
  return (kind === 'converter') === (form !== undefined)
}

/** Contracts that the router is bound to, by the kinds of pools that it trades with through them. */
const boundContracts = {
  weighted: 'vault',
  stable: 'vault',
  'weighted-v3': 'vaultV3',
  'stable-v3': 'vaultV3',
  'uniswap-v4': 'poolManager',
} as const

const configShape = z.object({
  chainId: z.int().positive(),
  name: z.string(),
  coin: z.object({ symbol: z.string(), name: z.string(), logoURI: z.string().default('') }),
  wrapped: address,
  router: address,
  multicall: address,
  permit2: address,
  /** Vault of Balancer v2. */
  vault: address.exactOptional(),
  /** PoolManager of Uniswap v4. */
  poolManager: address.exactOptional(),
  /** Vault of Balancer v3. */
  vaultV3: address.exactOptional(),
  /** Undefined if blocks come only with transactions. */
  blockSeconds: z.number().positive().exactOptional(),
  /** Lifetime of a swap, default 900; wallets resend for ten minutes. */
  swapSeconds: z.int().min(60).max(1_200).exactOptional(),
  /** GasPriceOracle of a rollup of the OP stack, whose transactions pay for their data on L1. */
  l1FeeOracle: address.exactOptional(),
  connectors: z.array(address),
  /** Main stablecoins of the US dollar, which prices are measured in; without them there are no prices. */
  stables: z.array(address).exactOptional(),
  factories: z.array(factoryShape.refine(hasOwnForm, 'a converter has a form, other kinds have none')),
  /** All by default; `listed` for chains with millions of pools. */
  pools: z.enum(['all', 'listed']).exactOptional(),
  tokens: z.array(tokenShape),
  /** An additional token list (tokenlists.org): a URL, or a file relative to the config. */
  tokenList: z.string().exactOptional(),
})

/** A chain's config, `service/chains/{chainId}.json`. Token decimals are verified at start. */
export type ChainConfig = z.infer<typeof configShape>
export type TokenInfo = z.infer<typeof tokenShape>
export type Factory = z.infer<typeof factoryShape>

/** Returns what is wrong with factories whose pools the router could not trade with. */
function boundFaults({ factories, ...config }: ChainConfig): string[] {
  return factories.flatMap(({ kind, address }, i) => {
    const name = kind in boundContracts && boundContracts[kind as keyof typeof boundContracts]
    if (!name) return []
    if (config[name] === undefined) return [`factories.${i}: its pools need a ${name}`]
    const isFactory = name === 'poolManager'
    return isFactory && address !== config[name] ? [`factories.${i}: its address is not the ${name}`] : []
  })
}

/** Parses a config. Throws an Error naming the file and each invalid field. */
export function parseConfig(data: unknown, name: string): ChainConfig {
  const result = configShape.safeParse(data)
  const faults = result.success
    ? boundFaults(result.data)
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (result.success && faults.length === 0) return result.data
  throw new Error(`${name} is not a chain config. ${faults.join('; ')}`)
}
