import * as z from 'zod/mini'
import { defaultSettings } from '../config.ts'
import type { Network, Settings } from '../domain/network.ts'
import { createQueue } from '../vault/queue.ts'
import { address, chainId, parse, slippage } from './shapes.ts'
import type { Area } from './storage.ts'

/** What the user set up, kept in the browser's storage. */
export type SettingsStore = {
  /** The stored settings, or the defaults. */
  get(): Promise<Settings>
  /** Throws a WalletError `invalid-input` that names what is wrong; nothing is stored then. */
  save(settings: unknown): Promise<Settings>
  /** As `save`, made of what is stored now: of two that write at the same time neither loses what the other changed. */
  update(change: (before: Settings) => unknown): Promise<Settings>
}

const key = 'settings'
const damagedKey = 'settings.damaged'

/** A record that cannot be read is kept under `settings.damaged`, and the defaults are used in its place. */
export function createSettings(local: Area): SettingsStore {
  const oneAtATime = createQueue()
  let current: Promise<Settings> | undefined

  async function load(): Promise<Settings> {
    const stored = await local.get(key)
    if (stored === undefined) return defaultSettings()
    const result = settingsShape.safeParse(stored)
    if (result.success) return result.data
    await local.set({ [damagedKey]: stored })
    return defaultSettings()
  }

  function get(): Promise<Settings> {
    current ??= load().catch((error) => {
      current = undefined
      throw error
    })
    return current
  }

  function update(change: (before: Settings) => unknown): Promise<Settings> {
    return oneAtATime(async () => {
      // Reading first sets a damaged record aside before it is written over.
      const before = await get()
      const after = change(before)
      if (after === before) return before
      const parsed = parse(settingsShape, after, 'settings')
      await local.set({ [key]: parsed })
      current = Promise.resolve(parsed)
      return parsed
    })
  }

  return { get, save: (settings) => update(() => settings), update }
}

/** Plain http only reaches this machine: anywhere else somebody on the way could change the answers. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  return protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
}

const url = z.string().check(z.refine(isSafeUrl, 'is not an https address, or http on this machine'))
/** Empty until the user names whom to ask. */
const urlOrEmpty = z
  .string()
  .check(
    z.refine((text) => text === '' || isSafeUrl(text), 'is not an https address, or http on this machine'),
  )
const name = z.string().check(z.minLength(1), z.maxLength(64))

export const networkShape: z.ZodMiniType<Network> = z.object({
  chainId,
  name,
  coin: z.object({ symbol: name, name }),
  serviceUrl: urlOrEmpty,
  serviceKey: z.exactOptional(z.string()),
  rpcUrl: urlOrEmpty,
  router: z.exactOptional(address),
  explorerUrl: z.exactOptional(url),
  faucetUrl: z.exactOptional(url),
  stable: z.exactOptional(address),
  confirmations: z.int().check(z.gte(0), z.lte(1_000)),
  quoteEveryMs: z.int().check(z.gte(1_000), z.lte(600_000)),
})

const settingsShape: z.ZodMiniType<Settings> = z
  .object({
    chainId,
    networks: z.array(networkShape).check(z.minLength(1), z.maxLength(100)),
    slippageBps: slippage,
    autoLockMinutes: z.int().check(z.gte(1), z.lte(60)),
    account: z.exactOptional(address),
    // Records from before pages were heard lack them.
    pageSwaps: z._default(z.boolean(), true),
    defaultWallet: z._default(z.boolean(), false),
  })
  .check(
    z.refine(
      ({ networks }) => new Set(networks.map((network) => network.chainId)).size === networks.length,
      'names a network twice',
    ),
    z.refine(
      (settings) => settings.networks.some((network) => network.chainId === settings.chainId),
      'chooses a network that it does not describe',
    ),
  )
