import type { ChainConfig } from '../config.ts'
import type { Engine } from '../engine.ts'
import { ServiceError } from '../errors.ts'

export type Freshness = {
  block: number
  blockAgeSeconds: number
  /** When the node last said that this is its newest block. */
  checkedSecondsAgo: number
  /** Why answers at that block would be stale; absent when they would not. */
  fault?: string
}

/** How old the block is that an engine stands on; undefined before there is one. `now` as Date.now tells it. */
export function freshness(
  { blockSeconds }: ChainConfig,
  engine: Engine,
  now = Date.now(),
): Freshness | undefined {
  const block = engine.block()
  const { at, everyMs } = engine.checked()
  if (block === undefined || at === undefined) return undefined

  const silentMs = now - at
  const ageSeconds = now / 1_000 - Number(block.timestamp)
  const fault =
    silentMs > Math.max(patienceMs, 2 * everyMs)
      ? `the chain could not be read for ${whole(silentMs / 1_000)} seconds`
      : blockSeconds !== undefined && ageSeconds > oldest(blockSeconds)
        ? `the node’s newest block is ${whole(ageSeconds)} seconds old`
        : undefined
  return {
    block: Number(block.number),
    blockAgeSeconds: whole(ageSeconds),
    checkedSecondsAgo: whole(silentMs / 1_000),
    ...(fault === undefined ? {} : { fault }),
  }
}

/** Throws NOT_READY, with the reason, where an answer would be stale. */
export function requireFresh(config: ChainConfig, engine: Engine): Freshness {
  const found = freshness(config, engine)
  if (found === undefined) throw new ServiceError('NOT_READY', 'the pools are still being read')
  const { fault, ...rest } = found
  if (fault === undefined) return found
  const meta = Object.entries(rest).map(([type, value]) => ({ type, value: String(value) }))
  throw new ServiceError('NOT_READY', fault, meta)
}

/** A node may stumble: one question that went unanswered is no silence. */
const patienceMs = 5_000

/** Ten blocks may be missed, and clocks may be half a minute apart. */
function oldest(blockSeconds: number): number {
  return 10 * blockSeconds + 30
}

/** A chain whose clock is ahead of ours has a block of now. */
function whole(seconds: number): number {
  return Math.max(0, Math.floor(seconds))
}
