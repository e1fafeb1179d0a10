import type { Address, Token } from '../../domain/token.ts'
import { formatSymbol, shortAddress } from '../format.ts'
import { use, useStores } from '../use.ts'

/** What the tokens of a route are called: by the pair itself, by the list, else by their address. */
export function useSymbols(pair: Token[]): (address: Address) => string {
  const list = use(useStores().tokens, (state) => state.tokens)
  return (address) => {
    const token = [...pair, ...list].find((one) => one.address === address)
    return token ? formatSymbol(token) : shortAddress(address)
  }
}
