import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { Balances, TokensApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { getNativeToken, type TokensState } from '../tokens/tokens.ts'

/** An account's holdings on one network. `readAt` in Unix milliseconds. */
export type NetworkHoldings = {
  chainId: number
  /** The native token and those held. */
  tokens: Token[]
  balances: Balances
  readAt: number | undefined
  /** This view read the balances of the whole list. */
  isRead: boolean
  /** Of the last read. */
  error: WalletError | undefined
}

/** Part that is kept between openings. */
export type KnownHoldings = Pick<NetworkHoldings, 'chainId' | 'tokens' | 'balances'> & { readAt: number }

/** `networks` are those with an RPC. */
export type PortfolioState = { account: Address | undefined; networks: NetworkHoldings[] }

const readEveryMs = 30_000
/** Without user activity for `idleAfterMs`. */
const idleEveryMs = 300_000
const idleAfterMs = 600_000
/** Tokens that were received are in no list of held ones. */
const wholeEveryMs = 300_000
/** RPCs limit request size and call gas. */
const maxAtOnce = 1_000

/**
 * Balances on all networks that are set up, each read from its own RPC. The network in use is read by the
 * tokens store, and heard here.
 */
export function createPortfolio(
  wallet: Pick<TokensApi, 'tokens' | 'balances'>,
  clock: Clock,
  now = Date.now,
) {
  const store = createStore<PortfolioState>()(() => ({ account: undefined, networks: [] }))
  const timer = createTimer(clock)
  /** Of this account, by chain id. */
  let known = new Map<number, NetworkHoldings>()
  let wanted: Network[] = []
  /** Read under way by chain id; dropped from here, its answer no longer counts. */
  const reading = new Map<number, object>()
  /** Networks whose RPC changed, until the tokens store has read the new one. */
  const unheard = new Set<number>()
  let currentId: number | undefined
  /** `clock` time of the newest read of the whole list, by chain id. */
  const wholeAt = new Map<number, number>()
  let isHidden = false
  let isPolling = false
  let touchedAt = clock.now()

  function show(): void {
    store.setState({ networks: wanted.map((network) => known.get(network.chainId) ?? createUnread(network)) })
  }

  function put(holdings: NetworkHoldings): void {
    known.set(holdings.chainId, holdings)
    show()
  }

  const isIdle = () => clock.now() - touchedAt > idleAfterMs

  /** Reads the other networks now, and every 30 seconds while shown. */
  async function refresh(): Promise<void> {
    isPolling = true
    if (isHidden) return
    timer.set(isIdle() ? idleEveryMs : readEveryMs, refresh)
    await Promise.all(wanted.filter(({ chainId }) => chainId !== currentId).map(read))
  }

  async function read(network: Network): Promise<void> {
    const { account } = store.getState()
    const { chainId } = network
    if (account === undefined || reading.has(chainId)) return
    const mine = {}
    const isCurrent = () => reading.get(chainId) === mine
    reading.set(chainId, mine)
    const before = known.get(chainId) ?? createUnread(network)
    try {
      // The whole list at first and at times; else only what is held.
      const readFrom = clock.now()
      const isWhole = !before.isRead || readFrom - (wholeAt.get(chainId) ?? readFrom) >= wholeEveryMs
      const listed = isWhole ? withNative(network, await wallet.tokens(chainId)) : before.tokens
      const balances = await readBalances(chainId, account, listed, isWhole)
      if (!isCurrent()) return
      const held = selectHeld(listed, balances)
      if (isWhole) wholeAt.set(chainId, readFrom)
      put({ chainId, ...held, readAt: now(), isRead: true, error: undefined })
    } catch (error) {
      if (isCurrent()) put({ ...(known.get(chainId) ?? before), error: toWalletError(error) })
    } finally {
      if (isCurrent()) reading.delete(chainId)
    }
  }

  async function readBalances(
    chainId: number,
    account: Address,
    tokens: Token[],
    isWhole: boolean,
  ): Promise<Balances> {
    const balances: Balances = {}
    for (let from = 0; from < tokens.length; from += maxAtOnce) {
      const some = tokens.slice(from, from + maxAtOnce).map(({ address }) => address)
      const isLast = isWhole && from + maxAtOnce >= tokens.length
      Object.assign(balances, await wallet.balances(chainId, account, some, isLast))
    }
    return balances
  }

  /** Drops what was read, and what is being read. */
  function clear(account: Address | undefined): void {
    reading.clear()
    unheard.clear()
    known = new Map()
    store.setState({ account, networks: [] })
  }

  return {
    ...store,
    refresh,

    /** `networks`: with an RPC, in order. `current`: the one in use. */
    watch(account: Address, networks: Network[], current: number): void {
      const isChanged =
        currentId !== current ||
        networks.some((one) =>
          wanted.every(({ chainId, rpcUrl }) => one.chainId !== chainId || one.rpcUrl !== rpcUrl),
        )
      if (store.getState().account !== account) clear(account)
      else if (!isChanged && networks.length === wanted.length) return
      // Another RPC may tell another truth.
      for (const { chainId, rpcUrl } of wanted) {
        const now = networks.find((one) => one.chainId === chainId)
        if (now?.rpcUrl === rpcUrl) continue
        known.delete(chainId)
        reading.delete(chainId)
        if (chainId === current) unheard.add(chainId)
      }
      // The tokens store reads it from here on.
      reading.delete(current)
      wanted = networks
      currentId = current
      show()
      refresh().catch(() => undefined)
    },

    /** Takes over what the tokens store read of the network in use. */
    hear({ chainId, account, tokens, balances, isRead, balanceError }: TokensState, isNew: boolean): void {
      const network = wanted.find((one) => one.chainId === chainId)
      const isOther = chainId !== currentId || account !== store.getState().account
      if (network === undefined || isOther) return
      const before = known.get(network.chainId) ?? createUnread(network)
      const error = balanceError
      if (isNew) unheard.delete(network.chainId)
      // Until the whole list was read, the last known tokens are more complete.
      if ((!isRead && before.readAt !== undefined) || unheard.has(network.chainId)) {
        if (error !== before.error) put({ ...before, error })
        return
      }
      const held = selectHeld(withNative(network, tokens), balances)
      const isTimed = isNew && isRead && error === undefined
      const readAt = isTimed ? now() : before.readAt
      put({ chainId: network.chainId, ...held, readAt, isRead, error })
    },

    /** Shows last known balances where none were read yet. */
    restore(account: Address, networks: KnownHoldings[]): void {
      if (account !== store.getState().account) return
      for (const holdings of networks) {
        if (known.get(holdings.chainId)?.readAt === undefined)
          known.set(holdings.chainId, { ...holdings, isRead: false, error: undefined })
      }
      show()
    },

    /** Reads nothing until the view is shown again, and then at once. */
    setHidden(hidden: boolean): void {
      if (isHidden === hidden) return
      isHidden = hidden
      if (hidden) timer.stop()
      else if (isPolling) refresh().catch(() => undefined)
    },

    /** Reports user activity. */
    touch(): void {
      const wasIdle = isIdle()
      touchedAt = clock.now()
      if (wasIdle && isPolling) refresh().catch(() => undefined)
    },

    stop(): void {
      timer.stop()
      isPolling = false
      // A read counts for this opening only.
      reading.clear()
    },

    lock(): void {
      timer.stop()
      isPolling = false
      wanted = []
      clear(undefined)
    },
  }
}

function createUnread(network: Network): NetworkHoldings {
  const tokens = [getNativeToken(network)]
  return {
    chainId: network.chainId,
    tokens,
    balances: {},
    readAt: undefined,
    isRead: false,
    error: undefined,
  }
}

function withNative(network: Network, tokens: Token[]): Token[] {
  return [getNativeToken(network), ...tokens.filter(({ address }) => !isNative(address))]
}

function selectHeld(tokens: Token[], balances: Balances): Pick<NetworkHoldings, 'tokens' | 'balances'> {
  const held = tokens.filter(({ address }) => isNative(address) || (balances[address] ?? 0n) > 0n)
  const entries = held.flatMap(({ address }) => {
    const balance = balances[address]
    return balance === undefined ? [] : [[address, balance] as const]
  })
  return { tokens: held, balances: Object.fromEntries(entries) }
}
