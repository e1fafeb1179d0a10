import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from './bytes.ts'
import { open, seal } from './cipher.ts'
import { type Contents, createContents, nextAccount, pack, unpack, wipe } from './contents.ts'
import { privateKeyAt } from './derive.ts'
import { createQueue } from './queue.ts'
import {
  type NewKey,
  type PasswordWrap,
  parseDataKey,
  parseNewKey,
  parseSecret,
  type Secret,
  type VaultRecord,
  vaultHeader,
} from './records.ts'
import { createSession } from './session.ts'
import { type Area, type Backup, createStore, type Stored } from './store.ts'

/**
 * The keys, and the only way to them. Every method may throw a WalletError `storage-failed`; those that need an open vault throw
 * `locked` when it is not, or when its deadline passed; those that need a vault throw `no-vault` or `vault-damaged`.
 */
export type Vault = {
  /** `none` only when no trace of a vault was found in any place it is kept: one may be created then. */
  status(): Promise<'none' | 'locked' | 'unlocked'>
  /** Lower-case addresses. */
  accounts(): Promise<{ address: Hex; name: string }[]>
  backedUp(): Promise<boolean>
  /** The public half of the password lock. */
  passwordWrap(): Promise<PasswordWrap>
  /** Seals a fresh secret and unlocks. Throws `vault-exists` rather than overwrite one; `invalid-input`. */
  create(key: NewKey, secret: Secret): Promise<void>
  /** The same with a secret whose phrase somebody has: it counts as backed up. */
  importPhrase(key: NewKey, secret: Secret): Promise<void>
  /** `dataKey` is base64. Throws `wrong-password` when it does not open the vault. */
  unlock(dataKey: string): Promise<void>
  /** Replaces the password lock. Throws `wrong-password` when `key` is not this vault's own. */
  rewrap(key: NewKey): Promise<void>
  lock(): Promise<void>
  /** The entropy behind the phrase, for somebody who just proved the password. */
  reveal(dataKey: string): Promise<Hex>
  confirmBackup(): Promise<void>
  /** Derives the next account of the seed; answers it once it is written. */
  addAccount(): Promise<{ address: Hex; name: string }>
  /** Somebody uses the wallet: the deadline moves. Does nothing when locked. */
  extend(): Promise<void>
  /** Whole minutes, 1 to 60; 15 until set. */
  setAutoLock(minutes: number): Promise<void>
  /** Locks if the deadline passed, or the clock is more than 60 s behind the last time seen. True when it locked. */
  expire(): Promise<boolean>
  /** Opens one private key for the length of `use`, which must not keep it. */
  withKey<T>(address: Hex, use: (privateKey: Hex) => Promise<T>): Promise<T>
}

type Places = {
  local: Area
  session: Area
  backup: Backup
  /** Milliseconds since 1970. */
  now: () => number
}

export function createVault({ local, session, backup, now }: Places): Vault {
  const store = createStore(local, backup)
  const unlocked = createSession(session, local, now)
  // One writer at a time, so that two windows cannot both find no vault, or lose each other's change.
  const oneAtATime = createQueue()

  async function load(): Promise<Stored> {
    const stored = await store.load()
    if (stored === undefined) throw new WalletError('no-vault', 'There is no vault yet.')
    return stored
  }

  async function openWith(dataKey: Bytes, { vault }: Stored): Promise<Contents> {
    const { iv, sealed, ...head } = vault
    const plain = await open(dataKey, { iv: fromHex(iv), sealed: fromHex(sealed) }, vaultHeader(head))
    if (plain === undefined) throw new WalletError('wrong-password', 'This key does not open the vault.')
    return unpack(plain)
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

  /** Hands the open vault to `use` and wipes it afterwards. */
  async function withContents<T>(
    dataKey: Bytes,
    stored: Stored,
    use: (contents: Contents) => T | Promise<T>,
  ) {
    const contents = await openWith(dataKey, stored)
    try {
      return await use(contents)
    } finally {
      wipe(contents)
      dataKey.fill(0)
    }
  }

  async function withOpenVault<T>(use: (contents: Contents) => T | Promise<T>): Promise<T> {
    return withContents(await currentKey(), await load(), use)
  }

  /** Seals what `change` makes of the open vault and writes it. Only in the queue. */
  async function rewrite(change: (contents: Contents) => Contents): Promise<void> {
    const dataKey = await currentKey()
    const stored = await load()
    const vault = await withContents(dataKey, stored, (contents) =>
      sealContents(dataKey, stored.vault.vaultId, change(contents)),
    )
    await store.save({ ...stored, vault })
  }

  async function settle(key: NewKey, secret: Secret, backedUp: boolean): Promise<void> {
    const { dataKey, wrap } = parseNewKey(key)
    const bytes = parseSecret(secret)
    try {
      if ((await store.load()) !== undefined) {
        throw new WalletError('vault-exists', 'There is a vault already; it is not overwritten.')
      }
      const vault = await sealContents(dataKey, wrap.vaultId, await createContents(bytes, backedUp))
      await store.save({ vault, wrap })
      await unlocked.start(key.dataKey)
    } finally {
      wipe(bytes)
      dataKey.fill(0)
    }
  }

  return {
    async status() {
      if (!(await exists())) return 'none'
      return (await unlocked.dataKey()) === undefined ? 'locked' : 'unlocked'
    },

    accounts: () => withOpenVault(({ accounts }) => accounts.map(({ address, name }) => ({ address, name }))),

    backedUp: () => withOpenVault(({ backedUp }) => backedUp),

    passwordWrap: async () => (await load()).wrap,

    create: (key, secret) => oneAtATime(() => settle(key, secret, false)),

    importPhrase: (key, secret) => oneAtATime(() => settle(key, secret, true)),

    unlock: (dataKey) =>
      oneAtATime(async () => {
        const stored = await load()
        await withContents(parseDataKey(dataKey), stored, () => undefined)
        await unlocked.start(dataKey)
        await store.repair(stored)
      }),

    rewrap: (key) =>
      oneAtATime(async () => {
        await requireUnlocked()
        const { dataKey, wrap } = parseNewKey(key)
        const stored = await load()
        await withContents(dataKey, stored, () => undefined)
        if (wrap.vaultId !== stored.vault.vaultId) {
          throw new WalletError('invalid-input', 'The new password lock belongs to another vault.')
        }
        await store.save({ ...stored, wrap })
      }),

    lock: unlocked.end,

    async reveal(dataKey) {
      await requireUnlocked()
      return withContents(parseDataKey(dataKey), await load(), ({ entropy }) => toHex(entropy))
    },

    confirmBackup: () => oneAtATime(() => rewrite((contents) => ({ ...contents, backedUp: true }))),

    addAccount: () =>
      oneAtATime(async () => {
        const added = await withOpenVault(nextAccount)
        await rewrite((contents) => ({ ...contents, accounts: [...contents.accounts, added] }))
        return { address: added.address, name: added.name }
      }),

    extend: unlocked.extend,

    setAutoLock: unlocked.setMinutes,

    expire: unlocked.expire,

    async withKey(address, use) {
      const privateKey = await withOpenVault(({ accounts, seed }) => {
        const account = accounts.find((one) => one.address === address.toLowerCase())
        if (!account) throw new WalletError('invalid-input', `The vault has no key for ${address}.`)
        return privateKeyAt(seed, account.path)
      })
      try {
        // Opening took a moment: whoever locked meanwhile, or a deadline that passed, still counts.
        await requireUnlocked()
        return await use(toHex(privateKey))
      } finally {
        privateKey.fill(0)
      }
    },
  }

  /** A damaged vault is still there: it is never a reason to offer a new one. */
  async function exists(): Promise<boolean> {
    try {
      return (await store.load()) !== undefined
    } catch (error) {
      if (error instanceof WalletError && error.code === 'vault-damaged') return true
      throw error
    }
  }
}

async function sealContents(dataKey: Bytes, vaultId: Hex, contents: Contents): Promise<VaultRecord> {
  const head = { version: 1, vaultId } as const
  const plain = pack(contents)
  const { iv, sealed } = await seal(dataKey, plain, vaultHeader(head))
  plain.fill(0)
  return { ...head, iv: toHex(iv), sealed: toHex(sealed) }
}
