import { lower } from './address.ts'
import { type Chain, type Header, type Log, requireChain } from './chain.ts'
import type { Address, ChainConfig } from './config.ts'
import { discover } from './discovery.ts'
import { type Pairs, pairUp } from './pairs.ts'
import type { Listing, Reading } from './pools/kind.ts'
import { kinds } from './pools/kinds.ts'
import type { Pool } from './pools/pool.ts'

/** Every pool as it stands at the end of one block. Nothing in it changes; the next block gets a snapshot of its own. */
export type Snapshot = {
  block: Header
  /** Wei above the base fee that a fast transaction pays. */
  tip: bigint
  entries: ReadonlyMap<Address, Entry>
  pairs: Pairs
}

/** A pool, what is known of it for ever, and the state that its kind read. */
export type Entry = { listing: Listing; state: unknown; pool: Pool }

/**
 * The snapshot of the newest block. With `before`, only what has changed since is read: new pools, and pools with events. When
 * the chain no longer contains `before`, all is read anew. Throws when a read fails or the block is replaced meanwhile.
 */
export async function readSnapshot(config: ChainConfig, chain: Chain, before?: Snapshot): Promise<Snapshot> {
  if (!before) requireChain(config, await chain.id())
  const head = await chain.header()
  if (before && head.hash === before.block.hash) return before
  const base = before && (await descends(chain, head, before.block)) ? before : undefined

  const [found, logs, tip] = await Promise.all([
    discover(config, chain, base?.block.number, head.number),
    base ? chain.logs(changes(config), base.block.number + 1n, head.number) : [],
    chain.tip(head.number),
  ])
  const fresh = await readEntries(chain, head.number, [...changed(base, logs), ...found.map(toReading)])
  const { hash } = await chain.header(head.number)
  if (hash !== head.hash) throw new Error(`Block ${head.number} was replaced while it was read.`)

  const entries = new Map(base?.entries)
  for (const entry of fresh) entries.set(entry.listing.address, entry)
  const isNew = base === undefined || found.length > 0
  const pairs = isNew ? pairUp([...entries.values()].map(({ listing }) => listing)) : base.pairs
  return { block: head, tip, entries, pairs }
}

async function descends(chain: Chain, head: Header, before: Header): Promise<boolean> {
  if (head.number <= before.number) return false
  if (head.number === before.number + 1n) return head.parentHash === before.hash
  return (await chain.header(before.number)).hash === before.hash
}

/** Events that say a pool's state is another now. */
function changes({ factories }: ChainConfig) {
  return [...new Set(factories.map(({ kind }) => kind))].flatMap((kind) => kinds[kind].changes)
}

/** The known pools among those that `logs` speak of; strangers' pools have the same events. */
function changed(base: Snapshot | undefined, logs: readonly Log[]): Reading<unknown>[] {
  const readings = new Map<Address, Reading<unknown> & { logs: Log[] }>()
  for (const log of logs) {
    const address = lower(log.address)
    const entry = base?.entries.get(address)
    if (!entry) continue
    const reading = readings.get(address) ?? { listing: entry.listing, before: entry.state, logs: [] }
    reading.logs.push(log)
    readings.set(address, reading)
  }
  return [...readings.values()]
}

function toReading(listing: Listing): Reading<unknown> {
  return { listing, before: undefined, logs: [] }
}

async function readEntries(
  chain: Chain,
  block: bigint,
  readings: readonly Reading<unknown>[],
): Promise<Entry[]> {
  const read = Object.entries(kinds).map(async ([name, kind]) => {
    const own = readings.filter(({ listing }) => listing.kind === name)
    const states = await kind.read(chain, block, own)
    return own.map(({ listing }, i) => ({ listing, state: states[i], pool: kind.pool(listing, states[i]) }))
  })
  return (await Promise.all(read)).flat()
}
