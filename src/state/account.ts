import { createStore } from 'zustand/vanilla'
import type { Address, Hex } from '../domain/token.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { Account, NewKey, PasswordWrap, Secret, Status, Wallet } from '../protocol.ts'

/** What is done with a password or a phrase, in the page where it was typed (docs/security.md). */
export type Keys = {
  /** How hard a password is to guess, 0 to 4, and whether it may lock a vault. */
  strength(password: string): Promise<Strength>
  createKey(password: string): Promise<NewKey>
  /** The data key inside `wrap`. Throws `wrong-password`. */
  openWrap(wrap: PasswordWrap, password: string): Promise<string>
  /** The lock with today's parameters, or `undefined` when it has them already. */
  upgrade(wrap: PasswordWrap, password: string, dataKey: string): Promise<NewKey | undefined>
  newSecret(words: 12 | 24): Promise<Secret>
  /** The secret of a phrase as typed. Throws `invalid-input`. */
  readPhrase(phrase: string): Promise<Secret>
  /** The phrase of a secret. */
  showPhrase(entropy: Hex): Promise<string>
  /** Positions of the words that are in no phrase, counted from zero. */
  unknownWords(words: string[]): Promise<number[]>
}

export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

export type AccountState =
  | { step: 'loading' }
  | { step: 'failed'; error: WalletError }
  | { step: 'welcome' }
  /** A vault was just made: its phrase, until somebody says it is written down. */
  | { step: 'phrase'; phrase: string }
  | { step: 'locked' }
  /** `account` is the one of `accounts` that the popup acts for. */
  | { step: 'open'; accounts: Account[]; account: Account; backedUp: boolean }

/** The vault as the popup sees it: none, locked or open, and the ways between. */
export function createAccount(wallet: Wallet, keys: Keys) {
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
      heard(await wallet.status())
    } catch (error) {
      show({ step: 'failed', error: toWalletError(error) })
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

    /** Derives the next account from the seed. */
    async add(): Promise<Account> {
      const added = await wallet.addAccount()
      await load()
      return added
    },

    strength: keys.strength,
    unknownWords: keys.unknownWords,

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

    async importPhrase(password: string, phrase: string): Promise<void> {
      const secret = await keys.readPhrase(phrase)
      await wallet.importPhrase(await keys.createKey(password), secret)
      await load()
    },

    async unlock(password: string): Promise<void> {
      const wrap = await wallet.passwordWrap()
      const dataKey = await keys.openWrap(wrap, password)
      await wallet.unlock(dataKey)
      await load()
      const stronger = await keys.upgrade(wrap, password, dataKey)
      if (stronger !== undefined) await wallet.rewrap(stronger)
    },

    async lock(): Promise<void> {
      await wallet.lock()
      await load()
    },

    /** The phrase again, for whoever knows the password. */
    async reveal(password: string): Promise<string> {
      const dataKey = await keys.openWrap(await wallet.passwordWrap(), password)
      return keys.showPhrase(await wallet.reveal(dataKey))
    },

    /** Forgets the fresh phrase; `written` tells the worker that it is on paper. */
    async leavePhrase({ written }: { written: boolean }): Promise<void> {
      if (written) await wallet.confirmBackup()
      show({ step: 'loading' })
      await load()
    },

    async confirmBackup(): Promise<void> {
      await wallet.confirmBackup()
      await load()
    },
  }
}

function stateOf(status: Status, preferred: Address | undefined): AccountState {
  if (status.vault === 'none') return { step: 'welcome' }
  const accounts = status.vault === 'unlocked' ? status.accounts : []
  const account = chosen(accounts, preferred)
  if (status.vault === 'locked' || account === undefined) return { step: 'locked' }
  return { step: 'open', accounts, account, backedUp: status.backedUp }
}

function chosen(accounts: Account[], preferred: Address | undefined): Account | undefined {
  return accounts.find(({ address }) => address === preferred) ?? accounts[0]
}
