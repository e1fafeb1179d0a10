import { configHash, encodeSnapshot } from '../../service/indexer/snapshotCodec.ts'
import { createSynthetic } from '../routing/synthetic.ts'
import { headerAt } from '../soak/memoryFeed.ts'

export type SnapshotRow = {
  pools: number
  snapshotBytes: number
  /** Of an update of a thousand pools. */
  updateBytes: number
  encodeCpuMs: number
}

const changedPools = 1_000

/** Measures what the leader writes to Redis and a joining follower reads. */
export async function benchSnapshots(pools: number): Promise<SnapshotRow> {
  const { config, standings } = createSynthetic(pools)
  const mark = configHash(config)
  const block = headerAt(2)
  const whole = { block, tip: 0n, pools: standings }
  const update = { ...whole, after: headerAt(1).hash, pools: standings.slice(0, changedPools) }

  const started = process.cpuUsage()
  const snapshot = await encodeSnapshot(whole, mark)
  const { user, system } = process.cpuUsage(started)
  const updateBytes = (await encodeSnapshot(update, mark)).length
  return { pools, snapshotBytes: snapshot.length, updateBytes, encodeCpuMs: (user + system) / 1_000 }
}
