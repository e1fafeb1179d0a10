import { createNodeFeed, type Feed } from '../../../service/indexer/nodeFeed.ts'
import { type RunningService, type ServiceOptions, startService } from '../../../service/server.ts'

/** Starts the service without time limits, for slow machines. */
export function startUnhurried(options: ServiceOptions): Promise<RunningService> {
  const { config, rpcUrl, feed = createNodeFeed(config, rpcUrl) } = options
  return startService({ ...withTime, ...options, feed: everFresh(feed) })
}

export const withTime = { searchMs: Number.POSITIVE_INFINITY, deadlineMs: 600_000 }

export function everFresh(feed: Feed): Feed {
  return { ...feed, checked: () => ({ ...feed.checked(), everyMs: 3_600_000 }) }
}
