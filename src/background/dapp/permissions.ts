import * as v from 'valibot'
import type { Site } from '../../domain/dapp/permission.ts'
import { parseOrUndefined } from '../../domain/readAs.ts'
import { type Address, parseAddress } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import { cached } from '../../lib/async/cached.ts'
import { createQueue } from '../../lib/async/queue.ts'
import type { Vault } from '../../vault/vault.ts'
import { address, chainId, parse } from '../schemas.ts'
import type { SettingsStore } from '../settings.ts'
import type { LocalStorage } from '../storage.ts'

/** What a page of a site sees. No accounts while the wallet is locked. */
export type SiteView = { accounts: Address[]; chainId: number }

/** The sites that were let in, kept in the browser's storage. */
export type Sites = {
  /** Sites with accounts, by origin. */
  list(): Promise<Site[]>
  /** What is kept of a site. One that only moved to another chain has no accounts. */
  get(origin: string): Promise<Site | undefined>
  view(origin: string): Promise<SiteView>
  /** The chain of `view` alone, for which nobody asks the vault. */
  chain(origin: string): Promise<number>
  /** Throws `not-connected` unless `origin` may ask for `account` (any letter case). Answers it in lower case. */
  permitted(origin: string, account: string): Promise<Address>
  /** Throws `not-connected` unless `origin` may see an account, were the wallet unlocked. */
  requireConnection(origin: string): Promise<void>
  /** Replaces what the site may see. */
  save(site: Site): Promise<void>
  /** The same for one that is connected. Throws `invalid-input` for another: who left is not let in by a window that shows yesterday. */
  change(site: Site): Promise<void>
  /** Moves a site, let in or not, to another chain. */
  setChain(origin: string, chainId: number): Promise<void>
  disconnect(origin: string): Promise<void>
  /** What is stored may be another by now. */
  forget(): void
}

type Deps = {
  vault: Pick<Vault, 'status' | 'accounts'>
  settings: Pick<SettingsStore, 'get'>
  local: LocalStorage
  /** Called after each change, which is over when this is: pages hear of it before anybody is answered. */
  onChange(): Promise<void>
  now?(): number
}

const key = 'sites'
const damagedKey = 'sites.damaged'

/** A record that cannot be read is set aside under `sites.damaged` by the first change, and every site has to ask again. */
export function createSites({ vault, settings, local, onChange, now = Date.now }: Deps): Sites {
  const oneAtATime = createQueue()
  let aside = {}
  const all = cached(async () => {
    const stored = (await local.get(key)) ?? []
    const known = parseOrUndefined(v.array(siteShape), stored)
    aside = known === undefined ? { [damagedKey]: stored } : {}
    return new Map(known?.map((site) => [site.origin, site]))
  })

  /** `undefined` from `next` forgets the site; the same object changes nothing. */
  async function change(
    origin: string,
    next: (site: Site | undefined) => Site | undefined | Promise<Site | undefined>,
  ): Promise<void> {
    const changed = await oneAtATime(async () => {
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

  /** The wallet's own accounts; undefined while it is locked, or has none yet. */
  async function owned(): Promise<Set<Address> | undefined> {
    try {
      if ((await vault.status()) !== 'unlocked') return undefined
      return new Set((await vault.accounts()).map((account) => account.address))
    } catch (error) {
      // Its time may be over between the questions.
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
      // While the wallet is locked the window leads through the unlock, so what was chosen before counts.
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
        // Its pages stay on the chain they are on: they were told of no other.
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
