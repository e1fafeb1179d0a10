import { createStore } from 'zustand/vanilla'
import type { Address, Token } from '../../domain/token/token.ts'
import type { TokenPreferences, TokenPreferencesChange, TokensApi } from '../../protocol.ts'
import type { createTokens } from './tokens.ts'

export type PicksState = TokenPreferences & {
  chainId: number | undefined
  /** When the service's list was had, in milliseconds since 1970. Undefined while there is none. */
  listedAt: number | undefined
}

const none = { favourites: [], recents: [], listedAt: undefined }

/** Leaves a token that no list has out of those of the form's network. */
export function removeFavourite(store: Pick<Tokens, 'getState' | 'setState'>, address: Address): void {
  const { tokens } = store.getState()
  store.setState({ tokens: tokens.filter((token) => token.listed || token.address !== address) })
}

type Tokens = ReturnType<typeof createTokens>

/** What the user marked and picked last of one network's tokens. The worker keeps it; this is its copy for the picker. */
export function createPicks(wallet: TokensApi) {
  const store = createStore<PicksState>()(() => ({ ...none, chainId: undefined }))

  /** Answers once it is known. Of a network that was left nothing is shown. */
  async function open(chainId: number): Promise<void> {
    if (store.getState().chainId !== chainId) store.setState({ ...none, chainId })
    const picks = await wallet.tokenPreferences(chainId)
    if (store.getState().chainId === chainId) store.setState(picks)
  }

  /** The worker knows what there is. What it answers of a network that was left is not shown. */
  async function save(change: TokenPreferencesChange): Promise<void> {
    const { chainId } = store.getState()
    if (chainId === undefined) return
    const picks = await wallet.updateTokenPreferences(chainId, change)
    if (store.getState().chainId === chainId) store.setState(picks)
  }

  return {
    ...store,
    open,

    /** Marks a token, behind those that are marked, or takes the mark away. */
    toggle: (token: Address) =>
      save(store.getState().favourites.includes(token) ? { unmarked: [token] } : { marked: [token] }),

    /** It was picked just now. */
    used: (token: Address) => save({ used: [token] }),

    /** Keeps a token that no list has. */
    importToken: (chainId: number, token: Address): Promise<Token> => wallet.importToken(chainId, token),

    forgetToken: (chainId: number, token: Address): Promise<void> => wallet.removeToken(chainId, token),
  }
}
