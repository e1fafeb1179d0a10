import type { Engine } from './engine.ts'
import type { Metrics } from './http/metrics.ts'
import { requireFresh } from './http/scheduler/freshness.ts'
import { createSearchTurns } from './http/scheduler/searchTurns.ts'
import type { Node } from './indexer/node.ts'
import type { Service } from './service.ts'

/** Wraps a service: rejects stale engines, limits and interleaves searches, measures durations. */
export function guardEngine(service: Service, metrics: Metrics, searchMs: number): Service {
  const engines = new WeakMap<Engine, Engine>()
  return {
    ...service,
    searchMs,
    searchTurn: createSearchTurns(service.searchesAtOnce),
    node: timeNode(service.node, metrics),
    engine() {
      const engine = service.engine()
      requireFresh(service.config, engine)
      const timed = engines.get(engine) ?? timeEngine(engine, metrics)
      engines.set(engine, timed)
      return timed
    },
  }
}

function timeEngine(engine: Engine, { searchSeconds }: Metrics): Engine {
  return {
    ...engine,
    async route(request, options) {
      const started = performance.now()
      const found = await engine.route(request, options)
      // The search alone, without the wait for a thread.
      searchSeconds.observe((found?.searchedMs ?? performance.now() - started) / 1_000)
      return found
    },
  }
}

function timeNode(node: Node, { simulationSeconds }: Metrics): Node {
  const simulateBlocks: Node['simulateBlocks'] = (question) => {
    const end = simulationSeconds.startTimer()
    return node.simulateBlocks(question).finally(() => end())
  }
  return { ...node, simulateBlocks }
}
