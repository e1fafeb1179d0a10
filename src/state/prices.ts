import { createStore } from 'zustand/vanilla'
import type { Address } from '../domain/token/token.ts'
import { type Currency, type CurrencyRate, dollars } from '../domain/value/currency.ts'
import type { PriceList, TokenPrice, TokenPrices } from '../domain/value/price.ts'
import type { PricesApi } from '../protocol.ts'
import type { Clock } from './clock.ts'

/** `readAt` is `clock` time of the newest read. */
export type PricesState = {
  chains: Record<number, { prices: TokenPrices; readAt: number }>
  rate: CurrencyRate
  /** The user's choice. */
  isShown: boolean
}

/** A price is read again after this time. */
const freshMs = 30_000
/** Tokens that nothing has asked for during this time are no longer read. */
const forgetMs = 120_000

/** Prices of the tokens on screen, of any chain. */
export function createPrices(wallet: PricesApi, clock: Clock) {
  const store = createStore<PricesState>()(() => ({ chains: {}, rate: dollars, isShown: true }))
  /** When each token was last asked for, and last read. */
  const tracked = new Map<number, Map<Address, { askedAt: number; readAt?: number }>>()
  const reading = new Set<number>()
  let isScheduled = false
  let chosen: Currency = 'USD'

  function track(chainId: number, tokens: Address[]): void {
    const known = tracked.get(chainId) ?? new Map()
    tracked.set(chainId, known)
    const askedAt = clock.now()
    for (const token of tokens) known.set(token, { ...known.get(token), askedAt })
    schedule()
  }

  /** One request for all tokens of one render. */
  function schedule(): void {
    if (isScheduled || !store.getState().isShown) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      for (const chainId of tracked.keys()) read(chainId).catch(() => undefined)
    })
  }

  async function read(chainId: number): Promise<void> {
    const known = tracked.get(chainId)
    if (known === undefined || reading.has(chainId)) return
    const now = clock.now()
    for (const [token, { askedAt }] of known) if (now - askedAt > forgetMs) known.delete(token)
    const isDue = [...known.values()].some(({ readAt }) => readAt === undefined || now - readAt >= freshMs)
    if (!isDue) return
    reading.add(chainId)
    const wanted = [...known.keys()]
    try {
      show(chainId, wanted, await wallet.prices(chainId, wanted))
    } finally {
      // After an error the next balances read tries again.
      for (const token of wanted) {
        const mark = known.get(token)
        if (mark) known.set(token, { ...mark, readAt: now })
      }
      reading.delete(chainId)
    }
    if ([...known.values()].some(({ readAt }) => readAt === undefined)) schedule()
  }

  function show(chainId: number, wanted: Address[], { prices, rate }: PriceList): void {
    const { chains } = store.getState()
    const kept = { ...chains[chainId]?.prices }
    // A token that lost its price has none.
    for (const token of wanted) delete kept[token]
    store.setState({
      chains: { ...chains, [chainId]: { prices: { ...kept, ...prices }, readAt: clock.now() } },
      rate,
    })
  }

  return {
    ...store,
    /** Has the tokens' prices read, now and while they are asked for. */
    track,

    /** Reads tracked tokens again whose prices are old. */
    renew: schedule,

    /** Reads again when the user chose another currency or turned values on. */
    setDisplay(currency: Currency, isShown: boolean): void {
      const now = store.getState()
      if (now.isShown === isShown && chosen === currency) return
      chosen = currency
      store.setState({ isShown, ...(currency === 'USD' && { rate: dollars }) })
      for (const known of tracked.values())
        for (const [token, { askedAt }] of known) known.set(token, { askedAt })
      schedule()
    },

    /** Shows last known prices, and their rate, where none were read yet. */
    restore(known: Record<number, TokenPrices>, rate: CurrencyRate): void {
      const { chains } = store.getState()
      const isUnread = Object.keys(chains).length === 0
      const old = Object.entries(known).map(([id, prices]) => [
        id,
        { prices, readAt: Number.NEGATIVE_INFINITY },
      ])
      store.setState({
        chains: { ...Object.fromEntries(old), ...chains },
        ...(isUnread && rate.currency === chosen && { rate }),
      })
    },

    /** Undefined when values are off. */
    price(chainId: number, token: Address): TokenPrice | undefined {
      const { chains, isShown } = store.getState()
      return isShown ? chains[chainId]?.prices[token] : undefined
    },
  }
}
