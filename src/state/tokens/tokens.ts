import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { type Address, isNative, nativeTokenAddress, type Token } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { Balances, NetworksApi, TokensApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'

export type TokensState = {
  chainId: number | undefined
  account: Address | undefined
  /** Listed first, then imported. */
  tokens: Token[]
  /** Missing amounts are unknown. */
  balances: Balances
  /** `clock` time. */
  readAt: number
  loading: boolean
  listError: WalletError | undefined
  balanceError: WalletError | undefined
}

const balancesEveryMs = 30_000

/** RPCs limit request size and call gas. */
const maxAtOnce = 1_000

const empty: Omit<TokensState, 'chainId' | 'account'> = {
  tokens: [],
  balances: {},
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

  /** Balances follow later. */
  async function open(network: Network): Promise<void> {
    const { chainId } = network
    if (store.getState().chainId !== chainId) {
      store.setState({ ...empty, chainId, tokens: [getNativeToken(network)] })
      // Drop reads for the previous network.
      reading += 1
    }
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

  /** Polls every 30 s. */
  async function refresh(): Promise<void> {
    const { chainId, account, tokens } = store.getState()
    if (chainId === undefined || account === undefined) return
    timer.set(balancesEveryMs, refresh)
    reading += 1
    const mine = reading
    try {
      const balances: Balances = {}
      for (let from = 0; from < tokens.length; from += maxAtOnce) {
        const some = tokens.slice(from, from + maxAtOnce).map(({ address }) => address)
        Object.assign(balances, await wallet.balances(chainId, account, some))
        if (mine !== reading) return
      }
      store.setState({ balances, readAt: clock.now(), balanceError: undefined })
    } catch (error) {
      if (mine === reading) store.setState({ balanceError: toWalletError(error) })
    }
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

    setAccount(account: Address): void {
      if (store.getState().account === account) return
      store.setState({ account, balances: {}, balanceError: undefined })
      refresh()
    },

    stop() {
      timer.stop()
      reading += 1
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
