import type { SwapApi } from '../api/api.ts'
import { isSameTrade, type Quote, type Trade } from '../domain/trade.ts'

/** `view` names who asks, where its next question makes this one needless. */
export type Quotes = (trade: Trade, view?: string) => Promise<Quote>

type Asked = {
  trade: Trade
  askedAt: number
  isOver: boolean
  /** Who waits for the answer, and whether somebody does who asks only once. */
  views: Set<string>
  isKept: boolean
  asking: AbortController
  answer: Promise<Quote>
}

type Sources = {
  apiOf(chainId: number): Promise<SwapApi>
  /** The most that a unit of gas costs now, in wei. */
  feePerGasOf(chainId: number): Promise<bigint>
  now?(): number
}

const sharedForMs = 1_000
const feeHoldsForMs = 30_000

/**
 * Asks for quotes. Equal asks share an answer while it is under way and, when it is good, for a second after it was asked for, so
 * several views cost the service one request. A view that asks for another trade aborts what nobody else waits for, which then
 * fails with `aborted`.
 * A quote carries no address: the service learns what is wanted, not by whom. What gas costs is the node's last word on it: a
 * quote waits for the service only.
 */
export function createQuotes({ apiOf, feePerGasOf, now = () => performance.now() }: Sources): Quotes {
  const feesPerGas = new Map<number, { fee: bigint; at: number }>()
  let known: Asked[] = []

  async function ask(trade: Trade, signal: AbortSignal): Promise<Quote> {
    const { chainId } = trade
    feePerGasOf(chainId).then(
      (fee) => feesPerGas.set(chainId, { fee, at: now() }),
      () => feesPerGas.delete(chainId),
    )
    const quote = await (await apiOf(chainId)).quote(trade, {}, signal)
    const price = feesPerGas.get(chainId)
    if (price === undefined || now() - price.at > feeHoldsForMs) return quote
    return { ...quote, networkFee: quote.gas * price.fee }
  }

  function begin(trade: Trade): Asked {
    const asking = new AbortController()
    const answer = ask(trade, asking.signal)
    const asked = {
      trade,
      askedAt: now(),
      isOver: false,
      views: new Set<string>(),
      isKept: false,
      asking,
      answer,
    }
    answer.then(
      () => {
        asked.isOver = true
      },
      // A failure is nobody's answer but the one who asked: asking again asks the service.
      () => forget(asked),
    )
    known.push(asked)
    return asked
  }

  function forget(asked: Asked): void {
    known = known.filter((one) => one !== asked)
  }

  /** The view waits for something else now. */
  function leave(view: string, next: Asked): void {
    for (const one of known) {
      if (one === next || one.isOver || !one.views.delete(view) || one.isKept || one.views.size > 0) continue
      forget(one)
      one.asking.abort()
    }
  }

  return (trade, view) => {
    known = known.filter(({ isOver, askedAt }) => !isOver || now() - askedAt < sharedForMs)
    const asked = known.find((one) => isSameTrade(one.trade, trade)) ?? begin(trade)
    if (view === undefined) {
      asked.isKept = true
    } else {
      asked.views.add(view)
      leave(view, asked)
    }
    return asked.answer
  }
}
