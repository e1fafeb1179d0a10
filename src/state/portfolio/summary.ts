import type { Network } from '../../domain/network/network.ts'
import { popularTokens } from '../../domain/token/pegGroups.ts'
import { isNative, type Token } from '../../domain/token/token.ts'
import { type TokenPrices, toUsd } from '../../domain/value/price.ts'
import type { ChainPrices, PricesState } from '../prices.ts'
import type { NetworkHoldings } from './portfolio.ts'

/** A token on one network. `balance` is undefined before the first read; `usd` without a price. */
export type HoldingRow = {
  network: Network
  token: Token
  balance: bigint | undefined
  usd: bigint | undefined
  /** Read in this view, balance and price. */
  isFresh: boolean
  /** The last read failed. */
  hasFailed: boolean
}

export type PortfolioSummary = {
  /** Most valuable first. */
  rows: HoldingRow[]
  small: HoldingRow[]
  unpriced: HoldingRow[]
  /** Sum over the tokens with a price; undefined without any. */
  usd: bigint | undefined
  smallUsd: bigint
  /** Balances of every network were read in this view, and the price of every token lately. */
  isComplete: boolean
  /** Every balance is known, if only from an earlier view; read in this one. */
  isBalanceKnown: boolean
  isBalanceRead: boolean
  failed: NetworkHoldings[]
}

type Given = {
  networks: Network[]
  holdings: NetworkHoldings[]
  prices: Pick<PricesState, 'chains' | 'isShown'>
  /** `clock` time after which a price read counts as lately. */
  freshFrom: number
  /** The network in use: its native token is listed also without a balance, since it pays fees. */
  current: number
}

/** Cheaper tokens are folded: one dollar. */
const smallBelow = 100_000_000n

/** Sums up holdings. Tokens are never grouped by symbol: a symbol is no identity. */
export function summarise({ networks, holdings, prices, freshFrom, current }: Given): PortfolioSummary {
  const all = holdings.flatMap((held) => {
    const network = networks.find(({ chainId }) => chainId === held.chainId)
    return network ? toRows(network, held) : []
  })
  const priced = all.filter(({ usd }) => usd !== undefined)
  const main = priced.filter((row) => !isSmall(row) || isFeeToken(row))
  const small = priced.filter((row) => !main.includes(row))
  const unpriced = all.filter(({ usd }) => usd === undefined)
  const order = sortKeys(all)
  // One small balance needs no fold.
  const isFolded = small.length > 1 && main.length > 0
  return {
    rows: sorted(isFolded ? main : [...main, ...small], order),
    small: isFolded ? sorted(small, order) : [],
    unpriced: sorted(unpriced, order),
    usd: priced.length === 0 ? undefined : sum(priced),
    smallUsd: sum(small),
    isComplete: holdings.length > 0 && holdings.every(isFresh),
    isBalanceKnown: holdings.length > 0 && holdings.every(({ readAt }) => readAt !== undefined),
    isBalanceRead: holdings.length > 0 && holdings.every(isRead),
    failed: holdings.filter(({ error }) => error !== undefined),
  }

  function toRows(network: Network, held: NetworkHoldings): HoldingRow[] {
    const known = prices.isShown ? knownPrices(prices.chains[held.chainId]) : {}
    return held.tokens.flatMap((token) => {
      const balance = held.balances[token.address]
      const isFee = isNative(token.address) && held.chainId === current
      if (!isFee && (balance ?? 0n) === 0n) return []
      const price = known[token.address]
      const usd = price && balance !== undefined ? toUsd(balance, price) : undefined
      const isFresh = isRead(held) && isPriced(held.chainId, token)
      return [{ network, token, balance, usd, isFresh, hasFailed: held.error !== undefined }]
    })
  }

  function isFresh(held: NetworkHoldings): boolean {
    return isRead(held) && held.tokens.every((token) => isPriced(held.chainId, token))
  }

  /** The token's price was asked for lately; it may have none. */
  function isPriced(chainId: number, { address }: Token): boolean {
    const readAt = prices.chains[chainId]?.readAt[address] ?? Number.NEGATIVE_INFINITY
    return !prices.isShown || readAt >= freshFrom
  }

  function isFeeToken({ network, token }: HoldingRow): boolean {
    return network.chainId === current && isNative(token.address)
  }
}

function isRead({ isRead, error }: NetworkHoldings): boolean {
  return isRead && error === undefined
}

/** Returns the prices of a chain, old ones too. */
export function knownPrices({ prices, old }: Partial<ChainPrices> = {}): TokenPrices {
  return { ...old, ...prices }
}

function isSmall({ usd = 0n }: HoldingRow): boolean {
  return usd < smallBelow
}

function sum(rows: HoldingRow[]): bigint {
  return rows.reduce((total, { usd = 0n }) => total + usd, 0n)
}

/** Sort keys, larger first: value, trust, whole tokens. Airdropped spam must not come first. */
function sortKeys(rows: HoldingRow[]): Map<HoldingRow, bigint[]> {
  const popular = new Map(rows.map(({ network }) => [network.chainId, popularTokens(network)]))
  return new Map(
    rows.map((row) => {
      const { network, token, balance = 0n, usd = -1n } = row
      const isPopular = popular.get(network.chainId)?.has(token.address)
      const trust = isNative(token.address) ? 3n : isPopular ? 2n : token.listed ? 1n : 0n
      return [row, [usd, trust, (balance * 10n ** 18n) / 10n ** BigInt(token.decimals)]]
    }),
  )
}

function sorted(rows: HoldingRow[], order: Map<HoldingRow, bigint[]>): HoldingRow[] {
  return rows.toSorted((one, other) => {
    const [keys = [], others = []] = [order.get(one), order.get(other)]
    const at = keys.findIndex((value, index) => value !== others[index])
    return at < 0 ? 0 : (keys[at] ?? 0n) < (others[at] ?? 0n) ? 1 : -1
  })
}
