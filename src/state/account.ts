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

/** What is done with a password or a phrase, in the page where it was typed (docs/security.md). */
export type KeyCrypto = {
  /** How hard a password is to guess, 0 to 4, and whether it may lock a vault. */
  strength(password: string): Promise<Strength>
  createKey(password: string): Promise<NewKey>
  /** The data key inside `wrap`; one that opens nothing when the password is wrong, which the worker tells. */
  tryWrap(wrap: WrappedKey, password: string): Promise<string>
  /** The lock of another password on the same data key. */
  changePassword(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey>
  /** The lock with today's parameters, or `undefined` when it has them already. */
  upgrade(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey | undefined>
  newSecret(words: 12 | 24): Promise<Secret>
  /** The secret of a phrase as typed. Throws `invalid-input`. */
  readPhrase(phrase: string): Promise<Secret>
  /** The phrase of a secret. */
  showPhrase(entropy: Hex): Promise<string>
  /** Positions of the words that are in no phrase, counted from zero. */
  unknownWords(words: string[]): Promise<number[]>
  /** The words of a phrase as pasted. */
  splitPhrase(text: string): Promise<string[]>
  /** A few words that begin like this. */
  suggestWords(prefix: string): Promise<string[]>
  /** The private key in a text. Throws `invalid-input`. */
  readPrivateKey(text: string): Promise<Hex>
  /** The account that a private key is of. */
  addressOf(privateKey: Hex): Promise<Address>
  /** The private key in the text of a keystore file. Throws `invalid-input`, `wrong-password`. */
  openKeystore(text: string, password: string): Promise<Hex>
}

export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

/** What somebody has already, and brings: a wallet begins with it, or gets one more account by it. */
export type ImportSource =
  | { kind: 'phrase'; secret: Secret }
  | { kind: 'key'; privateKey: Hex }
  | { kind: 'watched'; address: Address }

export type AccountState =
  | { step: 'loading' }
  | { step: 'failed'; error: WalletError }
  | { step: 'welcome' }
  /** A vault was just made: its phrase, until somebody says it is written down. */
  | { step: 'phrase'; phrase: string }
  | { step: 'locked' }
  | Open

/** `account` is the one that the popup acts for, of `accounts`, those in view; `owned` are the hidden ones too. */
type Open = UnlockedVault & { step: 'open'; account: OwnAccount; owned: OwnAccount[] }

/** Sites see no account that cannot sign. */
export function canSign({ kind }: OwnAccount): boolean {
  return kind !== 'watched'
}

/** The vault as the popup sees it: none, locked or open, and the ways between. */
export function createAccount(wallet: VaultApi & AccountsApi, keys: KeyCrypto, clock: Clock) {
  const store = createStore<AccountState>()(() => ({ step: 'loading' }))
  const show = (state: AccountState) => store.setState(state, true)
  let preferred: Address | undefined

  /** What the worker tells. A phrase on the screen stays there, unless the vault was locked meanwhile. */
  function heard(status: Status): void {
    if (store.getState().step === 'phrase' && status.vault === 'unlocked') return
    show(stateOf(status, preferred))
  }

  async function load(): Promise<void> {
    try {
      heard(await retryOnWorkerRestart(clock, wallet.status))
    } catch (error) {
      show({ step: 'failed', error: toWalletError(error) })
    }
  }

  const confirmBackup = (seed?: string) => retryOnWorkerRestart(clock, () => wallet.confirmBackup(seed))

  /** What a password gives, right or wrong: that is for the worker to say. */
  async function tried(password: string): Promise<{ wrap: WrappedKey; dataKey: string }> {
    const wrap = await wallet.wrappedKey()
    return { wrap, dataKey: await keys.tryWrap(wrap, password) }
  }

  /** What the worker does, and how things stand after it. */
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
    /** The account to act for, as the settings name it. The first one without, or when there is none like it. */
    prefer(address: Address | undefined): void {
      preferred = address
      const state = store.getState()
      if (state.step !== 'open') return
      const account = chosen(state.accounts, preferred)
      if (account !== undefined && account !== state.account) show({ ...state, account })
    },

    /** Derives the next account of a phrase, the first one unless named. */
    add: acts((seed?: string) => wallet.addAccount(seed)),

    /** One more phrase: its first account, and the words to write down. They are kept nowhere else. */
    async addSeed(words: 12 | 24): Promise<{ added: Account; phrase: string }> {
      const secret = await keys.newSecret(words)
      const phrase = await keys.showPhrase(secret.entropy)
      const added = await wallet.addSeed(secret)
      await load()
      return { added, phrase }
    },

    /** An account of what somebody has. Throws `invalid-input` when it is here already. */
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

    /** Names an account, hides it, shows it again. */
    change: acts((address: Address, changes: AccountChanges) => wallet.changeAccount(address, changes)),
    /** `addresses` are all there are. */
    order: acts((addresses: Address[]) => wallet.reorderAccounts(addresses)),
    remove: acts((address: Address) => wallet.removeAccount(address)),
    /** A phrase with all its accounts. */
    removeSeed: acts((seed: string) => wallet.removeSeed(seed)),
    /** Forgets the wallet, open or locked. */
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
      // Said before the worker broadcasts that a vault exists, so that the form does not flash by.
      show({ step: 'phrase', phrase: '' })
      try {
        await wallet.create(key, secret)
        show({ step: 'phrase', phrase })
      } catch (error) {
        // The vault may have been written before the answer was lost: `load`, the next act there, tells.
        show({ step: 'failed', error: toWalletError(error) })
      }
    },

    /** A wallet of what somebody has. */
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

    /** A phrase again, the first one unless named, for whoever knows the password. */
    async reveal(password: string, seed?: string): Promise<string> {
      const { dataKey } = await tried(password)
      return keys.showPhrase(await wallet.reveal(dataKey, seed))
    },

    /** The private key of an account, for the same. */
    async revealKey(password: string, address: Address): Promise<Hex> {
      const { dataKey } = await tried(password)
      return wallet.revealKey(dataKey, address)
    },

    async changePassword(password: string, next: string): Promise<void> {
      const { wrap, dataKey } = await tried(password)
      await wallet.changeWrappedKey(await keys.changePassword(wrap, next, dataKey))
    },

    /** Forgets the fresh phrase; `written` tells the worker that it is on paper. */
    async leavePhrase({ written }: { written: boolean }): Promise<void> {
      if (written) await confirmBackup()
      show({ step: 'loading' })
      await load()
    },

    confirmBackup: acts(confirmBackup),
    confirmRestored: acts(() => wallet.confirmRestored()),
  }
}

function stateOf(status: Status, preferred: Address | undefined): AccountState {
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
