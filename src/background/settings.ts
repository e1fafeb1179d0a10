import * as v from 'valibot'
import { builtInNetworks, defaultSettings } from '../config.ts'
import { type Contact, maxContacts } from '../domain/address/contact.ts'
import { decode, encode } from '../domain/json.ts'
import { withChainConstants } from '../domain/network/chains.ts'
import type { Network, NotificationSettings, Settings } from '../domain/network/network.ts'
import { parseOrUndefined } from '../domain/parseOrUndefined.ts'
import { languageChoices, themes } from '../domain/preferences.ts'
import { currencies } from '../domain/value/currency.ts'
import { cached } from '../lib/async/cached.ts'
import { createMutex } from '../lib/async/mutex.ts'
import { address, chainId, networkRouteOptions, parse, slippage } from './schemas.ts'
import type { LocalStorage } from './storage.ts'

export type SettingsStore = {
  get(): Promise<Settings>
  /** Runs in a queue. Throws `invalid-input` and stores nothing then. */
  update(change: (before: Settings) => unknown): Promise<Settings>
  /** Clears the cache. */
  forget(): void
}

const key = 'settings'
const damagedKey = 'settings.damaged'

/** Creates the store. An unreadable record moves to `settings.damaged` on the first update. */
export function createSettings(
  local: LocalStorage,
  onChange: (changed: Settings) => Promise<void> = async () => undefined,
): SettingsStore {
  const runExclusive = createMutex()
  let aside = {}
  const { get, set, forget } = cached(async () => {
    const stored = await local.get(key)
    const known = stored === undefined ? defaultSettings() : read(stored)
    aside = known === undefined ? { [damagedKey]: stored } : {}
    return known ?? { ...defaultSettings(), isLost: true }
  })

  function update(change: (before: Settings) => unknown): Promise<Settings> {
    return runExclusive(async () => {
      const before = await get()
      const after = change(before)
      if (after === before) return before
      const parsed = parse(settingsShape, after, 'settings')
      // Storage cannot hold bigints.
      await local.set({ ...aside, [key]: JSON.parse(encode(parsed)) })
      aside = {}
      set(parsed)
      await onChange(parsed)
      return parsed
    })
  }

  return { get, update, forget }
}

function read(stored: unknown): Settings | undefined {
  try {
    return parseOrUndefined(settingsShape, decode(JSON.stringify(stored)))
  } catch {
    // Malformed bigint.
    return undefined
  }
}

/** Returns true for https, and for http on this machine, where traffic cannot be altered. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  return protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
}

export const urlSchema = v.pipe(
  v.string(),
  v.check(isSecureUrl, 'is not an https address, or http on this machine'),
)
const urlOrEmpty = v.pipe(
  v.string(),
  v.check((text) => text === '' || isSecureUrl(text), 'is not an https address, or http on this machine'),
)
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(64))

const positive = v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 128n))

export const networkSchema: v.GenericSchema<unknown, Network> = v.object({
  chainId,
  name,
  coin: v.object({ symbol: name, name }),
  serviceUrl: urlOrEmpty,
  serviceVersion: v.exactOptional(v.picklist(['6.1', '3.0'])),
  serviceKey: v.exactOptional(v.string()),
  rpcUrl: urlOrEmpty,
  spareRpcUrl: v.exactOptional(urlOrEmpty),
  router: v.exactOptional(address),
  wrapped: v.exactOptional(address),
  rollup: v.exactOptional(v.literal('op')),
  feeLimit: v.exactOptional(positive),
  tipLimit: v.exactOptional(positive),
  options: v.exactOptional(networkRouteOptions),
  explorerUrl: v.exactOptional(urlSchema),
  faucetUrl: v.exactOptional(urlSchema),
  stable: v.exactOptional(address),
  market: v.exactOptional(
    v.object({
      oracle: v.exactOptional(address),
      v2Factory: v.exactOptional(address),
      v3Factory: v.exactOptional(address),
      quoter: v.exactOptional(address),
      swapRouter: v.exactOptional(address),
      currencyFeeds: v.exactOptional(v.record(v.picklist(currencies), address)),
    }),
  ),
  confirmations: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000)),
  quoteEveryMs: v.pipe(v.number(), v.safeInteger(), v.minValue(1_000), v.maxValue(600_000)),
})

export const contactSchema: v.GenericSchema<unknown, Contact> = v.object({
  address,
  name,
  note: v.exactOptional(name),
})

/** The longest translation is below 90 characters. */
const notificationText = v.pipe(v.string(), v.minLength(1), v.maxLength(160))

export const notificationSettingsSchema: v.GenericSchema<unknown, NotificationSettings> = v.object({
  done: notificationText,
  'below-minimum': v.exactOptional(notificationText),
  failed: notificationText,
  'needs-unlock': notificationText,
})

/** Older records lack built-in networks. */
function withBuiltIn(networks: Network[]): Network[] {
  const isMissing = ({ chainId }: Network) => networks.every((one) => one.chainId !== chainId)
  return [...networks, ...builtInNetworks().filter(isMissing)]
}

/** Another window may have added the same entry. */
function eachOnce<One>(nameOf: (one: One) => unknown) {
  return v.check((all: One[]) => new Set(all.map(nameOf)).size === all.length, 'names one twice')
}

const settingsShape: v.GenericSchema<unknown, Settings> = v.pipe(
  v.object({
    chainId,
    networks: v.pipe(
      v.array(v.pipe(networkSchema, v.transform(withChainConstants))),
      v.minLength(1),
      v.maxLength(200),
      eachOnce(({ chainId }: Network) => chainId),
      v.transform(withBuiltIn),
    ),
    slippageBps: v.exactOptional(slippage),
    autoLockMinutes: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(60)),
    account: v.exactOptional(address),
    // Older records lack fields with a default.
    pageSwaps: v.optional(v.boolean(), true),
    defaultWallet: v.optional(v.boolean(), false),
    strictCalldata: v.optional(v.boolean(), true),
    accessLists: v.optional(v.boolean(), false),
    language: v.fallback(v.optional(v.picklist(languageChoices), 'auto'), 'auto'),
    theme: v.fallback(v.optional(v.picklist(themes), 'system'), 'system'),
    currency: v.fallback(v.optional(v.picklist(currencies), 'USD'), 'USD'),
    showValues: v.optional(v.boolean(), true),
    shortcuts: v.optional(v.boolean(), true),
    notices: v.exactOptional(notificationSettingsSchema),
    contacts: v.optional(
      v.pipe(
        v.array(contactSchema),
        v.maxLength(maxContacts),
        eachOnce(({ address }: Contact) => address),
      ),
      [],
    ),
  }),
  v.check(
    (settings) => settings.networks.some((network) => network.chainId === settings.chainId),
    'chooses a network that it does not describe',
  ),
)
