import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { ChainConfig } from '../config.ts'
import type { CountedAs } from '../http/clients.ts'
import type { Check } from '../indexer/polling.ts'
import type { Update } from '../indexer/update.ts'
import type { LogLevel } from '../log.ts'

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

/** The primary's functions for a worker. */
export type PrimaryApi = {
  settings(): Settings
  serving(url: string): void
  failed(message: string, code: string | undefined): void
  /** Sends all pools before resolving, then each change. */
  join(): void
  refresh(): Promise<void>
  /** Rate limit shared by all workers. */
  take(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
  takeWrongKey(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
  /** Of all processes. */
  metrics(): Promise<string>
}

/** A worker's functions for the primary. */
export type WorkerApi = {
  update(update: Update): void
  /** Last check of the chain; also the heartbeat. */
  checked(check: Check): Promise<void>
  numbers(): Promise<MetricsSnapshot>
  /** Finishes running requests first. */
  stop(): void
}
