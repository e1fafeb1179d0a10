import { createStore } from 'zustand/vanilla'
import type { Address, Token } from '../../domain/token/token.ts'
import type { TokenPreferences, TokenPreferencesChange, TokensApi } from '../../protocol.ts'
import type { createTokens } from './tokens.ts'

export type TokenPreferencesState = TokenPreferences & {
  chainId: number | undefined
  /** Unix milliseconds; undefined without a list. */
  listedAt: number | undefined
}

const none = { favourites: [], recents: [], listedAt: undefined }

export function removeFavourite(store: Pick<Tokens, 'getState' | 'setState'>, address: Address): void {
  const { tokens } = store.getState()
  store.setState({ tokens: tokens.filter((token) => token.listed || token.address !== address) })
}

type Tokens = ReturnType<typeof createTokens>

export function createTokenPreferences(wallet: TokensApi) {
  const store = createStore<TokenPreferencesState>()(() => ({ ...none, chainId: undefined }))

  async function open(chainId: number): Promise<void> {
    if (store.getState().chainId !== chainId) store.setState({ ...none, chainId })
    const picks = await wallet.tokenPreferences(chainId)
    if (store.getState().chainId === chainId) store.setState(picks)
  }

  async function save(change: TokenPreferencesChange): Promise<void> {
    const { chainId } = store.getState()
    if (chainId === undefined) return
    const picks = await wallet.updateTokenPreferences(chainId, change)
    if (store.getState().chainId === chainId) store.setState(picks)
  }

  return {
    ...store,
    open,

    /** Appends new favourites. */
    toggle: (token: Address) =>
      save(store.getState().favourites.includes(token) ? { unmarked: [token] } : { marked: [token] }),

    used: (token: Address) => save({ used: [token] }),

    importToken: (chainId: number, token: Address): Promise<Token> => wallet.importToken(chainId, token),

    forgetToken: (chainId: number, token: Address): Promise<void> => wallet.removeToken(chainId, token),
  }
}
