import type { Network, Settings } from '../../src/domain/network.ts'
import type { Review } from '../../src/domain/swap.ts'
import { type Address, native, type Token } from '../../src/domain/token.ts'
import type { Quote, Trade } from '../../src/domain/trade.ts'
import { WalletError } from '../../src/errors.ts'
import type { Wallet } from '../../src/protocol.ts'

/** A wallet whose methods are the given ones; asking anything else fails the test. */
export function standInWallet(methods: Partial<Wallet>): Wallet {
  return new Proxy({} as Wallet, {
    get: (_target, name: keyof Wallet) =>
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

export const eth: Token = { ...token('e', 'ETH', 18), address: native, name: 'Ether', tags: ['native'] }
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
  pageSwaps: true,
  defaultWallet: false,
  strictCalldata: true,
  accessLists: false,
  language: 'auto',
  theme: 'system',
}

export function tradeOfAmount(amount: bigint): Trade {
  return { chainId: 31337, sell: eth.address, buy: usdc.address, amount }
}

export function quoteOf(trade: Trade, returns = trade.amount * 2n): Quote {
  return { trade, returns, gas: 150_000n, route: [] }
}

/** A review of a trade that needs one transaction only. */
export function reviewOf(trade: Trade, changes: Partial<Review> = {}): Review {
  const speed = { networkFee: 7n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  return {
    quote: quoteOf(trade),
    floor: 199n,
    router: `0x${'2'.repeat(40)}`,
    steps: ['swap'],
    permissions: [],
    verdict: { status: 'unknown', reason: 'Nobody asked a node.' },
    gas: 7n,
    networkFee: 7n,
    speeds: { slow: speed, normal: speed, fast: speed },
    l1Fee: 0n,
    feeCap: 9n,
    ...changes,
  }
}

/** A promise and the two ways to settle it. */
export function pending<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
