import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { ChainConfig } from '../config.ts'
import type { CountedAs } from '../http/clients.ts'
import type { Check } from '../indexer/polling.ts'
import type { Update } from '../indexer/update.ts'
import type { LogLevel } from '../log.ts'

/** What a worker is to serve. */
export type Settings = {
  config: ChainConfig
  rpcUrl: string
  port: number
  host: string
  maxConnections?: number
  hasPublicMetrics?: boolean
  publicUrl?: string
  keys?: string[]
  isLimited: boolean
  proxies: number
  logLevel: LogLevel
}

export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

/** What the primary does for a worker. */
export type PrimaryApi = {
  settings(): Settings
  /** Hears where the worker serves. */
  serving(url: string): void
  /** Hears why it cannot. */
  failed(message: string, code: string | undefined): void
  /** Sends all pools, and from then on each change. Everything is on its way before this is answered. */
  join(): void
  refresh(): Promise<void>
  /** Counts a request against the limits that all workers share. */
  take(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
  /** Counts a wrong key against the limit that all workers share. */
  takeWrongKey(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
  /** The metrics of all processes. */
  metrics(): Promise<string>
}

/** What a worker does for the primary. */
export type WorkerApi = {
  update(update: Update): void
  /** Hears when the pools were last known to be the newest. A worker that is alive answers soon. */
  checked(check: Check): Promise<void>
  numbers(): Promise<MetricsSnapshot>
  /** Lets running requests finish, and ends. */
  stop(): void
}
