import type { Hex } from 'viem'
import type { Address, ChainConfig, Factory } from '../../config.ts'
import type { Log as Logger } from '../../log.ts'
import type { PoolInfo, PoolSnapshot } from '../../pools/poolType.ts'
import { poolTypes } from '../../pools/registry.ts'
import type { Chain, Header, Log } from '../chain.ts'
import { changed } from '../changedPools.ts'
import type { FollowedBlocks } from '../heads/followedBlocks.ts'
import { recallNamed } from '../namedPools.ts'
import { baseTokens, listCreated, type PoolDiscovery, wantedTokens } from '../poolDiscovery.ts'
import type { PoolState } from '../poolState.ts'
import { canVanish, readStandings, toReading } from '../readUpdate.ts'
import { createRestlessTurns } from '../restlessTurns.ts'
import type { TokenPair, TokenUpdate, Update } from '../update.ts'
import { feesOf } from './describeTokens.ts'
import { createPoolFinder } from './poolFinder.ts'
import type { Want } from './tokenCoverage.ts'

/** Pools read at a block, not yet part of the state. */
export type Discovered = {
  block: Header
  tokens: TokenUpdate
  pools: readonly PoolSnapshot[]
  /** True if some may be as new as the block, so that a reorganization may take them back. */
  hasNewPools?: boolean
}

export type TokenDiscovery = {
  /**
   * Finds and reads the pools of `wants` at the state's block: two dependent requests, three where a found
   * pool's kind must read more of it, and one more where the RPC knows blocks by number only. Throws when the
   * RPC does not answer.
   */
  discover(wants: readonly Want[]): Promise<Discovered>
  /** Like `discover`, for tokens of the list that the state lacks; undefined if it lacks none. */
  discoverListed(): Promise<Discovered | undefined>
  /**
   * Ends a discovery: brings its pools to the state's present block by the logs since; undefined if they must
   * be discovered anew. No update may be read or applied meanwhile.
   */
  settle(discovered: Discovered): Promise<Update | undefined>
  /** Records the logs of an update, for discoveries that are under way. */
  recordLogs(after: Hex, block: Header, logs: readonly Log[]): void
}

/** Some 30 MB. With more, as after a pause, tokens that are being looked up are discovered anew. */
const maxLogs = 20_000

type BlockLogs = { after: Hex; hash: Hex; logs: readonly Log[] }

export function createTokenDiscovery(
  config: ChainConfig,
  chain: Chain,
  state: PoolState,
  find: PoolDiscovery,
  followed: FollowedBlocks,
  log?: Logger,
): TokenDiscovery {
  const { coverage } = state
  const finder = createPoolFinder(config, chain)
  const bases = baseTokens(config)
  const wanted = wantedTokens(config)
  let recent: BlockLogs[] = []
  let underWay = 0

  function currentBlock(): Header {
    const block = state.block()
    if (block === undefined) throw new Error('No block was read yet.')
    return block
  }

  async function readAt(block: Header, listings: readonly PoolInfo[]): Promise<PoolSnapshot[]> {
    return listings.length === 0 ? [] : readStandings(chain, block, listings.map(toReading), log)
  }

  /** Pools that the config names, between `fresh` and followed tokens. */
  async function findNamed(block: Header, fresh: readonly Address[]): Promise<PoolInfo[]> {
    const named = await recallNamed(config, chain, block)
    return named.filter(
      ({ tokens }) =>
        tokens.some((token) => fresh.includes(token)) &&
        tokens.every((token) => fresh.includes(token) || coverage.isFollowed(token)),
    )
  }

  function end(): void {
    underWay--
    if (underWay === 0) recent = recent.slice(-1)
  }

  /** Until it is settled the logs of blocks that arrive are kept. */
  async function begin(work: () => Promise<Discovered>): Promise<Discovered> {
    underWay++
    return work().catch((error: unknown) => {
      end()
      throw error
    })
  }

  /** Counts tokens with pools as found, no longer as absent. */
  function withPools(tokens: TokenUpdate, pools: readonly PoolSnapshot[]): TokenUpdate {
    const { absent = [], found = [], pairs = [] } = tokens
    // The end of a pair may have no other pool.
    const ends = pairs.flat().filter((token) => !coverage.isFollowed(token))
    const traded = new Set(pools.flatMap(({ listing }) => listing.tokens))
    const named = [...found, ...absent.map(({ token }) => token), ...ends]
    const all = new Set(named.filter((token) => traded.has(token)))
    return { ...tokens, found: [...all], absent: absent.filter(({ token }) => !all.has(token)) }
  }

  /** Logs after block `from`; undefined if not all were recorded. */
  function logsSince(from: Header, to: Header): readonly Log[] | undefined {
    const logs: Log[] = []
    for (let hash = from.hash; hash !== to.hash; ) {
      const next = recent.find(({ after }) => after === hash)
      if (next === undefined) return undefined
      for (const log of next.logs) logs.push(log)
      hash = next.hash
    }
    return logs
  }

  async function replay(discovered: Discovered, block: Header, logs: readonly Log[]): Promise<Discovered> {
    const { tokens, pools } = discovered
    const own = new Map(pools.map((pool) => [pool.listing.address, pool]))
    const listed = (tokens.listed ?? []).filter((token) => !coverage.listed()?.has(token))
    const absent = (tokens.absent ?? []).map(({ token }) => token)
    const fresh = new Set([...(tokens.found ?? []), ...absent, ...listed])
    const isFollowed = (token: Address) => fresh.has(token) || coverage.isFollowed(token)
    const created = (await listCreated(config, chain, block, logs, isFollowed)).filter(
      ({ listing }) => !own.has(listing.address) && listing.tokens.some((token) => fresh.has(token)),
    )
    const managers = new Set(
      pools.flatMap(({ listing: { kind }, state }) => poolTypes[kind].managerOf?.(state) ?? []),
    )
    const standings = {
      standing: (address: Address) => own.get(address),
      restless: () => createRestlessTurns(config)(pools.filter(isRestless)),
      isManager: (address: Address) => managers.has(address),
    }
    const moved = changed(config, { ...standings, all: () => own.values() }, logs)
    const read = await readStandings(chain, block, [...moved, ...created], log)
    if (logs.length > 0 || read.length > 0) await chain.confirm(block)
    for (const { listing } of moved) own.delete(listing.address)
    for (const pool of read) own.set(pool.listing.address, pool)
    const hasNewPools = created.some(({ listing }) => own.has(listing.address) && !canVanish(listing))
    return {
      ...{ block, tokens: withPools(tokens, [...own.values()]), pools: [...own.values()] },
      hasNewPools: discovered.hasNewPools === true || hasNewPools,
    }
  }

  async function settleNow(discovered: Discovered): Promise<Update | undefined> {
    const block = currentBlock()
    const logs = logsSince(discovered.block, block)
    if (logs === undefined) return undefined
    const isCurrent = discovered.block.hash === block.hash
    const settled = isCurrent ? discovered : await replay(discovered, block, logs)
    const { tokens, pools, hasNewPools = false } = settled
    const addresses = pools.map(({ listing }) => listing.address)
    followed.extend(block.hash, addresses, hasNewPools)
    const dropped = coverage.overflow(tokens.found ?? [], pools.length)
    const changes = dropped.length === 0 ? tokens : { ...tokens, dropped }
    return { after: block.hash, block, ...feesOf(state), tokens: changes, pools }
  }

  return {
    discover: (wants) =>
      begin(async () => {
        const block = currentBlock()
        const tokens = wants.flatMap((want) => (want.length === 1 ? want : []))
        const pairs = wants.flatMap((want) => (want.length === 2 ? [want] : []))
        // An end that gains a pool counts as found with all of its pools, at this block.
        const ends = pairs.flat().filter((token) => !coverage.isFollowed(token))
        const asked = uniquePairs([...toPairs([...tokens, ...ends], bases), ...pairs])
        const finding = finder(asked, tokens, block)
        // Each as soon as it is listed: no kind waits for another's requests.
        const lists = [
          finding.then(({ pools }) => pools),
          finding.then(({ others }) => others),
          findNamed(block, [...tokens, ...ends]),
        ]
        const reading = lists.map(async (list) => readAt(block, await list))
        const [found, ...read] = await Promise.all([finding, ...reading])
        const pools = read.flat()
        await chain.confirm(block)
        const codeless = new Set(found.codeless)
        const absent = tokens.map((token) => ({ token, hasCode: !codeless.has(token) }))
        return { block, tokens: withPools({ pairs, absent }, pools), pools }
      }),

    async discoverListed() {
      const missing = [...(wanted ?? [])].filter((token) => !coverage.listed()?.has(token))
      if (wanted === undefined || missing.length === 0) return undefined
      return begin(async () => {
        const block = currentBlock()
        const news = new Set(missing)
        // Vaults cannot be asked for the pools of a pair, others not for all of them.
        const vaults = config.factories.filter(({ kind }) => !isComplete(kind))
        const [found, announced] = await Promise.all([
          finder(toPairs(missing, [...wanted]), [], block),
          find(undefined, block.number, vaults),
        ])
        const others = announced.filter(({ tokens }) => tokens.some((token) => news.has(token)))
        const listings = [...found.pools, ...(await found.others), ...others]
        const all = new Map(listings.map((pool) => [pool.address, pool]))
        const pools = await readAt(block, [...all.values()])
        await chain.confirm(block)
        const tokens = { listed: [...(coverage.listed() ?? []), ...missing] }
        return { block, tokens, pools, hasNewPools: others.some((listing) => !canVanish(listing)) }
      })
    },

    async settle(discovered) {
      try {
        return await settleNow(discovered)
      } finally {
        end()
      }
    },

    recordLogs(after, block, logs) {
      const kept = underWay > 0 ? recent : []
      const count = kept.reduce((sum, { logs }) => sum + logs.length, logs.length)
      recent = count > maxLogs ? [] : [...kept, { after, hash: block.hash, logs }]
    },
  }
}

function isComplete(kind: Factory['kind']): boolean {
  const { lookup } = poolTypes[kind]
  return lookup !== undefined && lookup.isPartial !== true
}

function isRestless({ listing: { kind }, state }: PoolSnapshot): boolean {
  return poolTypes[kind].isRestless(state)
}

function toPairs(tokens: readonly Address[], others: readonly Address[]): TokenPair[] {
  return uniquePairs(
    tokens.flatMap((token) =>
      others.flatMap((other): TokenPair[] => (token === other ? [] : [[token, other]])),
    ),
  )
}

function uniquePairs(pairs: readonly TokenPair[]): TokenPair[] {
  const sorted = pairs.map((pair) => [...pair].sort() as [Address, Address])
  return [...new Map(sorted.map((pair) => [pair.join(' '), pair])).values()]
}
