/**
 * Single-flight by key, cached for a second if successful. A `view` that requests another key aborts its
 * previous request unless others wait.
 */
export type RequestCache<Answer> = {
  (key: string, ask: (signal: AbortSignal) => Promise<Answer>, view?: string): Promise<Answer>
  /** Aborts the request of `view` unless others wait. */
  drop(view: string): void
}

type CachedRequest<Answer> = {
  key: string
  askedAt: number
  isOver: boolean
  /** `isKept`: a caller without a view waits. */
  views: Set<string>
  isKept: boolean
  asking: AbortController
  answer: Promise<Answer>
}

const sharedForMs = 1_000

export function createRequestCache<Answer>(now = () => performance.now()): RequestCache<Answer> {
  let known: CachedRequest<Answer>[] = []

  function begin(key: string, ask: (signal: AbortSignal) => Promise<Answer>): CachedRequest<Answer> {
    const asking = new AbortController()
    const answer = ask(asking.signal)
    const asked = {
      key,
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
      // Failures are not cached.
      () => forget(asked),
    )
    known.push(asked)
    return asked
  }

  function forget(asked: CachedRequest<Answer>): void {
    known = known.filter((one) => one !== asked)
  }

  function leave(view: string, next?: CachedRequest<Answer>): void {
    for (const one of known) {
      if (one === next || one.isOver || !one.views.delete(view) || one.isKept || one.views.size > 0) continue
      forget(one)
      one.asking.abort()
    }
  }

  const share = (key: string, ask: (signal: AbortSignal) => Promise<Answer>, view?: string) => {
    known = known.filter(({ isOver, askedAt }) => !isOver || now() - askedAt < sharedForMs)
    const asked = known.find((one) => one.key === key) ?? begin(key, ask)
    if (view === undefined) {
      asked.isKept = true
    } else {
      asked.views.add(view)
      leave(view, asked)
    }
    return asked.answer
  }
  return Object.assign(share, { drop: (view: string) => leave(view) })
}
