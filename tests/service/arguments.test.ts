import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asksForHelp, help, parseArguments, usage } from '../../service/arguments.ts'

const needed = ['--chain', '31337', '--rpc', 'http://127.0.0.1:8545']

it('returns defaults for omitted options', () => {
  expect(parseArguments(needed)).toEqual({
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    minPollMs: 250,
    port: 8787,
    host: '127.0.0.1',
    configFile: 'service/chains/31337.json',
    dataFolder: '.pools',
    workers: 1,
    maxPerClient: 32,
    proxies: 0,
    metricsPort: 9787,
    hasPublicMetrics: false,
    hasCors: false,
    logLevel: 'info',
  })
})

it('returns the given options', () => {
  const place = ['--port', '0', '--host', '::', '--config', 'mine.json', '--keys', 'keys.txt']
  const share = ['--workers', '4', '--redis', 'rediss://:secret@cache:6380/1', '--data', '/var/lib/sluice']
  const rest = [
    '--tokens',
    'https://lists/tokens.json',
    '--trust-proxy',
    '2',
    '--log',
    'error',
    '--rate',
    '2.5',
  ]
  const bounds = [
    '--max-connections',
    '200',
    '--max-per-client',
    '8',
    '--metrics-port',
    '9000',
    '--public-metrics',
    '--cors',
  ]
  const origin = ['--public-url', 'https://swap.example/']
  const chain = ['--rpc-ws', 'wss://rpc/key', '--poll-ms', '1000']
  expect(
    parseArguments([...needed, ...chain, ...place, ...share, ...rest, ...bounds, ...origin]),
  ).toMatchObject({
    rpcWsUrl: 'wss://rpc/key',
    minPollMs: 1_000,
    port: 0,
    host: '::',
    configFile: 'mine.json',
    keysFile: 'keys.txt',
    workers: 4,
    redisUrl: 'rediss://:secret@cache:6380/1',
    dataFolder: '/var/lib/sluice',
    tokenList: 'https://lists/tokens.json',
    proxies: 2,
    maxConnections: 200,
    maxPerClient: 8,
    metricsPort: 9000,
    hasPublicMetrics: true,
    hasCors: true,
    publicUrl: 'https://swap.example',
    logLevel: 'error',
    rate: { perSecond: 2.5, burst: 5 },
  })
})

it('describes in its help the options of README.md, in lines of at most 100 columns', () => {
  const readme = readFileSync('service/README.md', 'utf8')
  const options = [...readme.matchAll(/^\| `(--[a-z-]+)` \|/gm)].map(([, option]) => option)
  expect(options.length).toBeGreaterThan(15)
  const named = [...help.matchAll(/^ {2}(--[a-z-]+) .* {2}\S/gm)].map(([, option]) => option)
  expect(named.toSorted()).toEqual(options.toSorted())
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  expect([['--help'], ['-h', '--chain', '1'], needed].map(asksForHelp)).toEqual([true, true, false])
})

it('allows a burst of one at a rate below one request per second', () => {
  expect(parseArguments([...needed, '--rate', '0.1']).rate).toEqual({ perSecond: 0.1, burst: 1 })
})

it.each([
  ['0', 0],
  ['8788', 9788],
  ['65000', 0],
])('defaults the metrics port of a service on port %s to %i', (port, metricsPort) => {
  expect(parseArguments([...needed, '--port', port]).metricsPort).toBe(metricsPort)
})

describe('environment variables', () => {
  const environment = {
    SLUICE_RPC_URL: 'http://node/key',
    SLUICE_RPC_WS_URL: 'ws://node/key',
    SLUICE_REDIS_URL: 'redis://cache',
  }

  it('sets the URLs of RPC and Redis from the environment', () => {
    expect(parseArguments(['--chain', '1'], environment)).toMatchObject({
      rpcUrl: 'http://node/key',
      rpcWsUrl: 'ws://node/key',
      redisUrl: 'redis://cache',
    })
  })

  it('prefers options to the environment', () => {
    const args = [...needed, '--redis', 'redis://mine']
    expect(parseArguments(args, environment)).toMatchObject({
      rpcUrl: 'http://127.0.0.1:8545',
      redisUrl: 'redis://mine',
    })
  })
})

it.each([
  [[], `--chain is missing. Usage: ${usage}`],
  [['--chain', '1'], `--rpc (or SLUICE_RPC_URL) is missing. Usage: ${usage}`],
  [['--chain', 'main', '--rpc', 'http://x'], '--chain must be a chain\'s number, it is "main".'],
  [['--chain', '../1', '--rpc', 'http://x'], '--chain must be a chain\'s number, it is "../1".'],
  [['--chain', '1', '--rpc', 'ws://x?key=secret'], '--rpc must be the http or https URL of an EVM node.'],
  [[...needed, '--rpc-ws', 'http://x?key=secret'], '--rpc-ws must be the ws or wss URL of an EVM node.'],
  [[...needed, '--poll-ms', '10'], '--poll-ms must be from 50 to 60000, it is "10".'],
  [[...needed, '--redis', 'http://:secret@x'], '--redis must be the redis or rediss URL of a Redis.'],
  [[...needed, '--port', '65536'], '--port must be from 0 to 65535, it is "65536".'],
  [[...needed, '--port', '-1'], `Option '--port' argument is ambiguous. Usage: ${usage}`],
  [[...needed, '--host', ''], '--host must not be empty.'],
  [[...needed, '--data', ''], '--data must not be empty.'],
  [[...needed, '--workers', '0'], '--workers must be from 1 to 128, it is "0".'],
  [[...needed, '--workers', 'two'], '--workers must be from 1 to 128, it is "two".'],
  [[...needed, '--trust-proxy', 'yes'], '--trust-proxy must be from 0 to 9, it is "yes".'],
  [[...needed, '--rate', '0'], '--rate must be a number of requests a second above 0, it is "0".'],
  [[...needed, '--rate', '5/s'], '--rate must be a number of requests a second above 0, it is "5/s".'],
  [[...needed, '--log', 'loud'], '--log must be one of silent, error, warn, info, debug, it is "loud".'],
  [[...needed, '--metrics-port', 'x'], '--metrics-port must be from 0 to 65535, it is "x".'],
  [[...needed, '--max-connections', '1'], '--max-connections must be from 16 to 65536, it is "1".'],
  [
    [...needed, '--public-url', 'https://swap.example/path'],
    '--public-url must be an http or https URL without a path, it is "https://swap.example/path".',
  ],
  [[...needed, '--verbose'], `Unknown option '--verbose'. Usage: ${usage}`],
  [[...needed, 'more'], `Unexpected argument 'more'. Usage: ${usage}`],
])('rejects %j with an explanation', (args, sentence) => {
  expect(() => parseArguments(args)).toThrow(new Error(sentence))
})
