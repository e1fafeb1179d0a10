import { WalletError } from '../../errors.ts'

/** Rate limit of automatic requests, per swap service. */
export type ServiceLimit = {
  /** Waits for a token. Throws `aborted`, or `service-busy` during a pause. */
  take(service: string, signal?: AbortSignal): Promise<void>
  /** For requests that can do without: takes a token only if another one stays for the next quote. */
  tryTake(service: string): boolean
  pause(service: string, ms: number): void
}

type Deps = { now?(): number; wait?(ms: number): Promise<void> }

/** Usual limit of swap services. */
const everyMs = 1_000
const atOnce = 3

export function createServiceLimit({ now = () => performance.now(), wait = sleep }: Deps = {}): ServiceLimit {
  /** Time of the next full burst, per swap service. */
  const restedAt = new Map<string, number>()
  const quietUntil = new Map<string, number>()

  const quietMs = (service: string) => (quietUntil.get(service) ?? 0) - now()

  /** Returns 0, or the time until `count` tokens are there. One is taken. */
  function tryTokens(service: string, count: number): number {
    const time = now()
    const rested = Math.max(restedAt.get(service) ?? 0, time)
    const earlyMs = rested - time - (atOnce - count) * everyMs
    if (earlyMs > 0) return earlyMs
    restedAt.set(service, rested + everyMs)
    return 0
  }

  return {
    async take(service, signal) {
      for (;;) {
        if (signal?.aborted) throw new WalletError('aborted', 'Something else is asked for by now.')
        const pausedMs = quietMs(service)
        if (pausedMs > 0) throw isQuiet(pausedMs)
        const earlyMs = tryTokens(service, 1)
        if (earlyMs === 0) return
        await wait(earlyMs)
      }
    },
    tryTake: (service) => quietMs(service) <= 0 && tryTokens(service, 2) === 0,
    pause(service, ms) {
      quietUntil.set(service, now() + ms)
    },
  }
}

function isQuiet(ms: number): WalletError {
  return new WalletError('service-busy', 'The service asked not to be asked for a while.', {
    retryAfterMs: String(Math.ceil(ms)),
  })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
