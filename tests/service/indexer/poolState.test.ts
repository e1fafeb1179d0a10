import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { headerAt } from '../../../bench/soak/memoryFeed.ts'
import { createPoolState, slicePools } from '../../../service/indexer/poolState.ts'
import { createSnapshotFile } from '../../../service/indexer/snapshotFile.ts'

/** Counts the members that are taken in each turn of the event loop. */
function countTurns() {
  let now = 0
  let turns = 0
  let most = 0
  const end = () => {
    most = Math.max(most, now)
    if (now > 0) turns++
    now = 0
    timer = setImmediate(end)
  }
  let timer = setImmediate(end)
  return {
    *each<Member>(members: Iterable<Member>): Generator<Member> {
      for (const member of members) {
        now++
        yield member
      }
    },
    stop() {
      end()
      clearImmediate(timer)
      return { turns, most }
    },
  }
}

describe('createPoolState: adopt', () => {
  const { config, standings } = createSynthetic(3_000)

  it('takes a bounded number of pools per turn of the event loop', async () => {
    const state = createPoolState()
    for (const number of [1, 2]) {
      const counted = countTurns()
      const pools = { [Symbol.iterator]: () => counted.each(standings) }
      await state.adopt({ block: headerAt(number), tip: 0n, pools })
      const { turns, most } = counted.stop()
      expect(most).toBeLessThanOrEqual(slicePools)
      expect(turns).toBeGreaterThanOrEqual(Math.floor(standings.length / slicePools))
    }
    expect(state.store.version().size).toBe(standings.length)
  })

  it('saves a bounded number of pools per turn of the event loop, and what it saved is loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-slices-'))
    const state = createPoolState()
    await state.adopt({ block: headerAt(1), tip: 7n, pools: standings })
    const counted = countTurns()
    const spied = {
      ...state,
      stream: () => ({ ...state.stream()!, pools: counted.each(state.stream()!.pools) }),
    }
    await createSnapshotFile(folder, config, spied).stop()
    const { turns, most } = counted.stop()
    expect(most).toBeLessThanOrEqual(41)
    expect(turns).toBeGreaterThan(standings.length / 41)

    const loaded = createPoolState()
    await createSnapshotFile(folder, config, loaded).load()
    expect(loaded.whole()).toEqual(state.whole())
    rmSync(folder, { recursive: true })
  })
})
