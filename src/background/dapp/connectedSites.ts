import * as v from 'valibot'
import type { Site } from '../../domain/dapp/site.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import { type Address, parseAddress } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import { cached } from '../../lib/async/cached.ts'
import { createMutex } from '../../lib/async/mutex.ts'
import type { Vault } from '../../vault/vault.ts'
import { address, chainId, parse } from '../schemas.ts'
import type { SettingsStore } from '../settings.ts'
import type { LocalStorage } from '../storage.ts'

/** No accounts while locked. */
export type SiteView = { accounts: Address[]; chainId: number }

export type Sites = {
  /** Sites with accounts, by origin. */
  list(): Promise<Site[]>
  /** A site that only changed its chain has no accounts. */
  get(origin: string): Promise<Site | undefined>
  view(origin: string): Promise<SiteView>
  /** Chain of `view`, without asking the vault. */
  chain(origin: string): Promise<number>
  /** Throws `not-connected` unless `origin` may use `account`. Returns it in lower case. */
  permitted(origin: string, account: string): Promise<Address>
  /** Throws `not-connected` unless `origin` may see an account once unlocked. */
  requireConnection(origin: string): Promise<void>
  save(site: Site): Promise<void>
  /** Throws `invalid-input` unless connected, so that a stale window cannot reconnect a site. */
  change(site: Site): Promise<void>
  /** Also for sites without a connection. */
  setChain(origin: string, chainId: number): Promise<void>
  disconnect(origin: string): Promise<void>
  /** Clears the cache. */
  forget(): void
}

type Deps = {
  vault: Pick<Vault, 'status' | 'accounts'>
  settings: Pick<SettingsStore, 'get'>
  local: LocalStorage
  /** Awaited, so that pages get events before answers. */
  onChange(): Promise<void>
  now?(): number
}

const key = 'sites'
const damagedKey = 'sites.damaged'

/** Creates the store. An unreadable record moves to `sites.damaged` on the first change. */
export function createConnectedSites({ vault, settings, local, onChange, now = Date.now }: Deps): Sites {
  const runExclusive = createMutex()
  let aside = {}
  const all = cached(async () => {
    const stored = (await local.get(key)) ?? []
    const known = parseOrUndefined(v.array(siteShape), stored)
    aside = known === undefined ? { [damagedKey]: stored } : {}
    return new Map(known?.map((site) => [site.origin, site]))
  })

  /** `undefined` from `next` removes the site; the same object changes nothing. */
  async function change(
    origin: string,
    next: (site: Site | undefined) => Site | undefined | Promise<Site | undefined>,
  ): Promise<void> {
    const changed = await runExclusive(async () => {
      const before = await all.get()
      const site = await next(before.get(origin))
      if (site === before.get(origin)) return false
      const after = new Map(before)
      if (site === undefined) after.delete(origin)
      else after.set(origin, site)
      await local.set({ ...aside, [key]: [...after.values()] })
      aside = {}
      all.set(after)
      return true
    })
    if (changed) await onChange()
  }

  async function get(origin: string): Promise<Site | undefined> {
    return (await all.get()).get(origin)
  }

  async function chain(origin: string): Promise<number> {
    const [site, { networks, chainId }] = await Promise.all([get(origin), settings.get()])
    return networks.find((network) => network.chainId === site?.chainId)?.chainId ?? chainId
  }

  /** Undefined while locked. */
  async function owned(): Promise<Set<Address> | undefined> {
    try {
      if ((await vault.status()) !== 'unlocked') return undefined
      return new Set((await vault.accounts()).map((account) => account.address))
    } catch (error) {
      // The auto-lock may come in between.
      if (toWalletError(error).code === 'locked') return undefined
      throw error
    }
  }

  async function accounts(origin: string): Promise<Address[]> {
    const chosen = (await get(origin))?.accounts ?? []
    if (chosen.length === 0) return []
    const ours = await owned()
    return chosen.filter((account) => ours?.has(account))
  }

  return {
    forget: all.forget,
    list: async () => [...(await all.get()).values()].filter(isConnected).sort(byOrigin),
    get,
    chain,
    async view(origin) {
      const [visible, chainId] = await Promise.all([accounts(origin), chain(origin)])
      return { accounts: visible, chainId }
    },
    async permitted(origin, account) {
      const asked = parseAddress(account)
      const chosen = (await get(origin))?.accounts ?? []
      const ours = chosen.length > 0 ? await owned() : undefined
      // While locked, the stored choice counts; the window leads through the unlock.
      if (asked !== undefined && chosen.includes(asked) && ours?.has(asked) !== false) return asked
      throw new WalletError('not-connected', 'This site may not use that account. Connect it first.')
    },
    async requireConnection(origin) {
      const chosen = (await get(origin))?.accounts ?? []
      const ours = chosen.length > 0 ? await owned() : undefined
      if (chosen.some((account) => ours?.has(account) !== false)) return
      throw new WalletError('not-connected', 'This needs a connection: call eth_requestAccounts first.')
    },
    save: async (site) => {
      const parsed = parse(siteShape, site, 'site')
      await change(parsed.origin, () => parsed)
    },
    change: async (site) => {
      const parsed = parse(siteShape, site, 'site')
      await change(parsed.origin, (before) => {
        if (before !== undefined && isConnected(before)) return { ...parsed, connectedAt: before.connectedAt }
        throw new WalletError('invalid-input', 'This site is not connected any more.')
      })
    },
    setChain: (origin, chainId) =>
      change(origin, (site) => {
        if (site?.chainId === chainId) return site
        return { origin, accounts: [], connectedAt: now(), ...site, chainId }
      }),
    disconnect: (origin) =>
      change(origin, async (site) => {
        if (site === undefined || !isConnected(site)) return site
        // Its pages stay on their chain, as they get no event.
        return site.chainId === (await settings.get()).chainId ? undefined : { ...site, accounts: [] }
      }),
  }
}

function isConnected({ accounts }: Site): boolean {
  return accounts.length > 0
}

function byOrigin(one: Site, other: Site): number {
  return one.origin < other.origin ? -1 : 1
}

const siteShape: v.GenericSchema<unknown, Site> = v.object({
  origin: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
  accounts: v.pipe(v.array(address), v.maxLength(1_000)),
  chainId,
  connectedAt: v.pipe(v.number(), v.safeInteger()),
})
