import type { Address } from '../config.ts'
import type { Pool, PoolSteps } from '../pools/pool.ts'
import { toPool } from '../pools/registry.ts'
import { wrapped } from '../pools/wrappedNative.ts'
import type { RouteRequest } from '../routing/route.ts'
import type { PoolStore } from '../snapshot/poolStore.ts'
import type { PoolTableBuffers } from '../snapshot/poolTables.ts'
import type { SharedStorage } from '../snapshot/sharedStorage.ts'
import type { PoolVersion } from '../snapshot/versionSlots.ts'
import type { FoundRoute, SearchInput, SearchOptions } from './searcher.ts'

/** Data of a new thread; `threads` is the number of all. */
export type ThreadInput = { tables: PoolTableBuffers; input: SearchInput; threads: number }

/** To a thread. A slot comes before the first version that uses it. */
export type ThreadRequest =
  | { type: 'slot'; offsets: SharedArrayBuffer; prices: SharedArrayBuffer }
  | { type: 'search'; id: number; version: PoolVersion; request: RouteRequest; options: SearchOptions }

/** From a thread; `ready` once. */
export type ThreadResponse =
  | { type: 'ready' }
  | { type: 'found'; id: number; route: SentRoute | undefined }
  | { type: 'failed'; id: number; fault: string }

type SentEdge = Omit<FoundRoute['edges'][number], 'pool'> & { pool: number }

/** A route with pools as indexes into `pools`. */
export type SentRoute = Omit<FoundRoute, 'edges' | 'branches' | 'evidence'> & {
  pools: readonly SentPool[]
  edges: readonly SentEdge[]
  branches: readonly { weight: number; edges: readonly SentEdge[] }[]
}

/** A pool, with what the search knows of its hop, so that the receiver need not decode its state. */
type SentPool = Facts & {
  /** In the store; undefined for the wrapped native token. */
  id: number | undefined
  hop: Hop
}

/** The fields that are plain data, without those that the pool lacks. */
type Facts = Pick<Pool, 'address' | 'source' | 'tokens' | 'holder' | 'isNative' | 'lateGas' | 'drift'>

function factsOf({ address, source, tokens, holder, isNative, lateGas, drift }: Pool): Facts {
  return {
    ...{ address, source, tokens },
    ...(holder === undefined ? {} : { holder }),
    ...(isNative === undefined ? {} : { isNative }),
    ...(lateGas === undefined ? {} : { lateGas }),
    ...(drift === undefined ? {} : { drift }),
  }
}

type Hop = {
  sell: Address
  buy: Address
  sold: bigint
  gas: bigint
  steps: number
  /** Undefined where gas does not depend on it. */
  crossed: PoolSteps | undefined
  encoded: ReturnType<Pool['encode']>
}

export function toSentRoute({ evidence: _, ...route }: FoundRoute, storage: SharedStorage): SentRoute {
  const pools = [...new Set(route.edges.map(({ pool }) => pool))]
  const indexes = new Map(pools.map((pool, i) => [pool.address, i]))
  const toSent = ({ pool, ...edge }: FoundRoute['edges'][number]): SentEdge => ({
    ...edge,
    pool: indexes.get(pool.address) as number,
  })
  return {
    ...route,
    pools: pools.map((pool) => toSentPool(pool, route, storage)),
    edges: route.edges.map(toSent),
    branches: route.branches.map(({ weight, edges }) => ({ weight, edges: edges.map(toSent) })),
  }
}

function toSentPool(
  pool: Pool,
  { edges, tokens }: Pick<FoundRoute, 'edges' | 'tokens'>,
  storage: SharedStorage,
): SentPool {
  const { from, to, sold } = edges.find((edge) => edge.pool === pool) as FoundRoute['edges'][number]
  const [sell, buy] = [tokens[from] as Address, tokens[to] as Address]
  const steps = pool.curve(sell, buy).steps(Number(sold))
  const crossed = pool.steps?.(sell, sold)
  const hop = {
    sell,
    buy,
    sold,
    gas: pool.gas(sell, buy, sold),
    steps,
    crossed,
    encoded: pool.encode(sell, buy),
  }
  return { ...factsOf(pool), id: storage.idOf(pool), hop }
}

/** Rebuilds a route. The version must be pinned during the call only. */
export function fromSentRoute(
  { pools, edges, branches, ...route }: SentRoute,
  store: PoolStore,
  version: PoolVersion,
): FoundRoute {
  const rebuilt = pools.map((pool) => fromSentPool(pool, store, version))
  const toEdge = ({ pool, ...edge }: SentEdge) => ({ ...edge, pool: rebuilt[pool] as Pool })
  return {
    ...route,
    edges: edges.map(toEdge),
    branches: branches.map(({ weight, edges }) => ({ weight, edges: edges.map(toEdge) })),
  }
}

/** Answers from the hop; anything else decodes a copy of the pool's records. */
function fromSentPool({ id, hop, ...facts }: SentPool, store: PoolStore, version: PoolVersion): Pool {
  if (id === undefined) return wrapped(facts.address)
  const read = store.copy(version, id)
  let decoded: Pool | undefined
  const whole = () => {
    decoded ??= toPool(read())
    return decoded
  }
  const stepsOf = (crossed: PoolSteps) => (sell: Address, amount: bigint) => {
    if (sell === hop.sell && amount === hop.sold) return crossed
    return whole().steps?.(sell, amount) ?? crossed
  }
  const isHop = (sell: Address, buy: Address) => sell === hop.sell && buy === hop.buy
  return {
    ...facts,
    quote: (sell, buy, amount) => whole().quote(sell, buy, amount),
    curve(sell, buy) {
      const curve = () => whole().curve(sell, buy)
      const steps = (sold: number) =>
        isHop(sell, buy) && sold === Number(hop.sold) ? hop.steps : curve().steps(sold)
      return {
        get capacity() {
          return curve().capacity
        },
        get most() {
          return curve().most
        },
        bought: (sold) => curve().bought(sold),
        slope: (sold) => curve().slope(sold),
        soldAt: (slope) => curve().soldAt(slope),
        steps,
      }
    },
    gas: (sell, buy, amount) =>
      isHop(sell, buy) && amount === hop.sold ? hop.gas : whole().gas(sell, buy, amount),
    ...(hop.crossed === undefined ? {} : { steps: stepsOf(hop.crossed) }),
    encode: (sell, buy) => (isHop(sell, buy) ? hop.encoded : whole().encode(sell, buy)),
  }
}
