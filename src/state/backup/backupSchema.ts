import * as v from 'valibot'
import { maxContacts } from '../../domain/address/contact.ts'
import { languageChoices, themes } from '../../domain/preferences.ts'
import { slippageLimits } from '../../domain/swap/quote.ts'
import { routeLimits } from '../../domain/swap/routeOptions.ts'
import { type Address, parseAddress } from '../../domain/token/token.ts'
import { currencies } from '../../domain/value/currency.ts'

// Backup file, version 1. Must stay readable while the settings change.

export const backupVersion = 1

const address = v.pipe(
  v.string(),
  v.transform(parseAddress),
  v.custom<Address>((value) => value !== undefined, 'no-address'),
)
const count = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))
const chainId = count(1, Number.MAX_SAFE_INTEGER)
const isHttp = (text: string) => {
  const { protocol, hostname } = new URL(text)
  const isOwn = hostname === '127.0.0.1' || hostname === 'localhost'
  return protocol === 'https:' || (protocol === 'http:' && isOwn)
}
const url = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check((text) => URL.canParse(text) && isHttp(text), 'no-https-url'),
)
const sources = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^\s,]{1,100}$/))), v.maxLength(200))
const digits = v.pipe(
  v.string(),
  v.regex(/^\d{1,30}$/),
  v.transform((text) => BigInt(text)),
)

/** Checksummed addresses, amounts as text. */
const options = v.pipe(
  v.object({
    protocols: v.exactOptional(sources),
    excludedProtocols: v.exactOptional(sources),
    complexityLevel: v.exactOptional(count(...routeLimits.complexityLevel)),
    parts: v.exactOptional(count(...routeLimits.parts)),
    mainRouteParts: v.exactOptional(count(...routeLimits.mainRouteParts)),
    gasLimit: v.exactOptional(count(...routeLimits.gasLimit)),
    connectorTokens: v.exactOptional(
      v.union([
        count(...routeLimits.connectorTokens),
        v.pipe(v.array(address), v.minLength(1), v.maxLength(routeLimits.connectorTokens[1])),
      ]),
    ),
    gasPrice: v.exactOptional(digits),
    feeBps: v.exactOptional(count(...routeLimits.feeBps)),
    referrer: v.exactOptional(address),
  }),
  v.check(({ feeBps, referrer }) => !feeBps || referrer !== undefined, 'fee-without-referrer'),
)

/** Missing fields stay unchanged. */
const network = v.object({
  chainId,
  name,
  coin: v.object({ symbol: name, name }),
  serviceUrl: v.exactOptional(url),
  serviceVersion: v.picklist(['6.1', '3.0']),
  serviceKey: v.exactOptional(v.pipe(v.string(), v.maxLength(2_000))),
  rpcUrl: v.exactOptional(url),
  spareRpcUrl: v.exactOptional(url),
  explorerUrl: v.exactOptional(url),
  router: v.exactOptional(address),
  options: v.exactOptional(options),
  confirmations: count(0, 1_000),
  quoteEveryMs: count(1_000, 600_000),
})

/** Excludes the current account and network. */
const choices = v.object({
  slippageBps: v.optional(v.nullable(count(slippageLimits.leastBps, slippageLimits.mostBps))),
  autoLockMinutes: v.exactOptional(count(1, 60)),
  pageSwaps: v.exactOptional(v.boolean()),
  defaultWallet: v.exactOptional(v.boolean()),
  strictCalldata: v.exactOptional(v.boolean()),
  accessLists: v.exactOptional(v.boolean()),
  // Values of later versions are ignored.
  language: v.fallback(v.optional(v.picklist(languageChoices)), undefined),
  theme: v.fallback(v.optional(v.picklist(themes)), undefined),
  currency: v.fallback(v.optional(v.picklist(currencies)), undefined),
  showValues: v.exactOptional(v.boolean()),
  shortcuts: v.exactOptional(v.boolean()),
})

const contact = v.object({ address, name, note: v.exactOptional(name) })

export const backupSchema = v.object({
  kind: v.literal('sluice-settings'),
  version: v.literal(backupVersion),
  madeAt: v.string(),
  settings: choices,
  networks: v.pipe(
    v.array(network),
    v.maxLength(200),
    v.check((all) => new Set(all.map((one) => one.chainId)).size === all.length, 'network-twice'),
  ),
  favourites: v.pipe(
    v.array(v.object({ chainId, tokens: v.pipe(v.array(address), v.maxLength(100)) })),
    v.maxLength(200),
  ),
  // Missing in older files.
  contacts: v.optional(
    v.pipe(
      v.array(contact),
      v.maxLength(maxContacts),
      v.check((all) => new Set(all.map((one) => one.address)).size === all.length, 'contact-twice'),
    ),
    [],
  ),
})

export type Backup = v.InferOutput<typeof backupSchema>
