import { createStore } from 'zustand/vanilla'
import type { Address, Hex } from '../domain/token/token.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type {
  Account,
  AccountChanges,
  AccountsApi,
  NewKey,
  OwnAccount,
  Secret,
  Status,
  UnlockedVault,
  VaultApi,
  WrappedKey,
} from '../protocol.ts'
import type { Clock } from './clock.ts'
import { retryOnWorkerRestart } from './retryOnWorkerRestart.ts'

/** Key operations of the page where a password or phrase is typed (docs/security/keys.md). */
export type KeyCrypto = {
  /** Guessing score, 0 to 4. */
  strength(password: string): Promise<Strength>
  createKey(password: string): Promise<NewKey>
  /** A wrong password yields a wrong key; the worker reports it. */
  tryWrap(wrap: WrappedKey, password: string): Promise<string>
  changePassword(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey>
  /** Undefined when `wrap` is up to date. */
  upgrade(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey | undefined>
  newSecret(words: 12 | 24): Promise<Secret>
  /** Throws `invalid-input`. */
  readPhrase(phrase: string): Promise<Secret>
  showPhrase(entropy: Hex): Promise<string>
  /** Zero-based positions of words outside the word list. */
  unknownWords(words: string[]): Promise<number[]>
  splitPhrase(text: string): Promise<string[]>
  suggestWords(prefix: string): Promise<string[]>
  /** Throws `invalid-input`. */
  readPrivateKey(text: string): Promise<Hex>
  addressOf(privateKey: Hex): Promise<Address>
  /** Throws `invalid-input`, `wrong-password`. */
  openKeystore(text: string, password: string): Promise<Hex>
}

export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

export type ImportSource =
  | { kind: 'phrase'; secret: Secret }
  | { kind: 'key'; privateKey: Hex }
  | { kind: 'watched'; address: Address }

export type AccountState =
  | { step: 'loading' }
  | { step: 'failed'; error: WalletError }
  | { step: 'welcome' }
  /** Phrase of a new vault, until its backup is confirmed. */
  | { step: 'phrase'; phrase: string }
  | { step: 'locked' }
  | Open

/** `account` is the active one; `owned` includes hidden ones. */
type Open = UnlockedVault & { step: 'open'; account: OwnAccount; owned: OwnAccount[] }

/** False for watch-only accounts, which sites never see. */
export function canSign({ kind }: OwnAccount): boolean {
  return kind !== 'watched'
}

export function createAccount(wallet: VaultApi & AccountsApi, keys: KeyCrypto, clock: Clock) {
  const store = createStore<AccountState>()(() => ({ step: 'loading' }))
  const show = (state: AccountState) => store.setState(state, true)
  let preferred: Address | undefined

  /** Keeps a phrase on screen unless the vault was locked. */
  function heard(status: Status): void {
    if (store.getState().step === 'phrase' && status.vault === 'unlocked') return
    show(toState(status, preferred))
  }

  async function load(): Promise<void> {
    try {
      heard(await retryOnWorkerRestart(clock, wallet.status))
    } catch (error) {
      show({ step: 'failed', error: toWalletError(error) })
    }
  }

  const confirmBackup = (seed?: string) => retryOnWorkerRestart(clock, () => wallet.confirmBackup(seed))

  /** Does not verify the password. */
  async function tried(password: string): Promise<{ wrap: WrappedKey; dataKey: string }> {
    const wrap = await wallet.wrappedKey()
    return { wrap, dataKey: await keys.tryWrap(wrap, password) }
  }

  function acts<Args extends unknown[], Answer>(act: (...args: Args) => Promise<Answer>) {
    return async (...args: Args): Promise<Answer> => {
      const answer = await act(...args)
      await load()
      return answer
    }
  }

  return {
    ...store,
    heard,
    load,
    /** Falls back to the first visible account. */
    prefer(address: Address | undefined): void {
      preferred = address
      const state = store.getState()
      if (state.step !== 'open') return
      const account = chosen(state.accounts, preferred)
      if (account !== undefined && account !== state.account) show({ ...state, account })
    },

    /** Defaults to the first phrase. */
    add: acts((seed?: string) => wallet.addAccount(seed)),

    /** The returned phrase is kept nowhere else. */
    async addSeed(words: 12 | 24): Promise<{ added: Account; phrase: string }> {
      const secret = await keys.newSecret(words)
      const phrase = await keys.showPhrase(secret.entropy)
      const added = await wallet.addSeed(secret)
      await load()
      return { added, phrase }
    },

    /** Throws `invalid-input` for an existing account. */
    bring: acts((origin: ImportSource): Promise<Account> => {
      switch (origin.kind) {
        case 'phrase':
          return wallet.addPhrase(origin.secret)
        case 'key':
          return wallet.addKey(origin.privateKey)
        case 'watched':
          return wallet.addWatchOnly(origin.address)
      }
    }),

    change: acts((address: Address, changes: AccountChanges) => wallet.changeAccount(address, changes)),
    /** `addresses` must name every account. */
    order: acts((addresses: Address[]) => wallet.reorderAccounts(addresses)),
    remove: acts((address: Address) => wallet.removeAccount(address)),
    /** Removes its accounts too. */
    removeSeed: acts((seed: string) => wallet.removeSeed(seed)),
    reset: acts(() => wallet.reset()),

    strength: keys.strength,
    unknownWords: keys.unknownWords,
    splitPhrase: keys.splitPhrase,
    suggestWords: keys.suggestWords,
    readPhrase: keys.readPhrase,
    readPrivateKey: keys.readPrivateKey,
    addressOf: keys.addressOf,
    openKeystore: keys.openKeystore,

    async create(password: string, words: 12 | 24): Promise<void> {
      const key = await keys.createKey(password)
      const secret = await keys.newSecret(words)
      const phrase = await keys.showPhrase(secret.entropy)
      // Set before the worker's broadcast, so that the open view does not flash.
      show({ step: 'phrase', phrase: '' })
      try {
        await wallet.create(key, secret)
        show({ step: 'phrase', phrase })
      } catch (error) {
        // The vault may exist; the next `load` tells.
        show({ step: 'failed', error: toWalletError(error) })
      }
    },

    begin: acts(async (password: string, origin: ImportSource): Promise<void> => {
      const key = await keys.createKey(password)
      switch (origin.kind) {
        case 'phrase':
          return wallet.importPhrase(key, origin.secret)
        case 'key':
          return wallet.importKey(key, origin.privateKey)
        case 'watched':
          return wallet.importWatchOnly(key, origin.address)
      }
    }),

    async unlock(password: string): Promise<void> {
      const { wrap, dataKey } = await tried(password)
      await wallet.unlock(dataKey)
      await load()
      const stronger = await keys.upgrade(wrap, password, dataKey)
      if (stronger !== undefined) await wallet.changeWrappedKey(stronger)
    },

    lock: acts(() => retryOnWorkerRestart(clock, wallet.lock)),

    /** Defaults to the first phrase. */
    async reveal(password: string, seed?: string): Promise<string> {
      const { dataKey } = await tried(password)
      return keys.showPhrase(await wallet.reveal(dataKey, seed))
    },

    async revealKey(password: string, address: Address): Promise<Hex> {
      const { dataKey } = await tried(password)
      return wallet.revealKey(dataKey, address)
    },

    async changePassword(password: string, next: string): Promise<void> {
      const { wrap, dataKey } = await tried(password)
      await wallet.changeWrappedKey(await keys.changePassword(wrap, next, dataKey))
    },

    async leavePhrase({ written }: { written: boolean }): Promise<void> {
      if (written) await confirmBackup()
      show({ step: 'loading' })
      await load()
    },

    confirmBackup: acts(confirmBackup),
    confirmRestored: acts(() => wallet.confirmRestored()),
  }
}

function toState(status: Status, preferred: Address | undefined): AccountState {
  if (status.vault === 'none') return { step: 'welcome' }
  if (status.vault === 'locked') return { step: 'locked' }
  const { vault: _, ...open } = status
  const owned = open.accounts
  const accounts = owned.filter(({ isHidden }) => !isHidden)
  const account = chosen(accounts, preferred)
  if (account === undefined) return { step: 'locked' }
  return { ...open, step: 'open', accounts, account, owned }
}

function chosen(accounts: OwnAccount[], preferred: Address | undefined): OwnAccount | undefined {
  return accounts.find(({ address }) => address === preferred) ?? accounts[0]
}
