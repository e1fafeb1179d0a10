import { fileURLToPath } from 'node:url'
import { BaseError } from 'viem'
import { type Arguments, parseArguments } from './arguments.ts'
import { connectNode } from './chain/node.ts'
import type { ChainConfig, TokenInfo } from './config.ts'
import { readConfig, readKeys } from './configFile.ts'
import { describeFault, watchFeed } from './gate/faults.ts'
import { createLog, type Log } from './gate/log.ts'
import { createMetrics, type Metrics, watchProcess } from './gate/metrics.ts'
import { prepare, startService } from './server.ts'
import { createSupply, type Supply } from './supply.ts'
import { loadTokenList } from './trade/tokenList.ts'
import { startWorkers } from './workers/primary.ts'

type Running = { url: string; stop(): Promise<void> }

/** Everything that serving takes, in however many processes. */
type Parts = {
  options: Arguments
  config: ChainConfig
  listed: TokenInfo[]
  keys?: Set<string>
  supply: Supply
  log: Log
  metrics: Metrics
}

async function main(args: string[]): Promise<void> {
  const options = parseArguments(args, process.env)
  const { chainId, rpcUrl, workers, logLevel, configFile, keysFile } = options
  const config = await readConfig(configFile, chainId)
  const keys = keysFile === undefined ? {} : { keys: await readKeys(keysFile) }
  const log = createLog({ level: logLevel, rpcUrl })
  const list = options.tokenList ?? config.tokenList
  const listed = list === undefined ? [] : await loadTokenList(list, config, log)
  const metrics = createMetrics()
  watchProcess(metrics)
  const known = { ...config, tokens: [...config.tokens, ...listed] }
  const supply = await createSupply({
    ...options,
    config: known,
    log,
    feed: watchFeed(log, metrics, undefined),
  })
  const parts = { options, config, listed, ...keys, supply, log, metrics }
  const service = await (workers === 1 ? serveAlone(parts) : serveWithWorkers(parts))
  console.error(`Serving chain ${chainId} at ${service.url}/v6.1/${chainId}/`)

  const stop = async () => {
    await service.stop()
    console.error('Stopped.')
    // A node that hangs keeps questions open, which nobody waits for any more.
    process.exit()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

function serveAlone({ options, supply, ...rest }: Parts): Promise<Running> {
  const { rpcUrl, port, host, proxies } = options
  return startService({ rpcUrl, port, host, proxies, ...supply, ...rest })
}

async function serveWithWorkers({
  options,
  config,
  listed,
  keys,
  supply,
  log,
  metrics,
}: Parts): Promise<Running> {
  const { rpcUrl, port, host, proxies, logLevel, workers } = options
  metrics.registry.setDefaultLabels({ worker: 'primary' })
  const wrong = new Set(await prepare(config, listed, connectNode(rpcUrl), log))
  const known = [...config.tokens, ...listed.filter((token) => !wrong.has(token))]
  const settings = {
    config: { ...config, tokens: known },
    ...{ rpcUrl, port, host, proxies, logLevel, isLimited: supply.limiter !== undefined },
    ...(keys === undefined ? {} : { keys: [...keys] }),
  }
  return startWorkers({ count: workers, settings, ...supply, metrics, log })
}

/** The node's URL often holds a key, and viem's long messages hold the URL. */
function sentence(error: unknown): string {
  if (error instanceof BaseError) return `The node at --rpc failed: ${describeFault(error)}`
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'The port is taken. Choose another with --port, or 0 for a free one.'
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return 'This machine has no address of that --host.'
  return error instanceof Error ? error.message : String(error)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(sentence(error))
    process.exit(1)
  })
}
