import { lookalikeOf } from '../../domain/lookalike.ts'
import { isNative, type Token } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { formatSymbol, shortAddress } from '../format.ts'
import { use, useStores } from '../use.ts'
import { Note } from './Note.tsx'

/** Tells of tokens that could be mistaken for listed ones. `useTokens` has the network's list opened. */
export function Lookalikes({ chainId, tokens }: { chainId: number; tokens: (Token | null | undefined)[] }) {
  const stores = useStores()
  const list = use(stores.tokens, (state) => (state.chainId === chainId ? state.tokens : none))
  const known = tokens.flatMap((token) => (token && !isNative(token.address) ? [token] : []))
  const unique = new Map(known.map((token) => [token.address, token]))
  return (
    <>
      {[...unique.values()].map((token) => {
        const original = lookalikeOf(token, list)
        return original && <Lookalike key={token.address} token={token} original={original} />
      })}
    </>
  )
}

export function Lookalike({ token, original }: { token: Token; original: Token }) {
  return (
    <Note>
      {t(
        '{symbol} at {address} looks like {original}, which is listed at {listed}. This is another contract.',
        {
          symbol: formatSymbol(token),
          address: shortAddress(token.address),
          original: formatSymbol(original),
          listed: shortAddress(original.address),
        },
      )}
    </Note>
  )
}

const none: Token[] = []
