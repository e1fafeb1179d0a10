import { useEffect, useState } from 'preact/hooks'
import { type Address, isNative, type Token } from '../../domain/token.ts'
import { isReady } from '../../state/settings.ts'
import { coinOf } from '../../state/tokens.ts'
import { use, useStores } from '../use.ts'
import { useNetwork } from './usePair.ts'

/** `null` is no token, or one that cannot be read; `undefined` until that is known. */
export type TokenOf = (address: Address) => Token | null | undefined

/** The tokens of a request by their addresses, each read from the network's list, which is opened for it, or its own contract. */
export function useTokens(chainId: number, addresses: Address[]): TokenOf {
  const { tokens } = useStores()
  const network = useNetwork(chainId)
  const [read, setRead] = useState<Record<Address, Token | null>>({})
  const wanted = [...new Set(addresses)].filter((address) => !isNative(address)).join(',')

  const isListHere = use(tokens, (state) => state.chainId === chainId && !state.loading)
  useEffect(() => {
    if (network !== undefined && isReady(network)) tokens.open(network)
  }, [tokens, network?.chainId])

  // What was read before the list was here is not known to be on it.
  useEffect(() => {
    let isOver = false
    for (const address of wanted === '' ? [] : (wanted.split(',') as Address[])) {
      const keep = (token: Token | null) => isOver || setRead((before) => ({ ...before, [address]: token }))
      tokens.peek(chainId, address).then(keep, () => keep(null))
    }
    return () => {
      isOver = true
    }
  }, [tokens, chainId, wanted, isListHere])

  return (address) => (isNative(address) && network ? coinOf(network) : read[address])
}
