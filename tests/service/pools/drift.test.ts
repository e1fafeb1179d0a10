import fc from 'fast-check'
import { expect, it } from 'vitest'
import { poolTypes, toPool } from '../../../service/pools/registry.ts'
import { snapshots } from '../../helpers/service/randomSnapshots.ts'

it('tells that the output of a pool may drift where its state changes without events, and nowhere else', () => {
  const kinds = new Set<string>()
  for (const { listing, state } of fc.sample(snapshots(1), { numRuns: 600, seed: 11 })) {
    const own = state as { isPaused?: boolean; isClosed?: boolean }
    // A paused pool trades nothing, and the fees of a peg module change by governance.
    if (own.isPaused === true || own.isClosed === true) continue
    if ((listing.fixed as { form?: unknown }).form === 'psm') continue
    const isRestless = poolTypes[listing.kind].isRestless(state)
    const { drift = 0n } = toPool({ listing, state })
    expect({ kind: listing.kind, drifts: drift > 0n }).toEqual({ kind: listing.kind, drifts: isRestless })
    if (isRestless) kinds.add(listing.kind)
  }
  expect(kinds.size).toBeGreaterThan(7)
})
