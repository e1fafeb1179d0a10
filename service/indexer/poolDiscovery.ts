import { type AbiEvent, toEventSelector, zeroAddress } from 'viem'
import type { Address, ChainConfig, Factory } from '../config.ts'
import type { Log as Logger } from '../log.ts'
import type { PoolInfo, PoolReadRequest } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { toLowerAddress } from './address.ts'
import type { BlockRef, Chain, Log, LogFilter } from './chain.ts'
import { isNamed, listNamed } from './namedPools.ts'
import { limitFound, limitRead } from './poolLimit.ts'

/** Finds pools created after block `after` (all if undefined) by `factories`, by default the config's. */
export type PoolDiscovery = (
  after: bigint | undefined,
  to: bigint,
  factories?: readonly Factory[],
) => Promise<PoolInfo[]>

export type PoolDiscoveryOptions = {
  log?: Logger | undefined
  /** Blocks per saved step. */
  stretch?: bigint
  /** Depth without reorganizations. */
  settledDepth?: bigint
}

type Search = { upTo: bigint; found: PoolInfo[] }

/** Creates a finder that saves its progress for retries and full re-reads. */
export function createPoolDiscovery(
  config: ChainConfig,
  chain: Chain,
  { log, stretch = 500_000n, settledDepth = 1_000n }: PoolDiscoveryOptions = {},
): PoolDiscovery {
  const searches = new Map<Address, Search>()
  const wanted = wantedTokens(config)
  const isWanted = ({ tokens }: PoolInfo) =>
    wanted === undefined || tokens.every((token) => wanted.has(token))

  async function find(factory: Factory, from: bigint, to: bigint, at: bigint): Promise<PoolInfo[]> {
    const logs = await askAll(chain, factory, from, to, wanted)
    const { list } = poolTypes[factory.kind]
    return logs.length === 0 ? [] : (await list(chain, at, logs, factory, config.wrapped)).filter(isWanted)
  }

  async function findAll(factory: Factory, to: bigint): Promise<PoolInfo[]> {
    if (isNamed(factory)) return (await listNamed(config, chain, to, factory)).filter(isWanted)
    const first = { upTo: BigInt(factory.fromBlock) - 1n, found: [] }
    const search = searches.get(factory.address) ?? first
    searches.set(factory.address, search)
    while (search.upTo + stretch < to - settledDepth) {
      const upTo = search.upTo + stretch
      search.found = limitFound([...search.found, ...(await find(factory, search.upTo + 1n, upTo, to))])
      search.upTo = upTo
      const { title, address } = factory
      const told = {
        factory: title,
        address,
        block: Number(upTo),
        of: Number(to),
        pools: search.found.length,
      }
      log?.info(told, 'pools are being looked for')
    }
    return limitFound([...search.found, ...(await find(factory, search.upTo + 1n, to, to))])
  }

  return async (after, to, factories = config.factories) => {
    const found = await Promise.all(
      factories.map(async (factory) => {
        const all = after === undefined ? findAll(factory, to) : find(factory, after + 1n, to, to)
        return limitRead(chain, to, limitFound(await all))
      }),
    )
    return found.flat()
  }
}

/** Returns the events by which the factories announce pools. */
export function creationEvents({ factories }: ChainConfig): AbiEvent[] {
  return [...new Set(factories.flatMap(({ kind }) => creationsOf(kind)))]
}

function creationsOf(kind: Factory['kind']): readonly AbiEvent[] {
  const { created } = poolTypes[kind]
  return created === undefined ? [] : [created]
}

/**
 * Lists the pools of `isFollowed` tokens that the factories announce in `logs` of any contract, to be read
 * from these where they tell the whole state.
 */
export async function listCreated(
  config: ChainConfig,
  chain: Chain,
  block: BlockRef,
  logs: readonly Log[],
  isFollowed: (token: Address) => boolean,
): Promise<PoolReadRequest[]> {
  const listed = config.factories.map(async (factory) => {
    const selectors = creationsOf(factory.kind).map((event) => toEventSelector(event) as string | undefined)
    const own = logs.filter(
      ({ address, topics }) => selectors.includes(topics[0]) && toLowerAddress(address) === factory.address,
    )
    if (own.length === 0) return []
    const all = await poolTypes[factory.kind].list(chain, block, own, factory, config.wrapped)
    const followed = all.filter(({ tokens }) => tokens.every(isFollowed))
    return withLogs(factory.kind, followed, own, logs)
  })
  return (await Promise.all(listed)).flat()
}

/** Adds the state at creation, and the logs since, for kinds whose logs tell it. */
function withLogs(
  kind: Factory['kind'],
  listings: readonly PoolInfo[],
  creations: readonly Log[],
  logs: readonly Log[],
): PoolReadRequest[] {
  const { initial, poolOf, changes } = poolTypes[kind]
  if (initial === undefined) return listings.map((listing) => ({ listing, before: undefined, logs: [] }))
  const createdBy = new Map(creations.map((log) => [poolOf(log), log]))
  const later = new Map<Address, Log[]>(listings.map(({ address }) => [address, []]))
  const names = new Set(changes.map(({ name }) => name))
  for (const log of listings.length === 0 ? [] : logs) {
    if (names.has(log.eventName)) later.get(poolOf(log))?.push(log)
  }
  return listings.map((listing) => {
    const created = createdBy.get(listing.address)
    return { listing, before: created && initial(created), logs: later.get(listing.address) ?? [] }
  })
}

/** Returns the tokens with every pool between them indexed; undefined for all. */
export function wantedTokens(config: ChainConfig): Set<Address> | undefined {
  if (config.pools !== 'listed') return undefined
  return new Set([...baseTokens(config), ...config.tokens.map(({ address }) => address)])
}

/** Returns the tokens against which an unlisted token is looked up. */
export function baseTokens({ wrapped, connectors }: ChainConfig): Address[] {
  return [...new Set([wrapped, ...connectors])]
}

const isToken = (name: string) => /^(token|currency)[01]$/.test(name)

async function askAll(
  chain: Chain,
  { kind, address }: Factory,
  from: bigint,
  to: bigint,
  wanted: Set<Address> | undefined,
): Promise<Log[]> {
  const asked = creationsOf(kind).map((event) => ask(chain, event, address, from, to, wanted))
  return (await Promise.all(asked)).flat()
}

/** The RPC filters by indexed tokens. */
function ask(
  chain: Chain,
  created: AbiEvent,
  factory: Address,
  from: bigint,
  to: bigint,
  wanted: Set<Address> | undefined,
): Promise<Log[]> {
  const names = created.inputs.flatMap(({ indexed, name = '' }) => (indexed && isToken(name) ? [name] : []))
  const [first, second] = names
  if (!wanted || !first || !second) return chain.logs([created], from, to, [factory])
  // The native token is currency 0 of Uniswap v4.
  const lower = first === 'currency0' ? [zeroAddress, ...wanted] : [...wanted]
  const about: LogFilter = { [first]: lower, [second]: [...wanted] }
  return chain.logsAbout(created, about, from, to, factory)
}
