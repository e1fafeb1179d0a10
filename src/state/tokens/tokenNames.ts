import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { type Address, isNative, type Token, withListMetadata } from '../../domain/token/token.ts'
import type { TokensApi } from '../../protocol.ts'
import { getNativeToken } from './tokens.ts'

/** A token of some network. */
export type TokenAt = { chainId: number; token: Address }

/** What the worker answered, by `tokenKey`; `null` where nobody could say. */
export type TokenNames = Record<string, Token | null>

/** What the tokens of any network are called: by its list, or by their own contracts. Each is asked about once. */
export function createTokenNames(wallet: Pick<TokensApi, 'token'>) {
  const store = createStore<TokenNames>()(() => ({}))
  const asked = new Set<string>()

  async function ask(one: TokenAt): Promise<void> {
    const key = tokenKey(one)
    if (asked.has(key)) return
    asked.add(key)
    const found = await wallet.token(one.chainId, one.token).catch(() => null)
    store.setState({ [key]: found })
  }

  return {
    ...store,
    /** Who could say nothing before is asked again: a node may be back. */
    forgive(): void {
      for (const [key, token] of Object.entries(store.getState())) if (token === null) asked.delete(key)
    },
    /** A coin is called what its network's settings say: nobody has to be asked. */
    learn: async (wanted: readonly TokenAt[]): Promise<void> => {
      await Promise.all(wanted.filter(({ token }) => !isNative(token)).map(ask))
    },
  }
}

/** What can be told of tokens: by what was answered, and by the list of the form's network, which is here before that. */
export type TokenMetadata = {
  names: TokenNames
  networks: readonly Network[]
  chainId: number | undefined
  list: ReadonlyMap<Address, Token>
}

/** `null` is one that nobody could describe; `undefined` until that is known. */
export function findKnownToken(known: TokenMetadata, one: TokenAt): Token | null | undefined {
  const { chainId, token } = one
  if (isNative(token)) {
    const network = known.networks.find((network) => network.chainId === chainId)
    return network ? getNativeToken(network) : null
  }
  const own = known.names[tokenKey(one)]
  const listed = known.chainId === chainId ? known.list.get(token) : undefined
  if (listed === undefined) return own
  return own ? withListMetadata(own, listed) : listed
}

export function tokenKey({ chainId, token }: TokenAt): string {
  return `${chainId} ${token}`
}
