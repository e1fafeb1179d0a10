import type { Hex } from 'viem'
import type { Address } from '../../config.ts'
import type { Header } from '../block.ts'
import type { Update } from '../update.ts'

/** The last blocks that were followed, so that a reorganization is undone by reading what it touched. */
export type FollowedBlocks = {
  /** Records an update of the state at `base`. */
  add(base: Header | undefined, update: Update, hasNewPools: boolean): void
  /** Records pools added to the state of the last block: what changed or created them before is unknown. */
  extend(hash: Hex, pools: readonly Address[], hasNewPools: boolean): void
  /**
   * Returns the latest followed block before `known` that is still on the chain, and the pools changed since.
   * Undefined if none is, or if pools were created since, which an update cannot take back.
   */
  findFork(known: Header, head: Header, hashAt: HashAt): Promise<Fork | undefined>
}

export type Fork = { number: bigint; changed: ReadonlySet<Address> }

/** Undefined while the chain has no such block. */
export type HashAt = (number: bigint) => Promise<Hex | undefined>

type Entry = { number: bigint; hash: Hex; changed: readonly Address[]; hasNewPools: boolean }

/** Two epochs of Ethereum, after which a block is final. */
const remembered = 64

export function createFollowedBlocks(): FollowedBlocks {
  let entries: Entry[] = []

  return {
    add(base, { block: { number, hash }, pools }, hasNewPools) {
      if (base === undefined) entries = []
      else if (entries.at(-1)?.hash !== base.hash) {
        entries = [{ number: base.number, hash: base.hash, changed: [], hasNewPools: false }]
      }
      const changed = base === undefined ? [] : pools.map(({ listing }) => listing.address)
      entries = [...entries.slice(1 - remembered), { number, hash, changed, hasNewPools }]
    },

    extend(hash, pools, hasNewPools) {
      const last = entries.at(-1)
      if (last?.hash !== hash) return
      const changed = [...last.changed, ...pools]
      entries = entries.with(-1, { ...last, changed, hasNewPools: last.hasNewPools || hasNewPools })
    },

    async findFork(known, head, hashAt) {
      const changed = new Set<Address>()
      const last = entries.findLastIndex(({ hash }) => hash === known.hash)
      for (let i = last; i > 0; i--) {
        const [orphan, parent] = [entries[i] as Entry, entries[i - 1] as Entry]
        if (orphan.hasNewPools) return undefined
        for (const address of orphan.changed) changed.add(address)
        const isCandidate = parent.number <= head.number
        if (isCandidate && (await hashAt(parent.number)) === parent.hash)
          return { number: parent.number, changed }
      }
      return undefined
    },
  }
}
