export type Polling = {
  start(): Promise<void>
  /** Resolves after a run that began after the call. */
  refresh(): Promise<void>
  checked(): Check
  stop(): void
}

export type Check = {
  /** Start of the last successful check, Unix ms. */
  at: number | undefined
  everyMs: number
}

/** When to look for a block. */
export type Schedule = {
  /** From the end of a run to the next. */
  waitMs(): number
  /** Longest interval between runs while blocks come as expected. */
  everyMs(): number
  /** Calls `wake` when the RPC has news; returns what ends it. */
  listen?(wake: () => void): () => void
}

export type PollingOptions = {
  /** Constant interval, instead of the schedule. */
  pollMs?: number
  onFailure?: (error: unknown) => void
  onRecovery?: () => void
}

/** Constant interval without a schedule, and minimum interval with one. */
export const defaultPollMs = 250

/** After a failure, with a schedule. */
const retryMs = 1_000

/** Creates a poller of `work`; runs never overlap. */
export function createPolling(
  work: () => Promise<void>,
  { pollMs, onFailure, onRecovery }: PollingOptions = {},
  schedule?: Schedule,
): Polling {
  const isScheduled = pollMs === undefined && schedule !== undefined
  const { waitMs, everyMs, listen } = isScheduled ? schedule : constant(pollMs ?? defaultPollMs)
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let checkedAt: number | undefined
  let isFailing = false
  let stopListening = () => {}

  const refresh = oneAtATime(async () => {
    const askedAt = Date.now()
    await work()
    checkedAt = askedAt
  })

  async function poll(): Promise<void> {
    clearTimeout(timer)
    try {
      await refresh()
      if (isFailing) onRecovery?.()
      isFailing = false
    } catch (error) {
      isFailing = true
      if (!stopped) onFailure?.(error)
    }
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(poll, isFailing && isScheduled ? retryMs : waitMs())
  }

  return {
    start() {
      const first = poll()
      if (listen && !stopped) stopListening = listen(() => void poll())
      return first
    },
    refresh,
    checked: () => ({ at: checkedAt, everyMs: everyMs() }),
    stop() {
      stopped = true
      clearTimeout(timer)
      stopListening()
    },
  }
}

function constant(pollMs: number): Schedule {
  return { waitMs: () => pollMs, everyMs: () => pollMs }
}

/** Calls during a run share one run that begins after it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next) return next
    if (!running) return start()
    next = running.then(start, start)
    return next
  }
}
