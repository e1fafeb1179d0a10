import { createStore } from 'zustand/vanilla'
import type { Address } from '../domain/token/token.ts'
import { type Currency, type CurrencyRate, dollars } from '../domain/value/currency.ts'
import type { PriceList, TokenPrice, TokenPrices } from '../domain/value/price.ts'
import type { PricesApi } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'

export type ChainPrices = {
  /** Read within the last two minutes. */
  prices: TokenPrices
  /** Last known ones of other tokens: shown as old, never calculated with. */
  old: TokenPrices
  /** `clock` time at which each token was last asked for with success, with a price or without. */
  readAt: Record<Address, number>
}

export type PricesState = {
  chains: Record<number, ChainPrices>
  rate: CurrencyRate
  /** The user's choice. */
  isShown: boolean
}

/** A price is read again after this time. */
const freshMs = 30_000
/** A price that could not be read again for this long is old. Several reads fit in. */
const maxAgeMs = 120_000
/** Tokens that nothing has asked for during this time are no longer read. */
const forgetMs = 120_000

/** Prices of the tokens on screen, of any chain. */
export function createPrices(wallet: PricesApi, clock: Clock) {
  const store = createStore<PricesState>()(() => ({ chains: {}, rate: dollars, isShown: true }))
  /** When each token was last asked for, and last read, with success or not. */
  const tracked = new Map<number, Map<Address, { askedAt: number; triedAt?: number }>>()
  const expiry = createTimer(clock)
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
    const isDue = [...known.values()].some(({ triedAt }) => triedAt === undefined || now - triedAt >= freshMs)
    if (!isDue) return
    reading.add(chainId)
    const wanted = [...known.keys()]
    try {
      show(chainId, wanted, await wallet.prices(chainId, wanted), now)
    } finally {
      // After an error the next balances read tries again.
      for (const token of wanted) {
        const mark = known.get(token)
        if (mark) known.set(token, { ...mark, triedAt: now })
      }
      reading.delete(chainId)
    }
    if ([...known.values()].some(({ triedAt }) => triedAt === undefined)) schedule()
  }

  function show(chainId: number, wanted: Address[], { prices, rate }: PriceList, at: number): void {
    const { chains } = store.getState()
    const { prices: kept, old, readAt } = chains[chainId] ?? unread
    const read = {
      // A token that lost its price has none.
      prices: { ...without(kept, wanted), ...prices },
      old: without(old, wanted),
      readAt: { ...readAt, ...Object.fromEntries(wanted.map((token) => [token, at])) },
    }
    store.setState({ chains: { ...chains, [chainId]: read }, rate })
    expire()
  }

  /** Turns prices old that could not be read again, now and when the next one gets old. */
  function expire(): void {
    const { chains } = store.getState()
    const now = clock.now()
    let next = Number.POSITIVE_INFINITY
    let isChanged = false
    const aged = Object.entries(chains).map(([id, chain]) => {
      const expired: TokenPrices = {}
      for (const [token, price] of Object.entries(chain.prices) as [Address, TokenPrice][]) {
        const endsAt = (chain.readAt[token] ?? Number.NEGATIVE_INFINITY) + maxAgeMs
        if (endsAt <= now) expired[token] = price
        else next = Math.min(next, endsAt)
      }
      const gone = Object.keys(expired) as Address[]
      if (gone.length === 0) return [id, chain]
      isChanged = true
      return [id, { ...chain, prices: without(chain.prices, gone), old: { ...chain.old, ...expired } }]
    })
    if (isChanged) store.setState({ chains: Object.fromEntries(aged) })
    if (Number.isFinite(next)) expiry.set(next - now, expire)
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

    /** Takes last known prices, and their rate, for old where none were read yet. */
    restore(known: Record<number, TokenPrices>, rate: CurrencyRate): void {
      const { chains } = store.getState()
      const isUnread = Object.keys(chains).length === 0
      const restored = Object.entries(known).map(([id, old]) => [id, { ...unread, old }])
      store.setState({
        chains: { ...Object.fromEntries(restored), ...chains },
        ...(isUnread && rate.currency === chosen && { rate }),
      })
    },

    /** Undefined when values are off, and without a price of the last two minutes. */
    price(chainId: number, token: Address): TokenPrice | undefined {
      const { chains, isShown } = store.getState()
      const { prices, readAt } = chains[chainId] ?? unread
      // Timers stand still during sleep.
      const isOld = clock.now() - (readAt[token] ?? Number.NEGATIVE_INFINITY) >= maxAgeMs
      return isShown && !isOld ? prices[token] : undefined
    },

    stop: expiry.stop,
  }
}

const unread: ChainPrices = { prices: {}, old: {}, readAt: {} }

function without(prices: TokenPrices, tokens: Address[]): TokenPrices {
  const kept = { ...prices }
  for (const token of tokens) delete kept[token]
  return kept
}
