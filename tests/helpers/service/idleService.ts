import { createHandler, type HandlerOptions } from '../../../service/app.ts'
import { parseConfig } from '../../../service/config.ts'
import type { Engine } from '../../../service/engine.ts'
import type { Connection } from '../../../service/http/context.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens } from '../../../service/tokens/registry.ts'

export const somebody = `0x${'11'.repeat(20)}` as const

const config = parseConfig(
  {
    chainId: 5,
    name: 'Nowhere',
    coin: { symbol: 'ETH', name: 'Ether' },
    wrapped: somebody,
    router: `0x${'22'.repeat(20)}`,
    multicall: somebody,
    permit2: somebody,
    connectors: [],
    factories: [],
    tokens: [],
  },
  'test',
)

/** An RPC that is down. */
export const nowhere = 'http://127.0.0.1:1/node-canary-1b2c3d'

export const idle: Engine = {
  block: () => ({ number: 7n, hash: '0x07', timestamp: 7n, baseFeePerGas: 1n }),
  gasPrice: () => 2n,
  sources: [],
  route: async () => undefined,
  ensure: async () => [],
  trades: () => false,
  prices: async () => new Map(),
  poolCount: () => 3,
  checked: () => ({ at: Date.now(), everyMs: 250 }),
  refresh: async () => undefined,
  stop: async () => undefined,
}

export function createIdle(engine: () => Engine, options: HandlerOptions = {}) {
  const node = connectRpc(nowhere)
  return createHandler({ config, node, tokens: createTokens(config, node), engine }, options)
}

export function handle(engine: () => Engine, options: HandlerOptions = {}) {
  const handler = createIdle(engine, options)
  return async (path: string, init?: RequestInit, connection?: Connection) => {
    const response = await handler(new Request(`http://service${path}`, init), connection)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : {},
    }
  }
}
