import { setTimeout as sleep } from 'node:timers/promises'
import { createPolling, type PollingOptions } from '../indexer/polling.ts'
import { createDeferred } from './deferred.ts'
import type { ClusterNode, Role } from './election.ts'
import type { Redis } from './redis.ts'

/** Creates the standalone role, until Redis is available, at least for `ms`. */
export function createStandalone(host: ClusterNode, redis: Redis, ms: number, options: PollingOptions): Role {
  const { over, isOver, end } = createDeferred()
  const polling = createPolling(
    async () => {
      await host.readNode(isOver)
    },
    options,
    host.schedule,
  )
  host.onRead(() => undefined)
  Promise.all([redis.there(), sleep(ms, undefined, { ref: false })]).then(end)
  return {
    title: 'this host reads the chain for itself',
    begun: polling.start(),
    over,
    async refresh() {
      await polling.refresh()
      return true
    },
    findTokens: host.findTokens,
    checked: polling.checked,
    stop() {
      host.onRead(undefined)
      end()
      polling.stop()
    },
  }
}
