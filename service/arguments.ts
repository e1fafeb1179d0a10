import { parseArgs } from 'node:util'
import type { Rate } from './http/rateLimiter.ts'
import { type LogLevel, logLevels } from './log.ts'

export type Arguments = {
  chainId: number
  rpcUrl: string
  /** WebSocket URL of an RPC of the same chain, for `newHeads`. */
  rpcWsUrl?: string
  /** Minimum between polls for a block. */
  minPollMs: number
  port: number
  host: string
  configFile: string
  dataFolder: string
  workers: number
  proxies: number
  /** On 127.0.0.1; 0 chooses a free port. */
  metricsPort: number
  /** True to serve `/metrics` on the main port, without a key. */
  hasPublicMetrics: boolean
  /** True to let pages of any origin read answers. */
  hasCors: boolean
  logLevel: LogLevel
  keysFile?: string
  redisUrl?: string
  /** File or URL, replacing the config's. */
  tokenList?: string
  rate?: Rate
  /** Per process. */
  maxConnections?: number
  /** Requests of one client that are answered at once. */
  maxPerClient: number
  /** Public origin for API documents and URLs. */
  publicUrl?: string
}

export const usage = 'npm run service -- --chain ID --rpc URL [options]; --help lists them'

/** Lines of `--help`. README.md has more about each option. */
export const help = [
  'npm run service -- --chain ID --rpc URL [options]',
  '',
  ...listed([
    ['--chain ID', 'chain id; required'],
    ['--rpc URL', 'HTTP RPC with eth_simulateV1; or SLUICE_RPC_URL; required'],
    ['--rpc-ws URL', 'WebSocket RPC of the same chain, for new blocks; or SLUICE_RPC_WS_URL'],
    ['--poll-ms N', 'minimum between polls for a block, 50 to 60000 (250)'],
    ['--port N', '0 chooses a free one (8787)'],
    ['--host HOST', 'address to listen on (127.0.0.1)'],
    ['--workers N', 'search threads (1)'],
    ['--config FILE', 'chain’s router, factories, tokens (service/chains/ID.json)'],
    ['--tokens FILE|URL', 'token list (the config’s)'],
    ['--data FOLDER', 'folder of the pool snapshot (.pools)'],
    ['--redis URL', 'Redis that hosts share pools and rates by; or SLUICE_REDIS_URL'],
    ['--keys FILE', 'API keys, one a line (open to all)'],
    ['--rate N', 'requests a second per key or network (unlimited)'],
    ['--trust-proxy N', 'proxies in front that add to X-Forwarded-For (0)'],
    ['--max-connections N', 'connections (by the open-file limit)'],
    ['--max-per-client N', 'requests of a key or network answered at once (32)'],
    ['--public-url URL', 'public origin, in documents and logo URLs (each request’s)'],
    ['--cors', 'lets pages of any origin read all answers'],
    ['--metrics-port N', 'of /metrics on 127.0.0.1 (--port + 1000)'],
    ['--public-metrics', 'serves /metrics on the main port too'],
    ['--log LEVEL', `${logLevels.join(', ')} (info)`],
    ['--help', 'these lines'],
  ]),
].join('\n')

function listed(options: readonly (readonly [option: string, meaning: string])[]): string[] {
  const width = Math.max(...options.map(([option]) => option.length))
  return options.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`)
}

/** True if the command line asks for `help`. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** Environment variables are hidden from process lists; options take precedence. */
type Environment = Partial<
  Record<'SLUICE_RPC_URL' | 'SLUICE_RPC_WS_URL' | 'SLUICE_REDIS_URL', string | undefined>
>

/** Parses the command line. Throws an Error with one sentence. */
export function parseArguments(args: string[], environment: Environment = {}): Arguments {
  const values = readOptions(args)
  const { SLUICE_RPC_URL, SLUICE_RPC_WS_URL, SLUICE_REDIS_URL } = environment
  const chain = required('--chain', values.chain)
  const rpcUrl = required('--rpc (or SLUICE_RPC_URL)', values.rpc ?? SLUICE_RPC_URL)
  const rpcWsUrl = values['rpc-ws'] ?? SLUICE_RPC_WS_URL
  const redisUrl = values.redis ?? SLUICE_REDIS_URL
  if (!/^[1-9]\d{0,14}$/.test(chain)) throw new Error(`--chain must be a chain's number, it is "${chain}".`)
  // URLs often contain a key.
  if (!isUrl(rpcUrl, /^https?:$/)) throw new Error('--rpc must be the http or https URL of an EVM node.')
  if (rpcWsUrl !== undefined && !isUrl(rpcWsUrl, /^wss?:$/)) {
    throw new Error('--rpc-ws must be the ws or wss URL of an EVM node.')
  }
  if (redisUrl !== undefined && !isUrl(redisUrl, /^rediss?:$/)) {
    throw new Error('--redis must be the redis or rediss URL of a Redis.')
  }
  const { host, config, keys, tokens, data, rate } = values
  const port = wholeNumber('--port', values.port, 0, 65_535)
  const maxConnections = values['max-connections']
  const publicUrl = values['public-url']
  return {
    chainId: Number(chain),
    rpcUrl,
    ...(rpcWsUrl === undefined ? {} : { rpcWsUrl }),
    minPollMs: wholeNumber('--poll-ms', values['poll-ms'], 50, 60_000),
    port,
    host: filled('--host', host),
    configFile: filled('--config', config ?? `service/chains/${chain}.json`),
    dataFolder: filled('--data', data),
    workers: wholeNumber('--workers', values.workers, 1, 128),
    maxPerClient: wholeNumber('--max-per-client', values['max-per-client'], 1, 4_096),
    proxies: wholeNumber('--trust-proxy', values['trust-proxy'], 0, 9),
    metricsPort: wholeNumber('--metrics-port', values['metrics-port'] ?? metricsPortOf(port), 0, 65_535),
    hasPublicMetrics: values['public-metrics'],
    hasCors: values.cors,
    logLevel: oneOf('--log', values.log, logLevels),
    ...(keys === undefined ? {} : { keysFile: filled('--keys', keys) }),
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(tokens === undefined ? {} : { tokenList: filled('--tokens', tokens) }),
    ...(rate === undefined ? {} : { rate: toRate(rate) }),
    ...(maxConnections === undefined
      ? {}
      : { maxConnections: wholeNumber('--max-connections', maxConnections, 16, 65_536) }),
    ...(publicUrl === undefined ? {} : { publicUrl: toOrigin(publicUrl) }),
  }
}

function readOptions(args: string[]) {
  const text = { type: 'string' } as const
  const off = { type: 'boolean', default: false } as const
  const or = <Value extends string>(value: Value) => ({ ...text, default: value })
  const options = {
    ...{ chain: text, rpc: text, config: text, tokens: text, redis: text, keys: text, rate: text },
    ...{ port: or('8787'), host: or('127.0.0.1'), workers: or('1'), data: or('.pools'), log: or('info') },
    ...{ 'rpc-ws': text, 'poll-ms': or('250') },
    'trust-proxy': or('0'),
    'max-connections': text,
    'max-per-client': or('32'),
    'metrics-port': text,
    'public-metrics': off,
    cors: off,
    'public-url': text,
  }
  try {
    return parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    // Further sentences are about Node's own syntax.
    const [first] = (error as Error).message.split(/\.\s/)
    throw new Error(`${first}. Usage: ${usage}`, { cause: error })
  }
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing. Usage: ${usage}`)
  return value
}

function filled(name: string, value: string): string {
  if (value === '') throw new Error(`${name} must not be empty.`)
  return value
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Error(`${name} must be from ${least} to ${most}, it is "${text}".`)
}

function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text)
  if (word !== undefined) return word
  throw new Error(`${name} must be one of ${words.join(', ')}, it is "${text}".`)
}

function toRate(text: string): Rate {
  const perSecond = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (perSecond > 0) return { perSecond, burst: Math.max(1, Math.ceil(2 * perSecond)) }
  throw new Error(`--rate must be a number of requests a second above 0, it is "${text}".`)
}

function metricsPortOf(port: number): string {
  return String(port === 0 || port > 64_535 ? 0 : port + 1_000)
}

function toOrigin(text: string): string {
  const url = isUrl(text, /^https?:$/) ? new URL(text) : undefined
  if (url !== undefined && [url.origin, `${url.origin}/`].includes(text)) return url.origin
  throw new Error(`--public-url must be an http or https URL without a path, it is "${text}".`)
}

function isUrl(text: string, protocol: RegExp): boolean {
  return URL.canParse(text) && protocol.test(new URL(text).protocol)
}
