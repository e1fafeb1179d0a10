import type { Address } from '../config.ts'
import type { RoutingInput } from '../routing/candidates.ts'
import { findRoute } from '../routing/findRoute.ts'
import type { SettledRoute } from '../routing/gasParts.ts'
import { createGraph } from '../routing/market.ts'
import { type Certificate, certify } from '../routing/optimizer/certificate.ts'
import type { Evidence, RouteRequest } from '../routing/route.ts'
import type { PoolStore } from '../snapshot/poolStore.ts'
import { createSharedStorage, type SharedStorage } from '../snapshot/sharedStorage.ts'
import type { PoolVersion } from '../snapshot/versionSlots.ts'

/** A chain's constants for a search. */
export type SearchInput = RoutingInput & {
  /** Tokens that may connect. */
  trusted: ReadonlySet<Address>
}

export type SearchOptions = {
  /** Ends the search with its best route. */
  searchMs?: number
  /** True for a certificate. */
  isProven?: boolean
}

export type FoundRoute = SettledRoute & {
  /** Only of a search in this thread. */
  evidence?: Evidence
  /** True if the search ran out of time. */
  isCutShort: boolean
  searchedMs: number
  certificate?: Certificate
}

export type Searcher = {
  /** Searches a version, which stays pinned meanwhile. Undefined if there is no route. */
  search(version: PoolVersion, request: RouteRequest, options: SearchOptions): Promise<FoundRoute | undefined>
  stop(): Promise<void>
}

export type CreateSearcher = (store: PoolStore, input: SearchInput) => Searcher | Promise<Searcher>

/** Creates a searcher in this thread, which is blocked meanwhile. */
export function createLocalSearcher(store: PoolStore, input: SearchInput): Searcher {
  store.indexPrices(input.trusted)
  const search = createSearch(createSharedStorage(store.tables, store.slots), input)
  return {
    search: async (version, request, options) => search(version, request, options),
    stop: async () => undefined,
  }
}

export type Search = (
  version: PoolVersion,
  request: RouteRequest,
  options: SearchOptions,
) => FoundRoute | undefined

/** Creates a synchronous search. */
export function createSearch(storage: SharedStorage, { trusted, ...ground }: SearchInput): Search {
  const graph = createGraph(storage, trusted)
  return (version, request, { searchMs = Number.POSITIVE_INFINITY, isProven = false }) => {
    const start = performance.now()
    let isCutShort = false
    const stop = () => {
      isCutShort ||= performance.now() - start >= searchMs
      return isCutShort
    }
    storage.open(version)
    const found = findRoute(graph, ground, request, stop)
    if (found === undefined) return undefined
    const certificate = isProven ? { certificate: certify(found) } : {}
    return { ...found, isCutShort, searchedMs: performance.now() - start, ...certificate }
  }
}
