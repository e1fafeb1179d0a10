import { useEffect } from 'preact/hooks'
import type { Token } from '../../domain/token/token.ts'
import { isReady } from '../../state/settings.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** Loads a request's token list, to detect lookalikes. Empty until loaded. */
export function useTokenList(chainId: number): Token[] {
  const { tokens } = useStores()
  const network = useNetwork(chainId)
  useEffect(() => {
    if (network !== undefined && isReady(network)) tokens.open(network)
  }, [tokens, network?.chainId])
  return useStore(tokens, (state) => (state.chainId === chainId ? state.tokens : none))
}

const none: Token[] = []
