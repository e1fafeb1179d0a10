import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { isFreshList } from '../../../domain/token/listAge.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { createTokenPreferences, removeFavourite } from '../../../state/tokens/favourites.ts'
import { formatSymbol } from '../../format/address.ts'
import { useMutation } from '../../hooks/useMutation.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useStore, useStores } from '../../hooks/useStore.ts'

/** What the user marked and picked of a network's tokens, as the picker shows and changes it. */
export function useFavourites(network: Network | undefined) {
  const stores = useStores()
  const { tokens } = stores
  const store = stores.get(createTokenPreferences)
  const { favourites, recents, listedAt } = useStore(store, (state) => state)
  // The favourites of the last search: a row that is marked stays under the pointer until then.
  const [order, setOrder] = useState<Address[] | undefined>()
  const [forgotten, setForgotten] = useState<Token | undefined>()
  const [said, setSaid] = useState('')
  const settle = () => setOrder(store.getState().favourites)

  /** Asks for the list again. Where a younger one is kept, that is it. */
  async function refresh(): Promise<void> {
    if (network === undefined) return
    await tokens.open(network)
    await store.open(network.chainId).catch(() => undefined)
  }

  const opening = useQuery(() => network && store.open(network.chainId), [store, network?.chainId])
  useEffect(() => {
    // Where they cannot be had there is still a list to choose from.
    if (opening.status === 'asking') return
    settle()
    const { listedAt } = store.getState()
    if (listedAt !== undefined && !isFreshList(listedAt, Date.now())) refresh()
  }, [opening])

  const mark = useMutation(async (token: Token) => {
    const symbol = formatSymbol(token)
    await store.toggle(token.address)
    const isMarked = store.getState().favourites.includes(token.address)
    setSaid(
      isMarked
        ? t('{symbol} added to favorites', { symbol })
        : t('{symbol} removed from favorites', { symbol }),
    )
  })
  const forget = useMutation(async (token: Token) => {
    if (network === undefined) return
    await store.forgetToken(network.chainId, token.address)
    removeFavourite(tokens, token.address)
    setForgotten(token)
  })
  const restore = useMutation(async () => {
    if (network === undefined || forgotten === undefined) return
    tokens.add(await store.importToken(network.chainId, forgotten.address))
    setForgotten(undefined)
  })

  return {
    favourites,
    recents,
    listedAt,
    /** The favourites in the order that the list is in. Undefined until they are known. */
    order,
    /** For another search: the list may be made anew. */
    settle() {
      settle()
      setForgotten(undefined)
    },
    refresh,
    mark: mark.run,
    forget: forget.run,
    /** The token that was forgotten last, and can be had back. */
    forgotten,
    restore: restore.run,
    /** What became of the last mark, for those who hear it. */
    said,
    error: mark.error ?? forget.error ?? restore.error,
    used: (token: Token) => void store.used(token.address).catch(() => undefined),
  }
}
