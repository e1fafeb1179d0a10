import type { Hex } from 'viem'
import type { Header } from '../../service/indexer/chain.ts'
import type { Feed } from '../../service/indexer/nodeFeed.ts'
import type { Update } from '../../service/indexer/update.ts'

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

export function headerAt(number: number): Header {
  return {
    number: BigInt(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: BigInt(number),
    baseFeePerGas: 0n,
  }
}

function hashOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
