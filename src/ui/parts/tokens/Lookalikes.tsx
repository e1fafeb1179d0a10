import { imitatedBy } from '../../../domain/token/lookalike.ts'
import { isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../language/translate.ts'
import { formatSymbol, shortAddress } from '../../format/format.ts'
import { use, useStores } from '../../hooks/use.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { Note } from '../Note.tsx'

/** Tells of tokens that could be mistaken for listed ones. `useTokenList` has a request's list opened. */
export function Lookalikes({ chainId, tokens }: { chainId: number; tokens: (Token | null | undefined)[] }) {
  const stores = useStores()
  const list = use(stores.tokens, (state) => (state.chainId === chainId ? state.tokens : none))
  const network = useNetwork(chainId) ?? { chainId }
  const known = tokens.flatMap((token) => token ?? [])
  const unique = new Map(known.map((token) => [token.address, token]))
  return (
    <>
      {[...unique.values()].map((token) => {
        const original = imitatedBy(token, list, network)
        return original && <Lookalike key={token.address} token={token} original={original} />
      })}
    </>
  )
}

export function Lookalike({ token, original }: { token: Token; original: Token }) {
  const names = {
    symbol: formatSymbol(token),
    address: shortAddress(token.address),
    original: formatSymbol(original),
  }
  return (
    <Note>
      {isNative(original.address)
        ? t(
            '{symbol} at {address} looks like {original}, the coin of this network. It is a contract that anybody can make.',
            names,
          )
        : t(
            '{symbol} at {address} looks like {original}, which is listed at {listed}. This is another contract.',
            { ...names, listed: shortAddress(original.address) },
          )}
    </Note>
  )
}

const none: Token[] = []
