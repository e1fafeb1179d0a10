import type { ChainConfig } from '../../config.ts'
import type { Engine } from '../../engine.ts'
import { ServiceError } from '../../errors.ts'

export type Freshness = {
  block: number
  blockAgeSeconds: number
  /** Since the RPC last confirmed the block as the latest. */
  checkedSecondsAgo: number
  /** Undefined if not stale. */
  fault?: string
}

/** Returns the age of an engine's block; undefined before the first. */
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

/** Throws NOT_READY if the pools are missing or stale. */
export function requireFresh(config: ChainConfig, engine: Engine): Freshness {
  const found = freshness(config, engine)
  if (found === undefined) throw new ServiceError('NOT_READY', 'the pools are still being read')
  const { fault, ...rest } = found
  if (fault === undefined) return found
  const meta = Object.entries(rest).map(([type, value]) => ({ type, value: String(value) }))
  throw new ServiceError('NOT_READY', fault, meta)
}

const patienceMs = 5_000

/** Ten missed blocks and 30 s of clock difference. */
function oldest(blockSeconds: number): number {
  return 10 * blockSeconds + 30
}

/** The chain's clock may be ahead. */
function whole(seconds: number): number {
  return Math.max(0, Math.floor(seconds))
}
