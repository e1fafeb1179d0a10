import { createStore } from 'zustand/vanilla'
import { mainStablecoin } from '../../domain/token/pegGroups.ts'
import { type Address, isNative } from '../../domain/token/token.ts'
import { toUsd } from '../../domain/value/price.ts'
import { toWalletError } from '../../errors.ts'
import type { PricesApi, QuotesApi, TokensApi } from '../../protocol.ts'
import { randomId } from '../randomId.ts'
import { isReady } from '../settings.ts'
import type { HoldingRow } from './summary.ts'

/**
 * `value` by price and `returns` by quote, both in US dollars with eight decimals. `kept`: the token it would
 * be sold for. `reserved`: all of it pays network fees.
 */
export type SaleLine = { row: HoldingRow; value: bigint } & (
  | { status: 'waiting' | 'asking' | 'kept' | 'reserved' | 'no-service' | 'no-route' | 'failed' }
  | { status: 'quoted'; returns: bigint }
)

export type SaleState = { lines: SaleLine[]; isRunning: boolean }

/** Of `value`, what has an answer. */
export type SaleTotal = { value: bigint; returns: bigint; unsold: number }

type SaleApi = Pick<QuotesApi, 'quote' | 'gasReserve'> & PricesApi & Pick<TokensApi, 'token'>

/** A dollar; cheaper holdings are not worth a request. */
const minValue = 100_000_000n
const oneDollar = 100_000_000n

/** Quotes the sale of everything, one token after the other. Nothing is signed. */
export function createSale(wallet: SaleApi) {
  const store = createStore<SaleState>()(() => ({ lines: [], isRunning: false }))
  /** A newer quote of a view aborts its older one: popup and tab must differ. */
  const view = randomId()
  let run = 0

  function stop(): void {
    run += 1
    const waiting = ({ status }: SaleLine) => status === 'asking'
    const lines = store
      .getState()
      .lines.map((line) => (waiting(line) ? { ...line, status: 'waiting' as const } : line))
    store.setState({ lines, isRunning: false })
  }

  async function start(rows: HoldingRow[]): Promise<void> {
    run += 1
    const mine = run
    const lines = rows.flatMap((row): SaleLine[] =>
      row.usd !== undefined && row.usd >= minValue ? [{ row, value: row.usd, status: 'waiting' }] : [],
    )
    store.setState({ lines, isRunning: true })
    for (const [index, line] of lines.entries()) {
      put(index, { ...line, status: 'asking' })
      const answer = await ask(line).catch((error: unknown): SaleLine => {
        const status = toWalletError(error).code === 'no-route' ? 'no-route' : 'failed'
        return { ...line, status }
      })
      if (mine !== run) return
      put(index, answer)
    }
    store.setState({ isRunning: false })
  }

  function put(index: number, line: SaleLine): void {
    store.setState(({ lines }) => ({ lines: lines.with(index, line) }))
  }

  async function ask(line: SaleLine): Promise<SaleLine> {
    const { network, token, balance = 0n } = line.row
    const { chainId } = network
    const stable = mainStablecoin(network)
    if (stable === undefined || !isReady(network)) return { ...line, status: 'no-service' }
    if (token.address === stable) return { ...line, status: 'kept' }
    const reserve = isNative(token.address) ? await wallet.gasReserve(chainId) : 0n
    const amount = balance - reserve
    if (amount <= 0n) return { ...line, status: 'reserved' }
    const { returns } = await wallet.quote(
      { trade: { chainId, sell: token.address, buy: stable, amount } },
      view,
    )
    // The reserve stays, at its price.
    const kept = balance === 0n ? 0n : (line.value * reserve) / balance
    return { ...line, status: 'quoted', returns: kept + (await toDollars(chainId, stable, returns)) }
  }

  /** At the stablecoin's price, else at one dollar. */
  async function toDollars(chainId: number, stable: Address, amount: bigint): Promise<bigint> {
    const { prices } = await wallet.prices(chainId, [stable])
    const price = prices[stable]
    if (price) return toUsd(amount, price)
    const { decimals } = await wallet.token(chainId, stable)
    return toUsd(amount, { usd: oneDollar, per: 10n ** BigInt(decimals) })
  }

  /** Forgets the holdings too. */
  function clear(): void {
    run += 1
    store.setState({ lines: [], isRunning: false })
  }

  return { ...store, start, stop, lock: clear, leaveAccount: clear }
}

/** Sums up the lines that have an answer. */
export function sumSale(lines: SaleLine[]): SaleTotal {
  const total: SaleTotal = { value: 0n, returns: 0n, unsold: 0 }
  for (const line of lines) {
    const isKept = line.status === 'kept' || line.status === 'reserved'
    if (line.status === 'quoted' || isKept) {
      total.value += line.value
      total.returns += line.status === 'quoted' ? line.returns : line.value
    } else if (['no-service', 'no-route', 'failed'].includes(line.status)) total.unsold += 1
  }
  return total
}

/** Returns the loss in basis points; negative for a gain. */
export function toLossBps({ value, returns }: { value: bigint; returns: bigint }): number {
  return value === 0n ? 0 : Number(((value - returns) * 10_000n) / value)
}
