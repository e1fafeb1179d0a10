import type { Network, Settings } from '../../../src/domain/network/network.ts'
import type { Quote, Trade } from '../../../src/domain/swap/quote.ts'
import type { Review, Swap, SwapIntent } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import type { BrowserApi } from '../../../src/state/browserApi.ts'
import type { RouteHistory, Tab } from '../../../src/state/router.ts'
import type { Session } from '../../../src/state/session.ts'

/** Wallet with the given methods; any other call rejects. */
export function standInWallet(methods: Partial<WalletApi>): WalletApi {
  return new Proxy({} as WalletApi, {
    get: (_target, name: keyof WalletApi) =>
      methods[name] ??
      (() => Promise.reject(new WalletError('internal', `The test did not expect ${name} to be asked.`))),
  })
}

export function token(digit: string, symbol: string, decimals: number, listed = true): Token {
  const address = `0x${digit.repeat(40)}` as Address
  return {
    address,
    symbol,
    name: `${symbol} token`,
    decimals,
    listed,
    eip2612: false,
    taxed: false,
    tags: [],
  }
}

export const eth: Token = {
  ...token('e', 'ETH', 18),
  address: nativeTokenAddress,
  name: 'Ether',
  tags: ['native'],
}
export const usdc = token('a', 'USDC', 6)
export const dai = token('b', 'DAI', 18)

export const local: Network = {
  chainId: 31337,
  name: 'Local',
  coin: { symbol: 'ETH', name: 'Ether' },
  serviceUrl: 'http://127.0.0.1:8787',
  rpcUrl: 'http://127.0.0.1:8545',
  stable: usdc.address,
  confirmations: 1,
  quoteEveryMs: 6_000,
}

export const settings: Settings = {
  chainId: 31337,
  networks: [local],
  slippageBps: 50,
  autoLockMinutes: 15,
  contacts: [],
  pageSwaps: true,
  defaultWallet: false,
  strictCalldata: true,
  accessLists: false,
  language: 'auto',
  theme: 'system',
  currency: 'USD',
  showValues: true,
  shortcuts: true,
}

export function tradeOfAmount(amount: bigint): Trade {
  return { chainId: 31337, sell: eth.address, buy: usdc.address, amount }
}

export function quoteOf(trade: Trade, returns = trade.amount * 2n): Quote {
  return { trade, returns, gas: 150_000n, route: [] }
}

/** Needs a single transaction. */
export function reviewOf(trade: Trade, changes: Partial<Review> = {}): Review {
  const speed = { networkFee: 7n, expectedFee: 3n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  return {
    quote: quoteOf(trade),
    floor: 199n,
    router: `0x${'2'.repeat(40)}`,
    steps: ['swap'],
    permissions: [],
    verdict: { status: 'unknown', reason: 'Nobody asked a node.' },
    gas: 7n,
    expectedGas: 3n,
    baseFeePerGas: 1n,
    networkFee: 7n,
    expectedFee: 3n,
    speeds: { slow: speed, normal: speed, fast: speed },
    l1Fee: 0n,
    feeCap: 9n,
    ...changes,
  }
}

export function swapOf(
  intent: Partial<SwapIntent> = {},
  outcome: Swap['outcome'] = { status: 'working' },
  createdAt = 1,
): Swap {
  const trade = tradeOfAmount(1n)
  const account = `0x${'1'.repeat(40)}` as const
  return {
    intent: { id: '1', account, trade, slippageBps: 50, floor: 1n, router: account, feeCap: 1n, ...intent },
    createdAt,
    steps: [{ kind: 'swap', state: 'sent' }],
    paid: 0n,
    outcome,
  }
}

export function pending<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Address bar of a page opened at `hash`. */
export function standInBar(hash = '', tab?: string) {
  const visited = [hash]
  const listeners: (() => void)[] = []
  let last = tab
  let step: string | undefined
  const bar: RouteHistory = {
    read: () => visited.at(-1) ?? '',
    push: (next) => void visited.push(next),
    replace: (next) => void visited.splice(-1, 1, next),
    canGoBack: () => visited.length > 1,
    back() {
      visited.pop()
      for (const listener of listeners) listener()
    },
    onMove: (listener) => void listeners.push(listener),
    lastTab: () => last,
    keepTab(next: Tab) {
      last = next
    },
    lastStep: () => step,
    keepStep(next) {
      step = next
    },
  }
  return bar
}

export function standInSession(): Session {
  const kept = new Map<string, unknown>()
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    remove: async (key) => void kept.delete(key),
  }
}

/** Permission requests succeed. */
export const standInAround: BrowserApi = {
  version: '1.2.3',
  bar: standInBar(),
  session: standInSession(),
  askHosts: async () => true,
  hasHosts: async () => true,
  askNotices: async () => true,
  openTab: async () => false,
  openers: async () => ({ hasTab: false }),
  opensPanelFirst: async () => undefined,
  setOpensPanelFirst: async () => undefined,
  sizes: async () => ({}),
  hosts: async () => [],
}
