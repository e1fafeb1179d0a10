import { useEffect, useMemo } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { Trade } from '../../domain/swap/quote.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { createTokenNames, findKnownToken, type TokenAt, tokenKey } from '../../state/tokens/tokenNames.ts'
import { formatSymbol, shortAddress } from '../format/address.ts'
import { useStore, useStores } from '../hooks/useStore.ts'

/** Tokens of any network; the same object until something else is known. */
export type Tokens = {
  /** `null` is no token, or one that cannot be read; `undefined` until that is known. */
  tokenOf(chainId: number, address: Address): Token | null | undefined
  /** Its address in short where it has no name. */
  symbolOf(chainId: number, address: Address): string
}

/** The same for one network. */
export type FindToken = (address: Address) => Token | null | undefined

/** All tokens that are known. Those that are `wanted` are asked for. */
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

/** The tokens at these addresses of one network. */
export function useTokenLookup(chainId: number, addresses: Address[]): FindToken {
  const { tokenOf } = useTokens(addresses.map((token) => ({ chainId, token })))
  return (address) => tokenOf(chainId, address)
}

/** The two tokens of a trade, once they are known. */
export function usePair({ chainId, sell, buy }: Trade): { sell: Token; buy: Token } | undefined {
  const tokenOf = useTokenLookup(chainId, [sell, buy])
  const [sold, bought] = [tokenOf(sell), tokenOf(buy)]
  return sold && bought ? { sell: sold, buy: bought } : undefined
}

const none: never[] = []
const nowhere: Network[] = []
