import { useEffect } from 'preact/hooks'
import type { Token } from '../../domain/token.ts'
import type { Trade } from '../../domain/trade.ts'
import { use, useStores } from '../use.ts'

/** The two tokens of a trade, once they are known; asks the chain for one that no list has. */
export function usePair({ chainId, sell, buy }: Trade): { sell: Token; buy: Token } | undefined {
  const { tokens } = useStores()
  const list = use(tokens, (state) => state.tokens)
  const find = (wanted: string) => list.find(({ address }) => address === wanted)
  const one = find(sell)
  const other = find(buy)
  const isReady = list.length > 1
  useEffect(() => {
    if (!isReady) return
    for (const address of [sell, buy]) tokens.read(chainId, address).catch(() => undefined)
  }, [tokens, isReady, chainId, sell, buy])
  return one && other && { sell: one, buy: other }
}
