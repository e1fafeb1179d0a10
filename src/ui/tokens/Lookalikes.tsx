import { findLookalike } from '../../domain/token/lookalike.ts'
import type { Token } from '../../domain/token/token.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { formatSymbol } from '../format/address.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatImitation } from '../messages/risks.ts'

/** Requires a loaded list (`useTokenList`). */
export function Lookalikes({ chainId, tokens }: { chainId: number; tokens: (Token | null | undefined)[] }) {
  const stores = useStores()
  const list = useStore(stores.tokens, (state) => (state.chainId === chainId ? state.tokens : none))
  const network = useNetwork(chainId) ?? { chainId }
  const known = tokens.flatMap((token) => token ?? [])
  const unique = new Map(known.map((token) => [token.address, token]))
  return (
    <>
      {[...unique.values()].map((token) => {
        const original = findLookalike(token, list, network)
        return original && <Lookalike key={token.address} token={token} original={original} />
      })}
    </>
  )
}

export function Lookalike({ token, original }: { token: Token; original: Token }) {
  const named = (one: Token) => ({ address: one.address, symbol: formatSymbol(one) })
  return <Warning>{formatImitation(named(token), named(original))}</Warning>
}

const none: Token[] = []
