import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network.ts'
import type { Address, Token } from '../../domain/token.ts'
import type { Trade } from '../../domain/trade.ts'
import { coinOf } from '../../state/tokens.ts'
import { use, useStores } from '../use.ts'

/** The network of a trade, which need not be the one of the form. */
export function useNetwork(chainId: number): Network | undefined {
  return use(useStores().settings, ({ settings }) =>
    settings?.networks.find((network) => network.chainId === chainId),
  )
}

/** The two tokens of a trade, once they are known; asks the chain for one that the form's list does not have. */
export function usePair({ chainId, sell, buy }: Trade): { sell: Token; buy: Token } | undefined {
  const { tokens } = useStores()
  const network = useNetwork(chainId)
  const list = use(tokens, (state) =>
    state.chainId === chainId && !state.loading ? state.tokens : undefined,
  )
  const isListLoading = use(tokens, (state) => state.chainId === chainId && state.loading)
  const [read, setRead] = useState<Token[]>([])

  const known = [...(network ? [coinOf(network)] : []), ...(list ?? []), ...read]
  const find = (wanted: Address) => known.find(({ address }) => address === wanted)
  const one = find(sell)
  const other = find(buy)
  const isMissing = !isListLoading && (one === undefined || other === undefined)

  useEffect(() => {
    if (!isMissing) return
    for (const address of [sell, buy]) {
      tokens.peek(chainId, address).then(
        (token) => setRead((before) => [...before, token]),
        () => undefined,
      )
    }
  }, [tokens, isMissing, chainId, sell, buy])
  return one && other && { sell: one, buy: other }
}
