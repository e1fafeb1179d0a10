import { WalletError } from '../errors.ts'
import { createQueue } from '../lib/async/queue.ts'
import * as changes from './accounts.ts'
import { type Bytes, type Hex, toHex } from './bytes.ts'
import { type AccountChanges, type Contents, type Overview, type VaultAccount, wipe } from './contents.ts'
import {
  latestVersions,
  type NewKey,
  parseDataKey,
  parseNewKey,
  type Secret,
  type WrappedKey,
} from './records.ts'
import { createSession } from './session.ts'
import { type Area, type Backup, createStore, type Stored } from './store.ts'
import { createAttempts } from './unlockThrottle.ts'
import { sealContents, withContents } from './withContents.ts'

/**
 * The keys, and the only way to them. Every method may throw a WalletError `storage-failed`; those that need an open vault throw
 * `locked` when it is not, or when its deadline passed; those that need a vault throw `no-vault`, `vault-damaged` or `vault-newer`.
 * Addresses are lower-case. What names an account or a phrase that is not there, or would leave the vault without an account to see,
 * is refused as `invalid-input` and changes nothing. A seed is named by its id; without, the first one is meant.
 */
export type Vault = {
  /** `none` only when no trace of a vault was found in any place it is kept: one may be created then. */
  status(): Promise<'none' | 'locked' | 'unlocked'>
  /** The accounts that act: in view, and with their key here. No other is for sites. */
  accounts(): Promise<{ address: Hex; name: string }[]>
  /** All accounts in the user's order, and the phrases. */
  overview(): Promise<Overview>
  /** Throws `watch-only` when the account's key is not here. */
  requireKey(address: Hex): Promise<void>
  /** The public half of the password lock. */
  passwordWrap(): Promise<WrappedKey>
  /** Seals a fresh secret and unlocks. Throws `vault-exists` rather than overwrite one; `invalid-input`. */
  create(key: NewKey, secret: Secret): Promise<void>
  /** The same with a secret whose phrase somebody has: it counts as backed up. */
  importPhrase(key: NewKey, secret: Secret): Promise<void>
  /** The same with a private key alone. */
  importKey(key: NewKey, privateKey: Hex): Promise<void>
  /** The same with an address to look at. */
  importWatched(key: NewKey, address: Hex): Promise<void>
  /** `dataKey` is base64. Throws `wrong-password` when it does not open the vault, `too-many-tries` when that happened too often. */
  unlock(dataKey: string): Promise<void>
  /** Replaces the password lock. Throws as `unlock` does when `key` is not this vault's own. */
  rewrap(key: NewKey): Promise<void>
  lock(): Promise<void>
  /**
   * Empties every place that the vault is in, of whatever else stands there too, and so locks. Asks for nothing: whoever forgot the password
   * has nothing to show.
   */
  reset(): Promise<void>
  /** The entropy behind a phrase, for somebody who just proved the password; else throws as `unlock` does. */
  reveal(dataKey: string, seed?: string): Promise<Hex>
  /** The private key of an account, for the same. Throws `watch-only` when it is not here. */
  revealKey(dataKey: string, address: Hex): Promise<Hex>
  confirmBackup(seed?: string): Promise<void>
  /** The backup copy took the place of a vault that was damaged or gone, and `confirmRestored` did not say yet that somebody read so. */
  isRestored(): Promise<boolean>
  confirmRestored(): Promise<void>
  /** Derives the next account of a phrase; answers it once it is written. */
  addAccount(seed?: string): Promise<VaultAccount>
  /** Adds a phrase that was just drawn, with its first account. */
  addSeed(secret: Secret): Promise<VaultAccount>
  /** The same with one that somebody has. */
  addPhrase(secret: Secret): Promise<VaultAccount>
  addKey(privateKey: Hex): Promise<VaultAccount>
  /** Adds an address to look at. Its key may come later, by any of the others: it stays the same account. */
  addWatched(address: Hex): Promise<VaultAccount>
  /** Names it, hides it, shows it again: changes what is named. */
  changeAccount(address: Hex, changes: AccountChanges): Promise<void>
  /** `addresses` are all accounts, hidden ones too. */
  orderAccounts(addresses: Hex[]): Promise<void>
  /** The last account of a phrase goes with `removeSeed` only. */
  removeAccount(address: Hex): Promise<void>
  /** Removes a phrase with all its accounts. */
  removeSeed(seed: string): Promise<void>
  /** Somebody uses the wallet: the deadline moves. Does nothing when locked. */
  extend(): Promise<void>
  /** The user chose another `autoLockMinutes`. A shorter time counts from now on. */
  shorten(): Promise<void>
  /** Locks if the deadline passed, or the clock is more than 60 s behind the last time seen. */
  expire(): Promise<void>
  /** Opens one private key for the length of `use`, which must not keep it. Throws `watch-only` when it is not here. */
  withKey<T>(address: Hex, use: (privateKey: Hex) => Promise<T>): Promise<T>
}

type Deps = {
  local: Area
  session: Area
  backup: Backup
  /** Milliseconds since 1970. */
  now: () => number
  /** After so many minutes without anybody there it locks. */
  autoLockMinutes: () => Promise<number>
  /** Whoever asks the vault for anything may find that its time is over, and so lock it. */
  onOver?: () => void
}

export function createVault({ local, session, backup, now, autoLockMinutes, onOver }: Deps): Vault {
  const store = createStore(local, backup)
  const unlocked = createSession(session, now, autoLockMinutes, onOver)
  const attempts = createAttempts(local, now)
  // One writer at a time, so that two windows cannot both find no vault, or lose each other's change.
  const oneAtATime = createQueue()

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

  /** Opens the vault with a key that somebody may only guess. Only in the queue. */
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

  /** The method that makes a change in the open vault, and answers what that answers once it is written. */
  function rewrites<Args extends unknown[], T>(
    change: (contents: Contents, ...args: Args) => T | Promise<T>,
  ) {
    return (...args: Args): Promise<T> =>
      oneAtATime(async () => {
        const dataKey = await currentKey()
        const stored = await load()
        return withContents(dataKey, stored.vault, async (contents) => {
          const answer = await change(contents, ...args)
          await store.save({ ...stored, vault: await sealContents(dataKey, stored.vault.vaultId, contents) })
          return answer
        })
      })
  }

  /** The method that makes a vault of what comes first. */
  function begins<First>(add: (contents: Contents, first: First) => unknown) {
    return (key: NewKey, first: First): Promise<void> =>
      oneAtATime(async () => {
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
    return oneAtATime(async () => {
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
      oneAtATime(async () => {
        const stored = await load()
        const { version, vaultId } = stored.vault
        const bytes = parseDataKey(dataKey)
        const vault = await prove(bytes, stored, async (contents) => {
          if (version === latestVersions.vault) return stored.vault
          const renewed = await sealContents(bytes, vaultId, contents)
          // Opened once, to be sure of it, before it takes the other's place.
          await withContents(parseDataKey(dataKey), renewed, () => undefined)
          return renewed
        })
        await unlocked.start(dataKey)
        await store.repair({ ...stored, vault })
      }),

    rewrap: (key) =>
      oneAtATime(async () => {
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
      oneAtATime(async () => {
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
        // Opening took a moment: whoever locked meanwhile, or a deadline that passed, still counts.
        await requireUnlocked()
        return await use(toHex(privateKey))
      } finally {
        privateKey.fill(0)
      }
    },
  }

  /** A vault that cannot be read is still there: it is never a reason to offer a new one. */
  async function exists(): Promise<boolean> {
    try {
      return (await store.load()) !== undefined
    } catch (error) {
      if (error instanceof WalletError && error.code.startsWith('vault-')) return true
      throw error
    }
  }
}
