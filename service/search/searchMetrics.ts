import { Gauge } from 'prom-client'
import type { Metrics } from '../http/metrics.ts'
import type { SearchThreads } from './searchThreads.ts'

/** Registers gauges of the search threads. */
export function registerSearchMetrics({ registry }: Metrics, threads: SearchThreads): void {
  const registers = [registry]
  new Gauge({
    name: 'sluice_searches_waiting',
    help: 'Searches that wait for a thread.',
    registers,
    collect() {
      this.set(threads.waiting())
    },
  })
  new Gauge({
    name: 'sluice_searches_running',
    help: 'Searches in a thread.',
    registers,
    collect() {
      this.set(threads.running())
    },
  })
  new Gauge({
    name: 'sluice_search_thread_utilization',
    help: 'Part of the time that a thread was busy since the last reading, from 0 to 1.',
    labelNames: ['thread'],
    registers,
    collect() {
      this.reset()
      for (const [thread, part] of threads.utilizations().entries()) this.set({ thread }, part)
    },
  })
}
