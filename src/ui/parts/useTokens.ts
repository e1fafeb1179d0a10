import { useEffect, useState } from 'preact/hooks'
import { type Address, isNative, type Token } from '../../domain/token.ts'
import { coinOf } from '../../state/tokens.ts'
import { useStores } from '../use.ts'
import { useNetwork } from './usePair.ts'

/** `null` is no token, or one that cannot be read; `undefined` until that is known. */
export type TokenOf = (address: Address) => Token | null | undefined

/** The tokens of a request by their addresses, each read once from its list or its own contract. */
export function useTokens(chainId: number, addresses: Address[]): TokenOf {
  const { tokens } = useStores()
  const network = useNetwork(chainId)
  const [read, setRead] = useState<Record<Address, Token | null>>({})
  const wanted = [...new Set(addresses)].filter((address) => !isNative(address)).join(',')

  useEffect(() => {
    let isOver = false
    for (const address of wanted === '' ? [] : (wanted.split(',') as Address[])) {
      const keep = (token: Token | null) => isOver || setRead((before) => ({ ...before, [address]: token }))
      tokens.peek(chainId, address).then(keep, () => keep(null))
    }
    return () => {
      isOver = true
    }
  }, [tokens, chainId, wanted])

  return (address) => (isNative(address) && network ? coinOf(network) : read[address])
}
