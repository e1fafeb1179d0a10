import type { Address } from '../config.ts'
import type { TokenCoverage, Want } from '../indexer/onDemand/tokenCoverage.ts'
import { findCodeless } from '../indexer/onDemand/wants.ts'
import type { ReplicationLog } from './redisStream.ts'
import { maxWants } from './streamEntries.ts'

/** A follower's requests to the leader for the pools of tokens. */
export type TokenRequests = {
  /** Returns the tokens without code; undefined if it was stopped first. */
  find(wants: readonly Want[]): Promise<Address[] | undefined>
  /** Resolves what the state now covers. */
  check(): void
  /** Reports the tokens as used within `touchMs`. */
  touch(tokens: readonly Address[]): void
  stop(): void
}

type Waiting = { wants: readonly Want[]; end(codeless: Address[] | undefined): void }

/** Longest delay of a report; a token that goes unused for hours may be dropped. */
const touchMs = 30_000

/** Requests that wait, as many as are answered over HTTP at once, several times over. */
const maxRequests = 512

export function createTokenRequests(
  coverage: TokenCoverage,
  stream: Pick<ReplicationLog, 'requestTokens'>,
  patienceMs: number,
): TokenRequests {
  const waiting = new Set<Waiting>()
  /** Requests of which an answer is awaited, so that equal ones are sent once. */
  const sent = new Map<string, number>()
  const touched = new Set<Address>()
  let timer: NodeJS.Timeout | undefined

  const isCovered = ({ wants }: Waiting) => wants.every((want) => coverage.covers(want))

  function forget(wants: readonly Want[]): void {
    for (const want of wants) {
      const key = want.join(' ')
      const count = (sent.get(key) ?? 1) - 1
      if (count === 0) sent.delete(key)
      else sent.set(key, count)
    }
  }

  function remember(wants: readonly Want[]): Want[] {
    const news = wants.filter((want) => !sent.has(want.join(' ')))
    for (const want of wants) sent.set(want.join(' '), (sent.get(want.join(' ')) ?? 0) + 1)
    return news
  }

  function report(): void {
    timer = undefined
    const wants = [...touched].map((token): Want => [token])
    touched.clear()
    for (let i = 0; i < wants.length; i += maxWants) {
      // A lost report makes a token at most look older.
      stream.requestTokens('touch', wants.slice(i, i + maxWants)).catch(() => undefined)
    }
  }

  return {
    async find(wants) {
      if (waiting.size >= maxRequests) throw new Error('Too many tokens are being looked up.')
      const news = remember(wants)
      let one: Waiting | undefined
      let late: NodeJS.Timeout | undefined
      // A new leader does not read what was asked of the last one.
      let again: NodeJS.Timeout | undefined
      const answer = new Promise<Address[] | undefined>((resolve, reject) => {
        one = { wants, end: resolve }
        waiting.add(one)
        const fail = () => reject(new Error('The host that reads the chain does not answer.'))
        late = setTimeout(fail, patienceMs)
        again = setTimeout(() => {
          stream.requestTokens('find', wants).catch(() => undefined)
        }, patienceMs / 2)
      })
      try {
        // The answer may come first.
        const sending = news.length === 0 ? undefined : stream.requestTokens('find', news)
        return await Promise.race([answer, Promise.resolve(sending).then(() => answer)])
      } finally {
        clearTimeout(late)
        clearTimeout(again)
        if (one) waiting.delete(one)
        forget(wants)
      }
    },

    check() {
      for (const one of waiting) {
        if (isCovered(one)) one.end(findCodeless(coverage, one.wants.flat()))
      }
    },

    touch(tokens) {
      const unlisted = coverage.unlisted().length > 0
      for (const token of tokens) if (unlisted && coverage.poolsOf(token).size > 0) touched.add(token)
      if (touched.size > 0) timer ??= setTimeout(report, touchMs).unref()
    },

    stop() {
      clearTimeout(timer)
      for (const { end } of waiting) end(undefined)
    },
  }
}
