import type { SwapApi } from '../api/api.ts'
import { isSameTrade, type Quote, type Trade } from '../domain/trade.ts'

const sharedForMs = 1_000

/**
 * Asks for quotes, one at a time. Equal asks share an answer while it is under way and for a second after it was asked for, so
 * several views cost the service one request; another trade aborts the one under way, which then fails with `aborted`.
 * A quote carries no address: the service learns what is wanted, not by whom.
 */
export function createQuotes(
  apiOf: (chainId: number) => Promise<SwapApi>,
  now: () => number = () => performance.now(),
): (trade: Trade) => Promise<Quote> {
  let latest: { trade: Trade; askedAt: number; done: boolean; answer: Promise<Quote> } | undefined
  let asking = new AbortController()

  async function ask(trade: Trade, signal: AbortSignal): Promise<Quote> {
    const api = await apiOf(trade.chainId)
    return api.quote(trade, {}, signal)
  }

  return (trade) => {
    if (latest !== undefined && isSameTrade(latest.trade, trade)) {
      if (!latest.done || now() - latest.askedAt < sharedForMs) return latest.answer
    }
    asking.abort()
    asking = new AbortController()
    const asked = { trade, askedAt: now(), done: false, answer: ask(trade, asking.signal) }
    const finish = () => {
      asked.done = true
    }
    asked.answer.then(finish, finish)
    latest = asked
    return asked.answer
  }
}
