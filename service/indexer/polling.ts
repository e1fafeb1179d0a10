/** Work that is done again and again, once at a time. */
export type Polling = {
  /** Resolves after the first attempt. */
  start(): Promise<void>
  /** Does it now; resolves when a run that began after the call is over, and rejects when that failed. */
  refresh(): Promise<void>
  checked(): Check
  stop(): void
}

export type Check = {
  /** When the chain was last seen to stand where the last update says, as Date.now tells time. Undefined before the first. */
  at: number | undefined
  /** How often that is looked at. */
  everyMs: number
}

export type PollingOptions = {
  /** How often the node is asked for a new block. */
  pollMs?: number
  /** Told of each refresh that failed; what was taken before stays. */
  onFailure?: (error: unknown) => void
  /** Told of the first refresh that succeeded after one that failed. */
  onRecovery?: () => void
}

export function createPolling(
  work: () => Promise<void>,
  { pollMs = 250, onFailure, onRecovery }: PollingOptions = {},
): Polling {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let checkedAt: number | undefined
  let isFailing = false

  const refresh = oneAtATime(async () => {
    const askedAt = Date.now()
    await work()
    checkedAt = askedAt
  })

  async function poll(): Promise<void> {
    try {
      await refresh()
      if (isFailing) onRecovery?.()
      isFailing = false
    } catch (error) {
      isFailing = true
      if (!stopped) onFailure?.(error)
    }
    if (!stopped) timer = setTimeout(poll, pollMs)
  }

  return {
    start: poll,
    refresh,
    checked: () => ({ at: checkedAt, everyMs: pollMs }),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Runs `work` once at a time. A call during a run waits for a run that begins after it; such calls share one. */
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
