import { WalletError } from '../errors.ts'
import { createMutex } from '../lib/async/mutex.ts'
import * as changes from './accounts.ts'
import { type Bytes, type Hex, toHex } from './bytes.ts'
import {
  type AccountChanges,
  type Contents,
  type Overview,
  type VaultAccount,
  wipe,
} from './storage/contents.ts'
import {
  latestVersions,
  type NewKey,
  parseDataKey,
  parseNewKey,
  type Secret,
  type WrappedKey,
} from './storage/records.ts'
import { createSession } from './storage/session.ts'
import { type Area, type Backup, createStore, type Stored } from './storage/store.ts'
import { sealContents, withContents } from './storage/withContents.ts'
import { createUnlockThrottle } from './unlockThrottle.ts'

/**
 * Every method may throw `storage-failed`; those that need an existing or open vault also `no-vault`,
 * `vault-damaged`, `vault-newer` or `locked`. Unknown accounts or phrases, and changes that leave no visible
 * account, throw `invalid-input`. `seed` defaults to the first.
 */
export type Vault = {
  /** `none` only without any trace of a vault. */
  status(): Promise<'none' | 'locked' | 'unlocked'>
  /** Visible accounts with a key: those for sites. */
  accounts(): Promise<{ address: Hex; name: string }[]>
  overview(): Promise<Overview>
  /** Throws `watch-only`. */
  requireKey(address: Hex): Promise<void>
  passwordWrap(): Promise<WrappedKey>
  /** Throws `vault-exists`, `invalid-input`. */
  create(key: NewKey, secret: Secret): Promise<void>
  /** Counts as backed up. */
  importPhrase(key: NewKey, secret: Secret): Promise<void>
  importKey(key: NewKey, privateKey: Hex): Promise<void>
  importWatched(key: NewKey, address: Hex): Promise<void>
  /** `dataKey` is base64. Throws `wrong-password`, `too-many-tries`. */
  unlock(dataKey: string): Promise<void>
  /** Throws like `unlock`. */
  rewrap(key: NewKey): Promise<void>
  lock(): Promise<void>
  /** Clears all storage; the password may be forgotten. */
  reset(): Promise<void>
  /** Throws like `unlock`. */
  reveal(dataKey: string, seed?: string): Promise<Hex>
  /** Throws like `unlock`, and `watch-only`. */
  revealKey(dataKey: string, address: Hex): Promise<Hex>
  confirmBackup(seed?: string): Promise<void>
  /** After a restore, until `confirmRestored`. */
  isRestored(): Promise<boolean>
  confirmRestored(): Promise<void>
  addAccount(seed?: string): Promise<VaultAccount>
  addSeed(secret: Secret): Promise<VaultAccount>
  addPhrase(secret: Secret): Promise<VaultAccount>
  addKey(privateKey: Hex): Promise<VaultAccount>
  /** Its key may be added later. */
  addWatched(address: Hex): Promise<VaultAccount>
  changeAccount(address: Hex, changes: AccountChanges): Promise<void>
  /** Includes hidden accounts. */
  orderAccounts(addresses: Hex[]): Promise<void>
  /** A phrase's last account needs `removeSeed`. */
  removeAccount(address: Hex): Promise<void>
  removeSeed(seed: string): Promise<void>
  extend(): Promise<void>
  shorten(): Promise<void>
  /** Also locks if the clock is over 60 s behind. */
  expire(): Promise<void>
  /** `use` must not keep the key. Throws `watch-only`. */
  withKey<T>(address: Hex, use: (privateKey: Hex) => Promise<T>): Promise<T>
}

type Deps = {
  local: Area
  session: Area
  backup: Backup
  /** Milliseconds since 1970. */
  now: () => number
  /** Minutes of inactivity. */
  autoLockMinutes: () => Promise<number>
  onOver?: () => void
}

export function createVault({ local, session, backup, now, autoLockMinutes, onOver }: Deps): Vault {
  const store = createStore(local, backup)
  const unlocked = createSession(session, now, autoLockMinutes, onOver)
  const attempts = createUnlockThrottle(local, now)
  // Windows must not overwrite each other's changes.
  const runExclusive = createMutex()

  async function load(): Promise<Stored> {
    const stored = await store.load()
    if (stored === undefined) throw new WalletError('no-vault', 'There is no vault yet.')
    return stored
  }

  async function currentKey(): Promise<Bytes> {
    const dataKey = await unlocked.dataKey()
    if (dataKey === undefined) throw new WalletError('locked', 'The vault is locked.')
    return parseDataKey(dataKey)
  }

  async function requireUnlocked(): Promise<void> {
    const dataKey = await currentKey()
    dataKey.fill(0)
  }

  /** Throttled, as the key may be a guess. */
  async function prove<T>(dataKey: Bytes, stored: Stored, use: (contents: Contents) => T | Promise<T>) {
    await attempts.begin()
    return withContents(dataKey, stored.vault, async (contents) => {
      await attempts.forget()
      return use(contents)
    })
  }

  async function withOpenVault<T>(use: (contents: Contents) => T | Promise<T>): Promise<T> {
    return withContents(await currentKey(), (await load()).vault, use)
  }

  function rewrites<Args extends unknown[], T>(
    change: (contents: Contents, ...args: Args) => T | Promise<T>,
  ) {
    return (...args: Args): Promise<T> =>
      runExclusive(async () => {
        const dataKey = await currentKey()
        const stored = await load()
        return withContents(dataKey, stored.vault, async (contents) => {
          const answer = await change(contents, ...args)
          await store.save({ ...stored, vault: await sealContents(dataKey, stored.vault.vaultId, contents) })
          return answer
        })
      })
  }

  function begins<First>(add: (contents: Contents, first: First) => unknown) {
    return (key: NewKey, first: First): Promise<void> =>
      runExclusive(async () => {
        const { dataKey, wrap } = parseNewKey(key)
        const contents: Contents = { secrets: [], accounts: [] }
        try {
          if ((await store.load()) !== undefined) {
            throw new WalletError('vault-exists', 'There is a vault already; it is not overwritten.')
          }
          await add(contents, first)
          await store.save({ vault: await sealContents(dataKey, wrap.vaultId, contents), wrap })
          await unlocked.start(key.dataKey)
        } finally {
          wipe(contents)
          dataKey.fill(0)
        }
      })
  }

  function revealed(dataKey: string, find: (contents: Contents) => Bytes | Promise<Bytes>): Promise<Hex> {
    return runExclusive(async () => {
      await requireUnlocked()
      return prove(parseDataKey(dataKey), await load(), async (contents) => {
        const secret = await find(contents)
        try {
          return toHex(secret)
        } finally {
          secret.fill(0)
        }
      })
    })
  }

  return {
    async status() {
      const [isThere, dataKey] = await Promise.all([exists(), unlocked.dataKey()])
      if (!isThere) return 'none'
      return dataKey === undefined ? 'locked' : 'unlocked'
    },

    accounts: () => withOpenVault(changes.signingAccounts),

    overview: () => withOpenVault(changes.toOverview),

    requireKey: (address) => withOpenVault((contents) => void changes.getAccountWithKey(contents, address)),

    passwordWrap: async () => (await load()).wrap,

    create: begins(changes.addSeed),
    importPhrase: begins(changes.addPhrase),
    importKey: begins(changes.addKey),
    importWatched: begins(changes.addWatchOnly),

    unlock: (dataKey) =>
      runExclusive(async () => {
        const stored = await load()
        const { version, vaultId } = stored.vault
        const bytes = parseDataKey(dataKey)
        const vault = await prove(bytes, stored, async (contents) => {
          if (version === latestVersions.vault) return stored.vault
          const renewed = await sealContents(bytes, vaultId, contents)
          // Verified first.
          await withContents(parseDataKey(dataKey), renewed, () => undefined)
          return renewed
        })
        await unlocked.start(dataKey)
        await store.repair({ ...stored, vault })
      }),

    rewrap: (key) =>
      runExclusive(async () => {
        await requireUnlocked()
        const { dataKey, wrap } = parseNewKey(key)
        const stored = await load()
        await prove(dataKey, stored, () => undefined)
        if (wrap.vaultId !== stored.vault.vaultId) {
          throw new WalletError('invalid-input', 'The new password lock belongs to another vault.')
        }
        await store.save({ ...stored, wrap })
      }),

    lock: unlocked.end,

    reset: () =>
      runExclusive(async () => {
        await unlocked.clear()
        await store.erase()
      }),

    reveal: (dataKey, seed) => revealed(dataKey, (contents) => changes.getEntropy(contents, seed)),

    revealKey: (dataKey, address) =>
      revealed(dataKey, (contents) => changes.getPrivateKey(contents, address)),

    confirmBackup: rewrites(changes.confirmBackup),
    isRestored: store.isRestored,
    confirmRestored: store.confirmRestored,
    addAccount: rewrites(changes.nextAccount),
    addSeed: rewrites(changes.addSeed),
    addPhrase: rewrites(changes.addPhrase),
    addKey: rewrites(changes.addKey),
    addWatched: rewrites(changes.addWatchOnly),
    changeAccount: rewrites(changes.updateAccounts),
    orderAccounts: rewrites(changes.reorderAccounts),
    removeAccount: rewrites(changes.removeAccount),
    removeSeed: rewrites(changes.removeSeed),

    extend: unlocked.extend,

    shorten: unlocked.shorten,

    expire: unlocked.expire,

    async withKey(address, use) {
      const privateKey = await withOpenVault((contents) => changes.getPrivateKey(contents, address))
      try {
        // May have been locked meanwhile.
        await requireUnlocked()
        return await use(toHex(privateKey))
      } finally {
        privateKey.fill(0)
      }
    },
  }

  /** An unreadable vault still exists: no new one must be offered. */
  async function exists(): Promise<boolean> {
    try {
      return (await store.load()) !== undefined
    } catch (error) {
      if (error instanceof WalletError && error.code.startsWith('vault-')) return true
      throw error
    }
  }
}
