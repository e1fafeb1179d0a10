import cluster from 'node:cluster'
import { createMetrics, registerProcessMetrics } from '../http/metrics.ts'
import { createLog } from '../log.ts'
import { type RunningService, serve } from '../server.ts'
import { createIpcRpc } from './ipcRpc.ts'
import type { PrimaryApi, WorkerApi } from './protocol.ts'
import { createWorkerFeed } from './workerFeed.ts'

async function work(): Promise<void> {
  const metrics = createMetrics()
  metrics.registry.setDefaultLabels({ worker: String(cluster.worker?.id) })
  registerProcessMetrics(metrics)
  let service: RunningService | undefined

  async function end(): Promise<void> {
    await service?.stop()
    process.exit(0)
  }
  const primary = createIpcRpc<PrimaryApi>(process, {
    update: (update) => relay.update(update),
    checked: (check) => relay.check(check),
    numbers: () => metrics.registry.getMetricsAsJSON(),
    stop: () => void end(),
  } satisfies WorkerApi)
  const relay = createWorkerFeed(primary)
  // Signals reach every process; the primary orders the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.once('disconnect', end)

  const { keys, isLimited, logLevel, ...settings } = await primary.ask('settings')
  try {
    service = await serve({
      ...settings,
      ...(keys === undefined ? {} : { keys: new Set(keys) }),
      ...(isLimited ? { limiter: { take: (...given) => primary.ask('take', ...given) } } : {}),
      wrongKeys: { take: (...given) => primary.ask('takeWrongKey', ...given) },
      log: createLog({ level: logLevel, rpcUrl: settings.rpcUrl }),
      metrics,
      allMetrics: () => primary.ask('metrics'),
      feed: relay,
    })
    await primary.ask('serving', service.url)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    await primary.ask('failed', message, code)
    process.exit(1)
  }
}

if (cluster.isWorker) await work()
