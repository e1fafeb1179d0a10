import type { ChainConfig } from './config.ts'
import type { Engine } from './engine.ts'
import type { CountedAs } from './http/clients.ts'
import type { SearchTurns } from './http/scheduler/searchTurns.ts'
import type { Node } from './indexer/node.ts'
import type { Tokens } from './tokens/registry.ts'

/** `engine` throws NOT_READY before the first snapshot. */
export type Service = {
  config: ChainConfig
  node: Node
  tokens: Tokens
  engine(): Engine
  searchMs?: number
  /** Searches that may run at once; 1 by default, as they block the event loop. */
  searchesAtOnce?: number
  searchTurn?: SearchTurns
}

/** Returns `service` with the turns of a client. */
export function forClient(service: Service, client: CountedAs): Service {
  const { searchTurn } = service
  return searchTurn === undefined ? service : { ...service, searchTurn: () => searchTurn(client) }
}
