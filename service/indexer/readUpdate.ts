import type { Address, ChainConfig } from '../config.ts'
import type { PoolInfo, PoolReadRequest, PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { type Chain, type Header, type Log, requireChain } from './chain.ts'
import { createPoolDiscovery, type PoolDiscovery } from './poolDiscovery.ts'
import type { PoolState } from './poolState.ts'
import type { Update } from './update.ts'

/**
 * Reads changes since the ledger's block, or everything if it is missing or reorganized; undefined if up to
 * date. Throws when a read fails or the block is replaced meanwhile.
 */
export async function readUpdate(
  config: ChainConfig,
  chain: Chain,
  ledger: PoolState,
  find: PoolDiscovery = createPoolDiscovery(config, chain),
): Promise<Update | undefined> {
  const known = ledger.block()
  if (!known) requireChain(config, await chain.id())
  const head = await chain.header()
  if (known && head.hash === known.hash) return undefined
  const base = known && (await descends(chain, head, known)) ? known : undefined

  const [found, moved, tip] = await Promise.all([
    find(base?.number, head.number),
    base ? findMoved(config, chain, ledger, base.number, head.number) : [],
    chain.tip(head.number),
  ])
  const pools = await readStandings(chain, head.number, [...moved, ...found.map(toReading)])
  const { hash } = await chain.header(head.number)
  if (hash !== head.hash) throw new Error(`Block ${head.number} was replaced while it was read.`)
  return { ...(base ? { after: base.hash } : {}), block: head, tip, pools }
}

async function descends(chain: Chain, head: Header, before: Header): Promise<boolean> {
  if (head.number <= before.number) return false
  if (head.number === before.number + 1n) return head.parentHash === before.hash
  return (await chain.header(before.number)).hash === before.hash
}

/** Beyond, re-reading listed pools is faster than reading all logs. */
const manyBlocks = 500n

async function findMoved(
  config: ChainConfig,
  chain: Chain,
  ledger: PoolState,
  after: bigint,
  to: bigint,
): Promise<PoolReadRequest[]> {
  if (config.pools === 'listed' && to - after > manyBlocks) {
    return (ledger.whole()?.pools ?? []).map(({ listing }) => toReading(listing))
  }
  return changed(ledger, await chain.logs(changes(config), after + 1n, to))
}

function changes({ factories }: ChainConfig) {
  return [...new Set(factories.map(({ kind }) => kind))].flatMap((kind) => poolTypes[kind].changes)
}

/** Other contracts emit the same events. */
function changed(ledger: PoolState, logs: readonly Log[]): PoolReadRequest[] {
  const readings = new Map<Address, PoolReadRequest & { logs: Log[] }>()
  const readingOf = ({ listing, state }: PoolSnapshot) => {
    const reading = readings.get(listing.address) ?? { listing, before: state, logs: [] }
    readings.set(listing.address, reading)
    return reading
  }
  for (const log of logs) {
    // Kinds may share an event.
    const standing = speakers(log).flatMap((address) => ledger.standing(address) ?? [])[0]
    if (standing) readingOf(standing).logs.push(log)
  }
  for (const standing of ledger.restless()) readingOf(standing)
  return [...readings.values()]
}

function speakers(log: Log): Address[] {
  const ofEvent = Object.values(poolTypes).filter(({ changes }) =>
    changes.some(({ name }) => name === log.eventName),
  )
  return [...new Set(ofEvent.map(({ poolOf }) => poolOf(log)))]
}

function toReading(listing: PoolInfo): PoolReadRequest {
  return { listing, before: undefined, logs: [] }
}

async function readStandings(
  chain: Chain,
  block: bigint,
  readings: readonly PoolReadRequest[],
): Promise<PoolSnapshot[]> {
  const read = Object.entries(poolTypes).map(async ([name, kind]) => {
    const own = readings.filter(({ listing }) => listing.kind === name)
    const states = own.length === 0 ? [] : await kind.read(chain, block, own)
    return own.map(({ listing }, i) => ({ listing, state: states[i] }))
  })
  return (await Promise.all(read)).flat()
}
