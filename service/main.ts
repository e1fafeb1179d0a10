import { BaseError } from 'viem'
import { type Arguments, parseArguments } from './arguments.ts'
import type { ChainConfig, TokenInfo } from './config.ts'
import { readConfig, readKeys } from './configFile.ts'
import { describeError, monitorFeed } from './errorReporting.ts'
import { descriptorLimit, sparedDescriptors } from './http/connections.ts'
import { createMetrics, type Metrics, registerProcessMetrics } from './http/metrics.ts'
import { serveMetrics } from './http/metricsServer.ts'
import { connectRpc } from './indexer/node.ts'
import { createLog, type Log } from './log.ts'
import { createPoolSource, type PoolSource } from './poolSource.ts'
import { prepare, startService } from './server.ts'
import { loadTokenList } from './tokens/tokenList.ts'
import { startWorkers } from './workers/primary.ts'

type Running = { url: string; stop(): Promise<void>; metrics?(): Promise<string> }

type Deps = {
  options: Arguments
  config: ChainConfig
  listed: TokenInfo[]
  keys?: Set<string>
  supply: PoolSource
  log: Log
  metrics: Metrics
}

async function main(args: string[]): Promise<void> {
  const options = parseArguments(args, process.env)
  const { chainId, rpcUrl, workers, logLevel, configFile, keysFile } = options
  requireDescriptors(options.maxConnections)
  const config = await readConfig(configFile, chainId)
  const keys = keysFile === undefined ? {} : { keys: await readKeys(keysFile) }
  const log = createLog({ level: logLevel, rpcUrl })
  const list = options.tokenList ?? config.tokenList
  const listed = list === undefined ? [] : await loadTokenList(list, config, log)
  const metrics = createMetrics()
  registerProcessMetrics(metrics)
  const known = { ...config, tokens: [...config.tokens, ...listed] }
  const supply = await createPoolSource({
    ...options,
    config: known,
    log,
    feed: monitorFeed(log, metrics, undefined),
  })
  const parts = { options, config, listed, ...keys, supply, log, metrics }
  let readMetrics = () => metrics.registry.metrics()
  const metricsSocket = await serveMetrics(metrics, () => readMetrics(), options.metricsPort)
  const service = await (workers === 1 ? serveAlone(parts) : serveWithWorkers(parts))
  readMetrics = service.metrics ?? readMetrics
  console.error(`Serving chain ${chainId} at ${service.url}/v6.1/${chainId}/`)
  console.error(`Metrics at http://127.0.0.1:${metricsSocket.port}/metrics`)

  const stop = async () => {
    await Promise.all([service.stop(), metricsSocket.stop()])
    console.error('Stopped.')
    // A stalled RPC keeps requests open.
    process.exit()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

function serveAlone({ options, supply, ...rest }: Deps): Promise<Running> {
  return startService({ ...toServing(options), ...supply, ...rest })
}

function toServing({ rpcUrl, port, host, proxies, ...options }: Arguments) {
  const { maxPerClient, hasPublicMetrics, maxConnections, publicUrl } = options
  return {
    ...{ rpcUrl, port, host, proxies, maxPerClient, hasPublicMetrics },
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  }
}

async function serveWithWorkers({
  options,
  config,
  listed,
  keys,
  supply,
  log,
  metrics,
}: Deps): Promise<Running> {
  const { rpcUrl, logLevel, workers } = options
  metrics.registry.setDefaultLabels({ worker: 'primary' })
  const wrong = new Set(await prepare(config, listed, connectRpc(rpcUrl), log))
  const known = [...config.tokens, ...listed.filter((token) => !wrong.has(token))]
  const settings = {
    config: { ...config, tokens: known },
    ...toServing(options),
    ...{ logLevel, isLimited: supply.limiter !== undefined },
    ...(keys === undefined ? {} : { keys: [...keys] }),
  }
  return startWorkers({ count: workers, settings, ...supply, metrics, log })
}

function requireDescriptors(maxConnections = 0): void {
  const limit = descriptorLimit()
  if (maxConnections + sparedDescriptors <= limit) return
  throw new Error(
    `--max-connections is ${maxConnections}, but a process may open ${limit} files here and needs ${sparedDescriptors} of them otherwise.`,
  )
}

/** viem's long messages contain the RPC URL, which may hold a key. */
function sentence(error: unknown): string {
  if (error instanceof BaseError) return `The node at --rpc failed: ${describeError(error)}`
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return 'The port is taken. Choose another with --port or --metrics-port, or 0 for a free one.'
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return 'This machine has no address of that --host.'
  return error instanceof Error ? error.message : String(error)
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(sentence(error))
  process.exit(1)
})
