import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLocalnet } from '../dev/localnet.ts'
import { tokens } from '../dev/pools/tokens.ts'
import { startRedis } from '../dev/redis.ts'
import type { Load } from './client.ts'
import { type Host, startHost } from './hosts/host.ts'
import { type Loss, measureLoss } from './hosts/loss.ts'
import { formatHosts, type HostsRow } from './hosts/page.ts'
import { benchSnapshots } from './hosts/snapshots.ts'
import { thisMachine } from './machine.ts'
import { toAmount } from './routing/trades.ts'
import { startCounter } from './rpc/counter.ts'
import { createTraffic } from './rpc/market.ts'

// `npm run bench:hosts`: services that share a Redis, written to bench/results/hosts.md.

const quotes = 2_000
/** Per host. */
const warmUp = 800
const connections = 12
const blockSeconds = 1
const losses = 3

const machine = thisMachine()
const folder = mkdtempSync(join(tmpdir(), 'sluice-hosts-'))
const configFile = join(folder, 'config.json')
const redis = await startRedis()
const localnet = await createLocalnet()
const counter = await startCounter(localnet.rpcUrl)
writeFileSync(configFile, JSON.stringify({ ...localnet.config, blockSeconds }))
const traffic = await createTraffic(localnet)
const mining = setInterval(() => traffic['a v2 swap']().catch(() => undefined), blockSeconds * 1_000)
let hosts: Host[] = []

try {
  const snapshots = [await benchSnapshots(10_000), await benchSnapshots(100_000)]
  const rows: HostsRow[] = []
  for (const count of [1, 2, 3]) {
    await startHosts(count)
    await load(count * warmUp, 0)
    rows.push(await measure())
  }
  const found = { SIGKILL: [] as Loss[], SIGTERM: [] as Loss[] }
  for (let i = 0; i < 2 * losses; i++) {
    const signal = i % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
    await startHosts(3)
    const loss = await measureLoss(hosts, (index) => quotePath(1_000_000 + i * 10_000 + index), signal)
    found[signal].push(loss)
    hosts = hosts.filter((host) => host !== loss.lost)
  }
  const page = formatHosts({ machine, connections, blockSeconds, rows, snapshots, losses: found })
  const results = resolve(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'hosts.md'), page)
  console.log(page)
} finally {
  clearInterval(mining)
  await Promise.all(hosts.map((host) => host.end('SIGKILL')))
  counter.stop()
  await localnet.stop()
  await redis.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startHosts(count: number): Promise<void> {
  while (hosts.length < count) {
    const place = ['--chain', String(localnet.chainId), '--rpc', counter.url, '--redis', redis.url]
    const data = ['--config', configFile, '--data', mkdtempSync(join(folder, 'data-'))]
    hosts.push(await startHost([...place, ...data, '--metrics-port', '0', '--log', 'info']))
  }
}

/** Distinct amounts prevent cache hits. */
function quotePath(index: number): string {
  const traded = tokens.filter(({ isFoT }) => isFoT !== true)
  const sell = traded[index % traded.length]!
  const buy = traded[(index + 1 + (Math.floor(index / traded.length) % (traded.length - 1))) % traded.length]!
  const usd = Number(sell.cents) / 100
  const amount = toAmount({ address: localnet.tokens[sell.symbol], decimals: sell.decimals, usd }, 1_000)
  const pair = `src=${localnet.tokens[sell.symbol]}&dst=${localnet.tokens[buy.symbol]}`
  return `/v6.1/${localnet.chainId}/quote?${pair}&amount=${amount + BigInt(index)}`
}

async function measure(): Promise<HostsRow> {
  const before = await Promise.all(hosts.map((host) => host.cpu()))
  counter.take()
  const started = performance.now()
  const loaded = await load(quotes, 10_000 * hosts.length)
  const seconds = (performance.now() - started) / 1_000
  const after = await Promise.all(hosts.map((host) => host.cpu()))
  const perHost = quotes / hosts.length
  const cpuMs = after.map((cpu, i) => (1_000 * (cpu - (before[i] ?? 0))) / perHost)
  const rpcRequests = Object.values(counter.take().requests).reduce((sum, count) => sum + count, 0)
  return { hosts: hosts.length, ...loaded, cpuMs, rpcPerSecond: rpcRequests / seconds }
}

/** Requests from a process of its own, in turn from all hosts. */
async function load(
  count: number,
  first: number,
): Promise<Omit<HostsRow, 'hosts' | 'cpuMs' | 'rpcPerSecond'>> {
  const client = fork(join(import.meta.dirname, 'client.ts'))
  const told = once(client, 'message')
  const ended = once(client, 'exit').then(() => {
    throw new Error('The bench client ended before it had asked everything.')
  })
  const urls = Array.from({ length: count }, (_, i) => hosts[i % hosts.length]!.url + quotePath(first + i))
  client.send({ urls, connections } satisfies Load)
  const [loaded] = await Promise.race([told, ended])
  ended.catch(() => undefined)
  if (loaded.refused > 0)
    throw new Error(`${loaded.refused} of ${count} requests were not answered with 200.`)
  return loaded
}
