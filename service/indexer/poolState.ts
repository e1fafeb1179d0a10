import type { Address } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import type { Header } from './chain.ts'
import type { Update } from './update.ts'

export type PoolState = {
  block(): Header | undefined
  standing(address: Address): PoolSnapshot | undefined
  /** Pools whose state changes without events. */
  restless(): PoolSnapshot[]
  /** Throws when the update follows another block. */
  apply(update: Update): void
  whole(): Update | undefined
}

export function createPoolState(): PoolState {
  let at: { block: Header; tip: bigint } | undefined
  let standings = new Map<Address, PoolSnapshot>()
  const restless = new Set<Address>()

  return {
    block: () => at?.block,
    standing: (address) => standings.get(address),
    restless: () => [...restless].flatMap((address) => standings.get(address) ?? []),

    apply({ after, block, tip, pools }) {
      if (after === undefined) {
        standings = new Map()
        restless.clear()
      } else if (after !== at?.block.hash) {
        throw new Error(`The update of block ${block.number} follows ${after}, not ${at?.block.hash}.`)
      }
      for (const standing of pools) {
        const { address, kind } = standing.listing
        standings.set(address, standing)
        if (poolTypes[kind].isRestless(standing.state)) restless.add(address)
        else restless.delete(address)
      }
      at = { block, tip }
    },

    whole: () => at && { ...at, pools: [...standings.values()] },
  }
}
