import { useEffect, useMemo } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { Trade } from '../../domain/swap/quote.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { createTokenNames, findKnownToken, type TokenAt, tokenKey } from '../../state/tokens/tokenNames.ts'
import { formatSymbol, shortAddress } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** Its identity changes with the known tokens. */
export type Tokens = {
  /** `null` if unreadable, undefined until known. */
  tokenOf(chainId: number, address: Address): Token | null | undefined
  /** Falls back to the short address. */
  symbolOf(chainId: number, address: Address): string
}

/** Lookup on one network. */
export type FindToken = (address: Address) => Token | null | undefined

/** Loads the `wanted` tokens. */
export function useTokens(wanted: readonly TokenAt[] = none): Tokens {
  const stores = useStores()
  const store = stores.get(createTokenNames)
  const names = useStore(store, (state) => state)
  const networks = useStore(stores.settings, ({ settings }) => settings?.networks ?? nowhere)
  const chainId = useStore(stores.tokens, (state) => state.chainId)
  const tokens = useStore(stores.tokens, (state) => state.tokens)
  const list = useMemo(() => new Map(tokens.map((token) => [token.address, token])), [tokens])
  useEffect(() => store.forgive(), [store])
  useEffect(() => void store.learn(wanted), [store, wanted.map(tokenKey).join()])

  return useMemo(() => {
    const tokenOf: Tokens['tokenOf'] = (chain, token) =>
      findKnownToken({ names, networks, chainId, list }, { chainId: chain, token })
    return {
      tokenOf,
      symbolOf(chain, address) {
        const token = tokenOf(chain, address)
        return token ? formatSymbol(token) : shortAddress(address)
      },
    }
  }, [names, networks, chainId, list])
}

export function useTokenLookup(chainId: number, addresses: Address[]): FindToken {
  const { tokenOf } = useTokens(addresses.map((token) => ({ chainId, token })))
  return (address) => tokenOf(chainId, address)
}

/** Returns both tokens, once known. */
export function usePair({ chainId, sell, buy }: Trade): { sell: Token; buy: Token } | undefined {
  const tokenOf = useTokenLookup(chainId, [sell, buy])
  const [sold, bought] = [tokenOf(sell), tokenOf(buy)]
  return sold && bought ? { sell: sold, buy: bought } : undefined
}

const none: never[] = []
const nowhere: Network[] = []
