import { createNodeFeed, type Feed } from '../../service/indexer/nodeFeed.ts'
import { type RunningService, type ServiceOptions, startService } from '../../service/server.ts'

/** The service as it answers where nothing is ever late: however slow the machine is, it finds the same routes and calls nothing stale. */
export function startUnhurried(options: ServiceOptions): Promise<RunningService> {
  const { config, rpcUrl, feed = createNodeFeed(config, rpcUrl) } = options
  return startService({ ...withTime, ...options, feed: everFresh(feed) })
}

/** Of a handler: no search and no request ends before its answer. */
export const withTime = { searchMs: Number.POSITIVE_INFINITY, deadlineMs: 600_000 }

/** What was read of the chain within the hour is not stale. */
export function everFresh(feed: Feed): Feed {
  return { ...feed, checked: () => ({ ...feed.checked(), everyMs: 3_600_000 }) }
}
