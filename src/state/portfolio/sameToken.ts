import { etherCurrency, findPublicChain } from '../../domain/network/chains.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { wellKnownElsewhere } from '../../domain/token/wellKnown.ts'
import type { NetworkHoldings } from './portfolio.ts'

/** Returns true if both are known to be the same asset: by built-in addresses, never by symbol. */
export function isSameAsset(
  one: { chainId: number; address: Address },
  other: { chainId: number; address: Address },
): boolean {
  if (isNative(one.address) || isNative(other.address)) {
    return one.address === other.address && isEther(one.chainId) && isEther(other.chainId)
  }
  return wellKnownElsewhere(one.chainId, one.address).some(
    ({ chainId, address }) => chainId === other.chainId && address === other.address,
  )
}

function isEther(chainId: number): boolean {
  return findPublicChain(chainId)?.coin === etherCurrency
}

type HeldElsewhere = { chainId: number; token: Token; balance: bigint }

/** Returns where else an asset is held. */
export function findElsewhere(
  one: { chainId: number; address: Address },
  holdings: NetworkHoldings[],
): HeldElsewhere[] {
  return holdings.flatMap(({ chainId, tokens, balances }) =>
    tokens.flatMap((token) => {
      const balance = balances[token.address] ?? 0n
      const isThere = chainId !== one.chainId && balance > 0n
      return isThere && isSameAsset(one, { chainId, address: token.address })
        ? [{ chainId, token, balance }]
        : []
    }),
  )
}
