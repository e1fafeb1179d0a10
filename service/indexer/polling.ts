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

export type PollingOptions = {
  pollMs?: number
  onFailure?: (error: unknown) => void
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
