import type { ChainConfig } from './config.ts'
import type { Engine } from './engine.ts'
import type { Node } from './indexer/node.ts'
import type { Tokens } from './tokens/registry.ts'

/** `engine` throws NOT_READY before the first snapshot. */
export type Service = {
  config: ChainConfig
  node: Node
  tokens: Tokens
  engine(): Engine
  searchMs?: number
  /** Resolves when a search may block the event loop. */
  yieldToEventLoop?(): Promise<void>
}
