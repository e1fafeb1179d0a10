import { createStore } from 'zustand/vanilla'
import { encode } from '../../domain/json.ts'
import type { Network } from '../../domain/network/network.ts'
import type { Address } from '../../domain/token/token.ts'
import type { TokenPrices } from '../../domain/value/price.ts'
import type { ValueSnapshot } from '../../domain/value/snapshots.ts'
import type { WalletApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import type { PricesState } from '../prices.ts'
import type { Session } from '../session.ts'
import { currentNetwork, isReachable } from '../settings.ts'
import type { Stores } from '../stores.ts'
import { forgetLastKnown, type LastKnown, readLastKnown, writeLastKnown } from './lastKnown.ts'
import { createPortfolio, type KnownHoldings, type NetworkHoldings } from './portfolio.ts'
import { knownPrices, summarise } from './summary.ts'

export type HomeState = {
  /** Chain id; absent: all networks. */
  filter: number | undefined
  /** Of the account, oldest first. */
  snapshots: ValueSnapshot[]
}

/** Prices older than this are shown as old, and not stored as a snapshot. */
const recentMs = 90_000
const saveAfterMs = 500
/** At most so often, except just after the opening. */
const writeEveryMs = 10_000
/** The last total of an hour counts, since prices of many tokens arrive over several reads. */
const snapshotEveryMs = 25_000

/** State of the home screen: the portfolio, kept fresh while home or a token is open, and its past. */
export function createHome(wallet: WalletApi, clock: Clock, session: Session) {
  const portfolio = createPortfolio(wallet, clock)
  const store = createStore<HomeState>()(() => ({ filter: undefined, snapshots: [] }))
  let watchers = 0
  let unfollow: (() => void) | undefined
  let locks = 0

  const freshFrom = () => clock.now() - recentMs

  function follow(stores: Stores): () => void {
    const { account, settings, tokens, prices } = stores
    let cancelSave = () => {}
    /** Newest snapshot stored, and when. */
    let stored: { total: string; at: number } | undefined
    let isStoring = false
    const openedAt = clock.now()
    const waiting = createTimer(clock)
    let [written, writtenAt] = ['', Number.NEGATIVE_INFINITY]

    function isOpen(): Address | undefined {
      const state = account.getState()
      return state.step === 'open' ? state.account.address : undefined
    }

    /** The account that is open, if its portfolio is shown. */
    function openOwner(): Address | undefined {
      const owner = portfolio.getState().account
      return isOpen() === owner ? owner : undefined
    }

    function watch(): void {
      const [owner, state] = [isOpen(), settings.getState()]
      const current = currentNetwork(state)
      if (owner === undefined || current === undefined) return
      const isOther = portfolio.getState().account !== owner
      portfolio.watch(owner, toReachable(state.settings?.networks ?? []), current.chainId)
      if (isOther) load(owner).catch(() => undefined)
      portfolio.hear(tokens.getState(), false)
    }

    async function load(owner: Address): Promise<void> {
      const before = locks
      store.setState({ snapshots: [], filter: undefined })
      const last = await readLastKnown(session, owner)
      if (before !== locks || portfolio.getState().account !== owner) return
      if (last) {
        prices.restore(last.prices, last.rate)
        portfolio.restore(owner, last.networks)
        store.setState({ filter: last.filter })
      }
      const snapshots = await wallet.snapshots(owner)
      if (before === locks && portfolio.getState().account === owner) store.setState({ snapshots })
    }

    function track(): void {
      for (const { chainId, tokens } of portfolio.getState().networks)
        prices.track(
          chainId,
          tokens.map(({ address }) => address),
        )
    }

    function save(): void {
      cancelSave()
      cancelSave = clock.after(saveAfterMs, () => {
        keepNumbers()
        const owner = openOwner()
        if (owner !== undefined) keepSnapshot(owner).catch(() => undefined)
      })
    }

    /** Stores the numbers of the next opening, if they changed. */
    function keepNumbers(): void {
      const rest = writtenAt + writeEveryMs - clock.now()
      // At first networks answer one after the other, and the popup may close soon.
      if (rest > 0 && clock.now() - openedAt > writeEveryMs) waiting.set(rest, keepNumbers)
      else writeNumbers()
    }

    function writeNumbers(): void {
      waiting.stop()
      const owner = openOwner()
      if (owner === undefined) return
      const { networks } = portfolio.getState()
      const holdings = networks.flatMap(toKnown)
      // An earlier record is worth more than none.
      if (holdings.length === 0) return
      const { chains, rate } = prices.getState()
      const { filter } = store.getState()
      const known: LastKnown = {
        account: owner,
        networks: holdings,
        prices: Object.fromEntries(networks.map((one) => [one.chainId, selectPrices(one, chains)])),
        rate,
        ...(filter !== undefined && { filter }),
      }
      const text = encode({ ...known, networks: holdings.map(roundTime) })
      if (text === written) return
      written = text
      writtenAt = clock.now()
      writeLastKnown(session, known)
    }

    /** Only of a complete total: a missing network must not look like a loss. */
    async function keepSnapshot(owner: Address): Promise<void> {
      const { settings: now } = settings.getState()
      const { networks: holdings } = portfolio.getState()
      if (now === undefined) return
      const { usd, isComplete } = summarise({
        networks: now.networks,
        holdings,
        prices: prices.getState(),
        freshFrom: freshFrom(),
        current: now.chainId,
      })
      const chains = holdings.map(({ chainId }) => chainId).toSorted((one, other) => one - other)
      if (usd === undefined || !isComplete || isStoring) return
      const total = `${owner} ${Math.floor(Date.now() / 3_600_000)} ${chains} ${usd}`
      if (stored?.total === total || (stored && clock.now() - stored.at < snapshotEveryMs)) return
      isStoring = true
      try {
        const snapshots = await wallet.addSnapshot(owner, usd, chains)
        stored = { total, at: clock.now() }
        if (portfolio.getState().account === owner) store.setState({ snapshots })
      } finally {
        isStoring = false
      }
    }

    const ties = [
      account.subscribe(watch),
      settings.subscribe(watch),
      tokens.subscribe((now, before) => portfolio.hear(now, now.readAt !== before.readAt)),
      portfolio.subscribe(() => {
        track()
        save()
      }),
      prices.subscribe(save),
      store.subscribe(({ filter }, before) => {
        if (filter !== before.filter) writeNumbers()
      }),
    ]
    watch()
    portfolio.hear(tokens.getState(), true)
    portfolio.refresh().catch(() => undefined)
    return () => {
      for (const untie of ties) untie()
      cancelSave()
      writeNumbers()
      portfolio.stop()
    }
  }

  return {
    ...store,
    portfolio,

    /** `clock` time after which a price read counts as lately. */
    freshFrom,

    /** Keeps the portfolio fresh until the returned function is called. */
    watch(stores: Stores): () => void {
      watchers += 1
      unfollow ??= follow(stores)
      return () => {
        watchers -= 1
        if (watchers > 0) return
        unfollow?.()
        unfollow = undefined
      }
    },

    setHidden: portfolio.setHidden,
    touch: portfolio.touch,

    setFilter: (filter: number | undefined) => store.setState({ filter }),

    lock(): void {
      locks += 1
      portfolio.lock()
      store.setState({ snapshots: [], filter: undefined })
      // A write may be under way.
      forgetLastKnown(session).catch(() => undefined)
    },
  }
}

function toKnown({ chainId, tokens, balances, readAt }: NetworkHoldings): KnownHoldings[] {
  return readAt === undefined ? [] : [{ chainId, tokens, balances, readAt }]
}

/** The time alone is a change every minute. */
function roundTime(holdings: KnownHoldings): KnownHoldings {
  return { ...holdings, readAt: Math.floor(holdings.readAt / 60_000) }
}

/** Returns the prices of what is held. */
function selectPrices({ chainId, tokens }: NetworkHoldings, chains: PricesState['chains']): TokenPrices {
  const known = knownPrices(chains[chainId])
  return Object.fromEntries(
    tokens.flatMap(({ address }) => {
      const price = known[address]
      return price === undefined ? [] : [[address, price]]
    }),
  )
}

function toReachable(networks: Network[]): Network[] {
  return networks.filter(isReachable)
}
