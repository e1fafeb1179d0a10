import type { SwapApi } from '../api/api.ts'
import { isSameTrade, type Quote, type Trade } from '../domain/trade.ts'

export type Quotes = (trade: Trade) => Promise<Quote>

type Sources = {
  apiOf(chainId: number): Promise<SwapApi>
  /** The most that a unit of gas costs now, in wei. */
  feePerGasOf(chainId: number): Promise<bigint>
  now?(): number
}

const sharedForMs = 1_000
const feeHoldsForMs = 30_000

/**
 * Asks for quotes, one at a time. Equal asks share an answer while it is under way and, when it is good, for a second after it
 * was asked for, so several views cost the service one request; another trade aborts the one under way, which then fails with
 * `aborted`.
 * A quote carries no address: the service learns what is wanted, not by whom. What gas costs is the node's last word on it: a
 * quote waits for the service only.
 */
export function createQuotes({ apiOf, feePerGasOf, now = () => performance.now() }: Sources): Quotes {
  const feesPerGas = new Map<number, { fee: bigint; at: number }>()
  let latest: { trade: Trade; askedAt: number; done: boolean; answer: Promise<Quote> } | undefined
  let asking = new AbortController()

  async function ask(trade: Trade, signal: AbortSignal): Promise<Quote> {
    const { chainId } = trade
    feePerGasOf(chainId).then(
      (fee) => feesPerGas.set(chainId, { fee, at: now() }),
      () => feesPerGas.delete(chainId),
    )
    const quote = await (await apiOf(chainId)).quote(trade, {}, signal)
    const known = feesPerGas.get(chainId)
    if (known === undefined || now() - known.at > feeHoldsForMs) return quote
    return { ...quote, networkFee: quote.gas * known.fee }
  }

  return (trade) => {
    if (latest !== undefined && isSameTrade(latest.trade, trade)) {
      if (!latest.done || now() - latest.askedAt < sharedForMs) return latest.answer
    }
    asking.abort()
    asking = new AbortController()
    const asked = { trade, askedAt: now(), done: false, answer: ask(trade, asking.signal) }
    asked.answer.then(
      () => {
        asked.done = true
      },
      // A failure is nobody's answer but the one who asked: asking again asks the service.
      () => {
        if (latest === asked) latest = undefined
      },
    )
    latest = asked
    return asked.answer
  }
}
