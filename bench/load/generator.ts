import autocannon, { type Request } from 'autocannon'

// Child process of load.ts: one client with many connections.

/** `first` numbers its first quote; every amount is sent once. */
export type Flood = {
  url: string
  paths: string[]
  first: number
  connections: number
  seconds: number
  key?: string
}

/** Answers by status; `lost` connections had no answer. Latencies of status 200, in milliseconds. */
export type Flooded = {
  byStatus: Record<string, number>
  lost: number
  seconds: number
  p50: number
  p99: number
  cpuSeconds: number
}

process.once('message', async ({ url, paths, first, connections, seconds, key }: Flood) => {
  let number = first
  const setupRequest = (request: Request): Request => {
    const path = paths[number % paths.length]
    if (path === undefined) throw new Error('There are no trades to quote.')
    return { ...request, path: path.replace(/\d+$/, (amount) => String(BigInt(amount) + BigInt(number++))) }
  }
  const used = process.cpuUsage()
  const found = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    requests: [{ setupRequest }],
    excludeErrorStats: true,
  })
  const { user, system } = process.cpuUsage(used)
  const byStatus = Object.entries(found.statusCodeStats ?? {}).map(([status, { count }]) => [status, count])
  process.send?.({
    byStatus: Object.fromEntries(byStatus),
    lost: found.errors,
    seconds: found.duration,
    p50: found.latency.p50,
    p99: found.latency.p99,
    cpuSeconds: (user + system) / 1e6,
  } satisfies Flooded)
  process.disconnect?.()
})
