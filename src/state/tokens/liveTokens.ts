import { isNative, nativeTokenAddress, type Token } from '../../domain/token/token.ts'
import type { WalletError } from '../../errors.ts'
import type { Balances } from '../../protocol.ts'

/** Longer lists are read in part with every block. */
const maxAtEachBlock = 250

/** Held, added and well-known tokens; all tokens of a short list. */
export async function selectLive(chainId: number, tokens: Token[], balances: Balances): Promise<Token[]> {
  if (tokens.length <= maxAtEachBlock) return tokens
  // Not part of the first screen.
  const { wellKnownOn } = await import('../../domain/token/wellKnown.ts')
  const known = new Set(wellKnownOn(chainId).map(({ address }) => address))
  const isLive = ({ address, listed }: Token) =>
    isNative(address) || !listed || (balances[address] ?? 0n) > 0n || known.has(address)
  return tokens.filter(isLive)
}

type KnownBalances = { isRead: boolean; listError: WalletError | undefined; balances: Balances }

/** True if the account holds none of the network's listed and added tokens. */
export function isEmptyAccount({ isRead, listError, balances }: KnownBalances): boolean {
  return (
    isRead &&
    listError === undefined &&
    balances[nativeTokenAddress] !== undefined &&
    Object.values(balances).every((balance) => balance === 0n)
  )
}
