import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { isFreshList } from '../../../domain/token/listAge.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { createTokenPreferences, removeFavourite } from '../../../state/tokens/favourites.ts'
import { formatSymbol } from '../../format/address.ts'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'

/** Favourites and recent tokens for the picker. */
export function useFavourites(network: Network | undefined) {
  const stores = useStores()
  const { tokens } = stores
  const store = stores.get(createTokenPreferences)
  const { favourites, recents, listedAt } = useStore(store, (state) => state)
  // Of the last search: marked rows must not jump.
  const [order, setOrder] = useState<Address[] | undefined>()
  const [forgotten, setForgotten] = useState<Token | undefined>()
  const [said, setSaid] = useState('')
  const settle = () => setOrder(store.getState().favourites)

  /** Keeps a newer stored list. */
  async function refresh(): Promise<void> {
    if (network === undefined) return
    await tokens.open(network)
    await store.open(network.chainId).catch(() => undefined)
  }

  const opening = useQuery(() => network && store.open(network.chainId), [store, network?.chainId])
  useEffect(() => {
    // On errors the list works without favourites.
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
    /** In display order. Undefined until loaded. */
    order,
    /** A new search may reorder rows. */
    settle() {
      settle()
      setForgotten(undefined)
    },
    refresh,
    mark: mark.run,
    forget: forget.run,
    /** Last removed token, to be restored. */
    forgotten,
    restore: restore.run,
    /** Screen reader announcement. */
    said,
    error: mark.error ?? forget.error ?? restore.error,
    used: (token: Token) => void store.used(token.address).catch(() => undefined),
  }
}
