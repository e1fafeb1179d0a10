import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { type Address, isNative, nativeTokenAddress, type Token } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { Balances, NetworksApi, TokensApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { selectLive } from './liveTokens.ts'

export type TokensState = {
  chainId: number | undefined
  account: Address | undefined
  /** Listed first, then imported. */
  tokens: Token[]
  /** Missing amounts are unknown. */
  balances: Balances
  /** Balances of the whole list were read. */
  isRead: boolean
  /** `clock` time. */
  readAt: number
  loading: boolean
  listError: WalletError | undefined
  balanceError: WalletError | undefined
}

const balancesEveryMs = 30_000

/** Blocks are polled at half the pace of quotes, which follows the block time, within these limits. */
const [minPollMs, maxPollMs] = [2_000, 6_000]

/** Without user activity for this long, only the slow poll of all balances goes on. */
const idleAfterMs = 600_000

/** RPCs limit request size and call gas. */
const maxAtOnce = 1_000

const empty: Omit<TokensState, 'chainId' | 'account'> = {
  tokens: [],
  balances: {},
  isRead: false,
  readAt: 0,
  loading: true,
  listError: undefined,
  balanceError: undefined,
}

export function createTokens(wallet: TokensApi & NetworksApi, clock: Clock) {
  const store = createStore<TokensState>()(() => ({
    ...empty,
    chainId: undefined,
    account: undefined,
  }))
  const timer = createTimer(clock)
  let opening = 0
  /** Last `open` with a list. */
  let listed = 0
  let reading = 0
  let running = 0
  let pollMs = maxPollMs
  let block: bigint | undefined
  let completeAt = 0
  let touchedAt = clock.now()
  let isHidden = false
  let isPolling = false

  /** Balances follow later. */
  async function open(network: Network): Promise<void> {
    const { chainId } = network
    if (store.getState().chainId !== chainId) {
      store.setState({ ...empty, chainId, tokens: [getNativeToken(network)] })
      // Drop reads for the previous network.
      reading += 1
      block = undefined
    }
    pollMs = Math.min(Math.max(network.quoteEveryMs / 2, minPollMs), maxPollMs)
    store.setState({ loading: true })
    opening += 1
    const mine = opening
    try {
      const list = await wallet.tokens(chainId)
      if (store.getState().chainId !== chainId || mine < listed) return
      listed = mine
      const imported = store.getState().tokens.filter((token) => !token.listed)
      store.setState({ tokens: merge([getNativeToken(network)], list, imported), listError: undefined })
    } catch (error) {
      if (mine !== opening) return
      store.setState({ listError: toWalletError(error) })
    } finally {
      if (mine === opening) store.setState({ loading: false })
    }
    refresh()
  }

  /** Reads all balances, and polls: every 30 s, and those that matter with every block. */
  async function refresh(): Promise<void> {
    completeAt = clock.now()
    await readBalances(store.getState().tokens, true)
  }

  async function readBalances(wanted: Token[], isComplete: boolean): Promise<void> {
    const { chainId, account } = store.getState()
    if (chainId === undefined || account === undefined) return
    schedule()
    reading += 1
    running += 1
    const mine = reading
    try {
      const balances: Balances = {}
      for (let from = 0; from < wanted.length; from += maxAtOnce) {
        const some = wanted.slice(from, from + maxAtOnce).map(({ address }) => address)
        const isLast = isComplete && from + maxAtOnce >= wanted.length
        Object.assign(balances, await wallet.balances(chainId, account, some, isLast))
        if (mine !== reading) return
      }
      const now = store.getState()
      store.setState({
        balances: isComplete ? balances : { ...now.balances, ...balances },
        // A list that came meanwhile is read next.
        isRead: now.isRead || (isComplete && !now.loading && wanted === now.tokens),
        readAt: clock.now(),
        balanceError: undefined,
      })
    } catch (error) {
      if (mine === reading) store.setState({ balanceError: toWalletError(error) })
    } finally {
      running -= 1
    }
  }

  function schedule(): void {
    if (isHidden) return
    isPolling = true
    const isIdle = clock.now() - touchedAt > idleAfterMs
    timer.set(isIdle ? balancesEveryMs : pollMs, poll)
  }

  function stop(): void {
    timer.stop()
    isPolling = false
    reading += 1
    block = undefined
  }

  /** Asks for the block number, and reads balances if it changed. */
  async function poll(): Promise<void> {
    const { chainId, account } = store.getState()
    if (chainId === undefined || account === undefined) return
    schedule()
    if (clock.now() - completeAt >= balancesEveryMs) return refresh()
    const [before, mine] = [block, reading]
    // The next complete read reports the error.
    const newest = await wallet.blockNumber(chainId).catch(() => undefined)
    if (newest === undefined || newest === before || running > 0 || mine !== reading) return
    block = newest
    // The complete read was just made.
    if (before === undefined) return
    const { tokens, balances } = store.getState()
    const live = await selectLive(chainId, tokens, balances)
    if (mine === reading) await readBalances(live, false)
  }

  async function peek(chainId: number, address: Address): Promise<Token> {
    const state = store.getState()
    const known = state.chainId === chainId && state.tokens.find((token) => token.address === address)
    return known || wallet.token(chainId, address)
  }

  function add(token: Token): void {
    const { tokens } = store.getState()
    if (tokens.some(({ address }) => address === token.address)) return
    store.setState({ tokens: merge(tokens, [token]) })
    refresh()
  }

  return {
    ...store,
    open,
    refresh,
    poll,

    /** Reports user activity. */
    touch(): void {
      const wasIdle = clock.now() - touchedAt > idleAfterMs
      touchedAt = clock.now()
      if (wasIdle && isPolling) poll()
    },

    setAccount(account: Address): void {
      if (store.getState().account === account) return
      store.setState({ account, balances: {}, isRead: false, balanceError: undefined })
      refresh()
    },

    stop,

    /** Stops polling until the view is shown again. */
    setHidden(hidden: boolean): void {
      isHidden = hidden
      if (hidden) stop()
    },

    add,

    /** Does not store the token. */
    peek,

    /** Stores the token. */
    async read(chainId: number, address: Address): Promise<Token> {
      const token = await peek(chainId, address)
      if (store.getState().chainId === chainId) add(token)
      return token
    },
  }
}

export function getNativeToken({ coin }: Network): Token {
  return {
    ...coin,
    address: nativeTokenAddress,
    decimals: 18,
    listed: true,
    eip2612: false,
    taxed: false,
    tags: ['native'],
  }
}

/** Later lists win, except for the native token. */
function merge(...lists: Token[][]): Token[] {
  const byAddress = new Map<Address, Token>()
  for (const token of lists.flat()) {
    if (!isNative(token.address) || !byAddress.has(nativeTokenAddress)) byAddress.set(token.address, token)
  }
  return [...byAddress.values()]
}
