import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine.ts'
import type { Service } from '../service.ts'
import type { FairQueue } from './scheduler/fairQueue.ts'
import { type Freshness, freshness } from './scheduler/freshness.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'sluice_requests_total',
      help: 'Requests that were answered.',
      labelNames: ['operation', 'status', 'code'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'sluice_request_seconds',
      help: 'From a request’s arrival to its answer.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    inFlight: new Gauge({
      name: 'sluice_requests_in_flight',
      help: 'Requests that are being answered, those that wait in a line included.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'sluice_rate_limited_total',
      help: 'Requests that were refused because their client asks too often, or too many at once.',
      registers,
    }),
    answers: new Counter({
      name: 'sluice_answers_total',
      help: 'Answers to quotes and swaps: made for the request, or repeated from an equal one.',
      labelNames: ['lane', 'answer'],
      registers,
    }),
    searchSeconds: new Histogram({
      name: 'sluice_route_search_seconds',
      help: 'Searches of a route.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8],
      registers,
    }),
    simulationSeconds: new Histogram({
      name: 'sluice_simulation_seconds',
      help: 'Simulations of a transaction by the node.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    nodeFailures: new Counter({
      name: 'sluice_node_failures_total',
      help: 'Questions that the node failed to answer, while reading the chain or for a request.',
      labelNames: ['during'],
      registers,
    }),
  }
}

/** Registers queue gauges. */
export function registerQueueMetrics({ registry }: Metrics, lanes: Record<string, FairQueue>): void {
  const gauge = (name: string, help: string, of: (lane: FairQueue) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [registry],
      collect() {
        for (const [lane, line] of Object.entries(lanes)) this.set({ lane }, of(line))
      },
    })
  gauge('sluice_lane_waiting', 'Requests that wait for their turn.', (lane) => lane.waiting())
  gauge('sluice_lane_running', 'Requests whose turn it is.', (lane) => lane.running())
}

/** Registers engine gauges, absent before the first block. */
export function registerEngineMetrics({ registry }: Metrics, service: Service): void {
  const gauge = (name: string, help: string, of: (fresh: Freshness, engine: Engine) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const engine = findEngine(service)
        const fresh = engine && freshness(service.config, engine)
        if (engine === undefined || fresh === undefined) this.remove()
        else this.set(of(fresh, engine))
      },
    })
  gauge('sluice_block_number', 'The block that answers stand on.', ({ block }) => block)
  gauge('sluice_block_age_seconds', 'How old that block is.', (fresh) => fresh.blockAgeSeconds)
  gauge(
    'sluice_checked_age_seconds',
    'Since when it was not seen to be the newest.',
    (fresh) => fresh.checkedSecondsAgo,
  )
  gauge('sluice_pools', 'Pools that are known.', (_fresh, engine) => engine.poolCount())
  gauge('sluice_ready', '1 when answers are given, 0 when they would be stale.', ({ fault }) =>
    fault === undefined ? 1 : 0,
  )
}

function findEngine(service: Service): Engine | undefined {
  try {
    return service.engine()
  } catch {
    return undefined
  }
}

/** Registers process metrics. */
export function registerProcessMetrics({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry })
}
