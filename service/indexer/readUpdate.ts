import { isDeepStrictEqual } from 'node:util'
import type { AbiEvent, Hex } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import type { Log as Logger } from '../log.ts'
import type { PoolInfo, PoolReadRequest, PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { type Chain, type Head, type Header, type Log, requireChain } from './chain.ts'
import { changed } from './changedPools.ts'
import { descends, hashAt, isCurrent } from './heads/ancestry.ts'
import type { FollowedBlocks } from './heads/followedBlocks.ts'
import { readL1ByteFee } from './l1Fee.ts'
import { isContractFailure } from './node.ts'
import {
  createPoolDiscovery,
  creationEvents,
  listCreated,
  type PoolDiscovery,
  wantedTokens,
} from './poolDiscovery.ts'
import { limitPools } from './poolLimit.ts'
import { inSlices, type PoolState } from './poolState.ts'
import { createRestlessTurns, type RestlessTurns } from './restlessTurns.ts'
import { isValidPool } from './snapshotCodec.ts'
import type { TokenUpdate, Update } from './update.ts'

export type UpdateOptions = {
  find?: PoolDiscovery
  /** The newest head, if the RPC has sent it. */
  pushed?: Head | undefined
  followed?: FollowedBlocks
  turns?: RestlessTurns
  log?: Logger | undefined
  /** Receives the logs of all blocks after the state's, if they were read. */
  onLogs?: (after: Hex, block: Header, logs: readonly Log[]) => void
}

/**
 * Reads changes since the ledger's block; undefined if up to date. After a reorganization also what the
 * replaced blocks had changed, if they were `followed`, else everything. Throws when a read fails or the
 * block is replaced meanwhile.
 */
export async function readUpdate(
  config: ChainConfig,
  chain: Chain,
  ledger: PoolState,
  { find = createPoolDiscovery(config, chain), pushed, followed, turns, log, onLogs }: UpdateOptions = {},
): Promise<Update | undefined> {
  const take = turns ?? createRestlessTurns(config)
  const known = ledger.block()
  if (!known) requireChain(config, await chain.id())
  // A late or early push tells nothing about the blocks between.
  const head = known && pushed?.parentHash === known.hash ? pushed : await chain.header()
  if (known && (await isCurrent(chain, head, known))) return undefined
  const isNext = known !== undefined && (await descends(chain, head, known))
  const fork = isNext ? undefined : known && (await followed?.findFork(known, head, hashAt(chain)))
  const base = isNext ? known : fork

  const [{ found, moved, logs, tokens }, tip, l1ByteFee] = await Promise.all([
    base
      ? findChanges(config, chain, ledger, find, take, base.number, head)
      : findAll(config, ledger, find, head),
    chain.tip(head.number),
    readL1ByteFee(config, chain, head),
  ])
  const news = new Set(found.map(({ listing }) => listing.address))
  const forked = fork ? withForked(ledger, moved, fork.changed) : moved
  const readings = forked.filter(({ listing }) => !news.has(listing.address))
  const all = base
    ? await readStandings(chain, head, [...readings, ...found], log)
    : [
        ...(await readRemaining(chain, head, readings, log)),
        ...(await readStandings(chain, head, found, log)),
      ]
  const read = all.filter(hasMoved(readings))
  // Changes are limited with the pools that are known, by the state.
  const pools = base ? read : limitPools(read)
  const isStanding = (address: Address) => ledger.standing(address) !== undefined
  const gone = base ? leftOut([...readings, ...found], all).filter(isStanding) : []
  await chain.confirm(head)
  const { logsBloom: _, ...block } = head
  const after = base && known ? { after: known.hash } : {}
  const fees = l1ByteFee === undefined ? { tip } : { tip, l1ByteFee }
  const changes = { ...(tokens && { tokens }), ...(gone.length > 0 && { gone }) }
  const update: Update = { ...after, block, ...fees, ...changes, pools }
  followed?.add(
    base && known,
    update,
    found.some(({ listing }) => !canVanish(listing)),
  )
  if (isNext && logs) onLogs?.(known.hash, block, logs)
  return update
}

/** True if the pool, where a reorganization has taken it back, reads as one without a price. */
export function canVanish({ kind }: PoolInfo): boolean {
  return poolTypes[kind].initial !== undefined
}

/** Unlisted tokens keep their pools, of which some may have been created unseen. */
async function findAll(
  config: ChainConfig,
  { coverage, standing }: PoolState,
  find: PoolDiscovery,
  head: Head,
): Promise<Changes> {
  const all = await find(undefined, head.number)
  const found = all.map(toReading)
  const wanted = wantedTokens(config)
  if (wanted === undefined) return { found, moved: [] }
  const known = new Set(all.map(({ address }) => address))
  const others = [...coverage.unlistedPools()].filter((address) => !known.has(address))
  const moved = others.flatMap((address) => toReadings(standing(address)))
  const stale = coverage.unlisted().filter((token) => !wanted.has(token))
  return { found, moved, tokens: { listed: [...wanted], stale } }
}

/** The ledger's states are of the replaced blocks: reads all of them anew. */
function withForked(
  ledger: PoolState,
  moved: readonly PoolReadRequest[],
  changed: ReadonlySet<Address>,
): PoolReadRequest[] {
  const addresses = new Set([...moved.map(({ listing }) => listing.address), ...changed])
  return [...addresses].flatMap((address) => toReadings(ledger.standing(address)))
}

function leftOut(readings: readonly PoolReadRequest[], read: readonly PoolSnapshot[]): Address[] {
  const known = new Set(read.map(({ listing }) => listing.address))
  return readings.map(({ listing }) => listing.address).filter((address) => !known.has(address))
}

/** False for pools that were read without a log, and are as before. */
function hasMoved(readings: readonly PoolReadRequest[]): (pool: PoolSnapshot) => boolean {
  const restless = readings.filter(({ before, logs }) => before !== undefined && logs.length === 0)
  const beforeOf = new Map(restless.map(({ listing, before }) => [listing.address, before]))
  return ({ listing: { address }, state }) => {
    return !beforeOf.has(address) || !isDeepStrictEqual(state, beforeOf.get(address))
  }
}

/** Beyond, re-reading listed pools is faster than reading all logs. */
const manyBlocks = 500n

type Changes = {
  found: PoolReadRequest[]
  moved: PoolReadRequest[]
  logs?: readonly Log[]
  tokens?: TokenUpdate
}

async function findChanges(
  config: ChainConfig,
  chain: Chain,
  ledger: PoolState,
  find: PoolDiscovery,
  take: RestlessTurns,
  after: bigint,
  head: Head,
): Promise<Changes> {
  if (config.pools === 'listed' && head.number - after > manyBlocks) {
    const all = (ledger.whole()?.pools ?? []).map(({ listing }) => toReading(listing))
    const stale = ledger.coverage.unlisted()
    const tokens = stale.length === 0 ? {} : { tokens: { stale } }
    const found = await find(after, head.number)
    return { found: found.map(toReading), moved: all, ...tokens }
  }
  if (head.number === after) return { found: [], moved: [] }
  const events: AbiEvent[] = [...changes(config), ...creationEvents(config)]
  const logs = await chain.logsSince(events, after, head)
  const found = await listCreated(config, chain, head, logs, ledger.coverage.isFollowed)
  const restless = () => take(ledger.restless())
  const pools = { ...ledger, restless, all: () => ledger.stream()?.pools ?? [] }
  return { found, moved: changed(config, pools, logs), logs }
}

function changes({ factories }: ChainConfig): AbiEvent[] {
  return [...new Set(factories.map(({ kind }) => kind))].flatMap((kind) => poolTypes[kind].changes)
}

export function toReading(listing: PoolInfo): PoolReadRequest {
  return { listing, before: undefined, logs: [] }
}

function toReadings(standing: PoolSnapshot | undefined): PoolReadRequest[] {
  return standing === undefined ? [] : [toReading(standing.listing)]
}

/** Leaves out pools that a reorganization has taken back: their vaults refuse to tell of them. */
async function readRemaining(
  chain: Chain,
  block: Head,
  readings: readonly PoolReadRequest[],
  log: Logger | undefined,
): Promise<PoolSnapshot[]> {
  try {
    return await readStandings(chain, block, readings, log)
  } catch (error) {
    if (!isContractFailure(error)) throw error
    const middle = readings.length >> 1
    if (middle === 0) return []
    const first = await readRemaining(chain, block, readings.slice(0, middle), log)
    return [...first, ...(await readRemaining(chain, block, readings.slice(middle), log))]
  }
}

/** Leaves out, and logs, pools whose state no other host nor a later start would accept. */
export async function readStandings(
  chain: Chain,
  block: Head,
  readings: readonly PoolReadRequest[],
  log?: Logger,
): Promise<PoolSnapshot[]> {
  const read = Object.entries(poolTypes).map(async ([name, kind]) => {
    const own = readings.filter(({ listing }) => listing.kind === name)
    const states = own.length === 0 ? [] : await kind.read(chain, block, own)
    return own.map(({ listing }, i) => ({ listing, state: states[i] }))
  })
  const [valid, odd]: [PoolSnapshot[], PoolSnapshot[]] = [[], []]
  await inSlices((await Promise.all(read)).flat(), (pool) => {
    ;(isValidPool(pool) ? valid : odd).push(pool)
  })
  for (const { listing } of odd) {
    log?.warn({ pool: listing.address, kind: listing.kind }, 'a pool is left out: its state is invalid')
  }
  return valid
}
