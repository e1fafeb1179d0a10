import type { HttpDeps } from '../../../src/httpClient.ts'

type Alarm = { at: number; ring(): void }

/** Creates a clock that advances only when all else is idle. `delayOf`: request delay in milliseconds. */
export function createSlowTime(delayOf: (url: string, method: string) => number) {
  const alarms = new Set<Alarm>()
  const deadlines = new WeakMap<AbortSignal, Alarm>()
  const sent: { url: string; method: string; at: number }[] = []
  const answered: { url: string; method: string }[] = []
  let time = 0
  let busy = 0
  let idle = 0

  const look = setInterval(() => {
    idle = busy === 0 && alarms.size > 0 ? idle + 1 : 0
    if (idle < 20) return
    idle = 0
    time = Math.min(...[...alarms].map(({ at }) => at))
    for (const alarm of [...alarms].filter(({ at }) => at === time)) {
      alarms.delete(alarm)
      alarm.ring()
    }
  }, 5)

  async function reach(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
    busy++
    const deadline = init?.signal ? deadlines.get(init.signal) : undefined
    try {
      // Arrived; another request may share the deadline.
      if (deadline) alarms.delete(deadline)
      const response = await fetch(url, { ...init, signal: null })
      const text = await response.text()
      answered.push({ url: String(url), method: JSON.parse(String(init?.body)).method })
      return new Response(text, response)
    } finally {
      busy--
    }
  }

  const wire: HttpDeps & { now(): number } = {
    random: () => 0,
    sleep: async () => undefined,
    now: () => time,
    timeout(ms) {
      const over = new AbortController()
      const alarm = { at: time + ms, ring: () => over.abort() }
      alarms.add(alarm)
      deadlines.set(over.signal, alarm)
      return over.signal
    },
    async fetch(url, init) {
      const { method } = JSON.parse(String(init?.body))
      sent.push({ url: String(url), method, at: time })
      const ms = delayOf(String(url), method)
      if (ms === 0) return reach(url, init)
      const deadline = init?.signal ? deadlines.get(init.signal) : undefined
      if (deadline) alarms.add(deadline)
      await new Promise<void>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'TimeoutError')))
        if (ms < Number.POSITIVE_INFINITY) alarms.add({ at: time + ms, ring: resolve })
      })
      return reach(url, init)
    },
  }

  return {
    wire,
    sent,
    answered,
    now: () => time,
    stop: () => clearInterval(look),
  }
}
