import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { requireChain } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { createEngine, type Engine } from './engine.ts'
import { ServiceError } from './errors.ts'
import { createNodeFeed, type FeedOptions } from './feed.ts'
import { createHandler, type HandlerOptions } from './handler.ts'
import { connectNode } from './node.ts'
import { createTokens, requireDecimals } from './tokens.ts'

type ServiceOptions = HandlerOptions & {
  config: ChainConfig
  rpcUrl: string
  /** 0 and absent take a free port. */
  port?: number
  host?: string
}

export type RunningService = { url: string; engine: Engine; stop(): Promise<void> }

/**
 * Serves one chain. The socket is open from the start and answers 503 NOT_READY; resolves when the chain has been read, or could
 * not be at the first attempt and is asked again. Throws, with nothing left open, when the port is taken, the node is away or of
 * another chain, or a listed token has other decimals there.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, rpcUrl, port = 0, host = '127.0.0.1' } = options
  let engine: Engine | undefined
  const node = connectNode(rpcUrl)
  const service = {
    config,
    node,
    tokens: createTokens(config, node),
    engine() {
      if (engine?.block() === undefined) throw new ServiceError('NOT_READY', 'the pools are still being read')
      return engine
    },
  }
  const server = createAdaptorServer({ fetch: createHandler(service, options), overrideGlobalObjects: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  const stop = async () => {
    engine?.stop()
    await new Promise((resolve) => server.close(resolve))
  }
  try {
    requireChain(config, await node.getChainId())
    await requireDecimals(config, node)
    engine = await createEngine(config, createNodeFeed(config, rpcUrl, onFailure(options)))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, engine, stop }
}

function onFailure({ report }: ServiceOptions): FeedOptions {
  return report === undefined ? {} : { onFailure: (error) => report(error, 'reading the chain') }
}
