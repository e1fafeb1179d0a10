import type { Feed } from '../service/feed.ts'
import type { Update } from '../service/update.ts'

/** A feed that brings what it is handed. */
export type GivenFeed = Feed & { hand(update: Update): Promise<void> }

export function createGivenFeed(first: Update): GivenFeed {
  let take: (update: Update) => Promise<void> = async () => undefined
  return {
    async start(given) {
      take = given
      await take(first)
    },
    hand: (update) => take(update),
    refresh: async () => undefined,
    checked: () => ({ at: Date.now(), everyMs: 0 }),
    stop: async () => undefined,
  }
}
