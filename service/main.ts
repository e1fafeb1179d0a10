import { BaseError } from 'viem'
import { asksForHelp, help, parseArguments } from './arguments.ts'
import { readConfig, readKeys } from './configFile.ts'
import { describeError, monitorFeed } from './errorReporting.ts'
import { descriptorLimit, sparedDescriptors } from './http/connections.ts'
import { createMetrics, registerProcessMetrics } from './http/metrics.ts'
import { serveMetrics } from './http/metricsServer.ts'
import { createLog } from './log.ts'
import { createPoolSource } from './poolSource.ts'
import { startService } from './server.ts'
import { loadTokenList } from './tokens/tokenList.ts'

async function main(args: string[]): Promise<void> {
  if (asksForHelp(args)) {
    console.log(help)
    return
  }
  const options = parseArguments(args, process.env)
  const { chainId, rpcUrl, workers, logLevel, configFile, keysFile } = options
  const { port, host, proxies, maxPerClient, hasPublicMetrics, hasCors, maxConnections, publicUrl } = options
  requireDescriptors(maxConnections)
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
  const metricsSocket = await serveMetrics(metrics, () => metrics.registry.metrics(), options.metricsPort)
  const service = await startService({
    ...{ rpcUrl, port, host, proxies, maxPerClient, hasPublicMetrics, hasCors, threads: workers },
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...{ config, listed, ...keys, ...supply, log, metrics },
  })
  console.error(`Serving chain ${chainId} at ${service.url}/v6.1/${chainId}/`)
  console.error(`Documents at ${service.url}/docs`)
  console.error(`Metrics at http://127.0.0.1:${metricsSocket.port}/metrics`)

  const stop = async () => {
    await Promise.all([service.stop(), metricsSocket.stop()])
    console.error('Stopped.')
    // A stalled RPC keeps requests open.
    process.exit()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
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
  if (error instanceof BaseError) return `The RPC failed: ${describeError(error)}`
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Choose another with --port or --metrics-port, or 0 for a free one.`
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return 'This machine has no address of that --host.'
  return error instanceof Error ? error.message : String(error)
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(sentence(error))
  process.exit(1)
})
