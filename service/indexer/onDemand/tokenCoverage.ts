import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { Address } from '../../config.ts'
import type { PoolInfo } from '../../pools/poolType.ts'
import type { Header } from '../block.ts'
import type { TokenPair, TokenUpdate, Update } from '../update.ts'

/**
 * The tokens whose pools are followed, on chains where not all pools are. The tokens of the list have every
 * pool between them; an unlisted one, which a request named, has its pools with the base tokens, and those
 * that were created later with any followed token.
 */
export type TokenCoverage = {
  /** Undefined where all pools are followed, and before the first update. */
  listed(): ReadonlySet<Address> | undefined
  /** Unlisted tokens, the least recently used first. */
  unlisted(): Address[]
  /** True if pools created with the token are added. */
  isFollowed(token: Address): boolean
  /** True if the pools of one token, or of a pair, are known at the current block. */
  covers(want: Want): boolean
  /** Undefined unless the token has no pools at the current block. */
  absence(token: Address): { hasCode: boolean } | undefined
  /** Pools of an unlisted token. */
  poolsOf(token: Address): ReadonlySet<Address>
  /** Pools with an unlisted token. */
  unlistedPools(): Iterable<Address>
  /** Marks as used. */
  touch(token: Address): void
  /** Least recently used tokens to drop, so that `added` with `pools` more pools keep within the limits. */
  overflow(added: readonly Address[], pools: number): Address[]
  /** Begins an update; it has effect with `commit`. */
  begin(update: Pick<Update, 'after' | 'block' | 'tokens' | 'gone'>): CoverageDraft
  /** All tokens, for a full state. */
  whole(): TokenUpdate | undefined
  /** Equal for states with the same tokens; empty where all pools are followed. */
  mark(): string
}

/** One token, or two in sorted order. */
export type Want = readonly [Address] | TokenPair

export type CoverageDraft = {
  /** Pools that belong to dropped tokens alone, and those that are gone. */
  removed: Address[]
  /** Records a pool of the update. */
  add(listing: PoolInfo): void
  commit(): void
}

export type CoverageLimits = { tokens: number; pools: number }

/**
 * Beyond, the least recently used tokens go. A day's requests of ten thousand users name fewer tokens, and
 * the pools take some 5 MB, a twentieth of what a host may use at 100,000 pools.
 */
const defaultLimits: CoverageLimits = { tokens: 2_000, pools: 20_000 }

/** Of pairs, and of tokens without pools; a block's requests name fewer. */
const maxAnswers = 10_000

export function createTokenCoverage(limits = defaultLimits): TokenCoverage {
  let listed: ReadonlySet<Address> | undefined
  /** In the order of their use; true unless created pools may have been missed. */
  let unlisted = new Map<Address, boolean>()
  let pools = new Map<Address, Set<Address>>()
  /** Unlisted tokens by pool. */
  let owners = new Map<Address, readonly Address[]>()
  const pairs = new Set<string>()
  /** Of the block `at`. */
  let absent = new Map<Address, { hasCode: boolean }>()
  let askedPairs = new Set<string>()
  let at: Hex | undefined
  let mark: string | undefined

  const isFollowed = (token: Address) => listed === undefined || listed.has(token) || unlisted.has(token)

  function removedBy(dropped: readonly Address[]): Address[] {
    const gone = new Set(dropped)
    const touched = new Set(dropped.flatMap((token) => [...(pools.get(token) ?? [])]))
    return [...touched].filter((pool) => owners.get(pool)?.every((token) => gone.has(token)))
  }

  function drop(dropped: readonly Address[], removed: readonly Address[]): void {
    for (const pool of removed) owners.delete(pool)
    const gone = new Set(dropped)
    for (const token of dropped) {
      for (const pool of pools.get(token) ?? []) {
        const others = owners.get(pool)?.filter((owner) => !gone.has(owner)) ?? []
        if (others.length > 0) owners.set(pool, others)
        else owners.delete(pool)
      }
      unlisted.delete(token)
      pools.delete(token)
    }
    for (const pair of pairs)
      if (pair.split(' ').some((token) => gone.has(token as Address))) pairs.delete(pair)
  }

  function follow(tokens: readonly Address[], isComplete: boolean): void {
    for (const token of tokens) {
      if (listed?.has(token)) continue
      unlisted.delete(token)
      unlisted.set(token, isComplete)
      if (!pools.has(token)) pools.set(token, new Set())
    }
  }

  function own({ address, tokens }: PoolInfo): void {
    const its = tokens.filter((token) => unlisted.has(token))
    if (its.length === 0) return
    owners.set(address, its)
    for (const token of its) pools.get(token)?.add(address)
  }

  function disown(pool: Address): void {
    for (const token of owners.get(pool) ?? []) pools.get(token)?.delete(pool)
  }

  function takeBlock({ hash }: Header): void {
    if (hash === at) return
    at = hash
    absent = new Map()
    askedPairs = new Set()
  }

  function takeAnswers({ pairs: found = [], absent: missing = [] }: TokenUpdate): void {
    for (const pair of found) {
      if (pair.every(isFollowed)) bound(pairs).add(pair.join(' '))
      else bound(askedPairs).add(pair.join(' '))
    }
    for (const { token, hasCode } of missing) bound(absent).set(token, { hasCode })
  }

  function clear(): void {
    listed = undefined
    unlisted = new Map()
    pools = new Map()
    owners = new Map()
    pairs.clear()
  }

  function whole(): TokenUpdate | undefined {
    if (listed === undefined) return undefined
    const entries = [...unlisted]
    return {
      listed: [...listed],
      stale: entries.flatMap(([token, isComplete]) => (isComplete ? [] : [token])),
      found: entries.flatMap(([token, isComplete]) => (isComplete ? [token] : [])),
    }
  }

  return {
    listed: () => listed,
    unlisted: () => [...unlisted.keys()],
    isFollowed,

    covers(want) {
      const [token, other] = want
      if (listed === undefined) return true
      if (other !== undefined) {
        const pair = want.join(' ')
        return want.every((one) => listed?.has(one)) || pairs.has(pair) || askedPairs.has(pair)
      }
      return listed.has(token) || unlisted.get(token) === true || absent.has(token)
    },

    absence: (token) => absent.get(token),
    poolsOf: (token) => pools.get(token) ?? new Set(),
    unlistedPools: () => owners.keys(),

    touch(token) {
      const isComplete = unlisted.get(token)
      if (isComplete !== undefined) follow([token], isComplete)
    },

    overflow(added, count) {
      const kept = new Set(added)
      const others = [...unlisted.keys()].filter((token) => !kept.has(token))
      let poolsLeft = owners.size + count - limits.pools
      const dropped: Address[] = []
      for (const token of others) {
        if (others.length - dropped.length + kept.size <= limits.tokens && poolsLeft <= 0) break
        dropped.push(token)
        poolsLeft -= pools.get(token)?.size ?? 0
      }
      return dropped
    },

    begin({ after, block, tokens = {}, gone = [] }) {
      const { listed: all, found = [], stale = [], dropped = [] } = tokens
      const isWhole = after === undefined
      const known = all === undefined ? (isWhole ? undefined : listed) : new Set(all)
      const removed = isWhole ? [] : [...removedBy(dropped), ...gone]
      const added: PoolInfo[] = []
      return {
        removed,
        add(listing) {
          if (known !== undefined && !listing.tokens.every((token) => known.has(token))) added.push(listing)
        },
        commit() {
          if (isWhole) clear()
          if (isWhole || all || found.length > 0 || dropped.length > 0) mark = undefined
          takeBlock(block)
          if (known === undefined) return
          listed = known
          // Their pools between listed tokens are no longer an unlisted token's.
          if (all !== undefined)
            drop(
              all.filter((token) => unlisted.has(token)),
              [],
            )
          for (const pool of gone) disown(pool)
          drop(dropped, removed)
          if (stale.length > 0) pairs.clear()
          follow(stale, false)
          follow(found, true)
          for (const listing of added) own(listing)
          takeAnswers(tokens)
        },
      }
    },

    whole,

    mark() {
      mark ??= markTokens(whole())
      return mark
    },
  }
}

/** Returns the mark of a full state's tokens. */
export function markTokens(tokens: TokenUpdate | undefined): string {
  if (tokens?.listed === undefined) return ''
  const lists = [[...tokens.listed], [...(tokens.found ?? []), ...(tokens.stale ?? [])]]
  const facts = lists.map((list) => list.sort().join()).join(';')
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}

/** Removes the oldest entry of a full collection. */
function bound<Collection extends Map<Address, unknown> | Set<string>>(collection: Collection): Collection {
  const [oldest] = collection.keys()
  if (collection.size >= maxAnswers && oldest !== undefined) {
    ;(collection as Set<string>).delete(oldest)
  }
  return collection
}
