import type { ChainConfig } from './config.ts'
import type { Engine } from './engine.ts'
import type { Node } from './indexer/node.ts'
import type { Tokens } from './tokens/registry.ts'

/** What every mouth speaks for: one chain. `engine` throws NOT_READY before the first snapshot. */
export type Service = {
  config: ChainConfig
  node: Node
  tokens: Tokens
  engine(): Engine
  /** How long a route is looked for; then the best until then is taken. Without end when absent. */
  searchMs?: number
  /** Resolves when a search may begin, which holds the whole process up. At once when absent. */
  turn?(): Promise<void>
}
