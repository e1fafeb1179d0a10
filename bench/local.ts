import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Localnet } from '../dev/localnet.ts'
import { tokens } from '../dev/pools/tokens.ts'
import { createPoolSource } from '../service/poolSource.ts'
import { type RunningService, startService } from '../service/server.ts'
import type { Load } from './client.ts'
import { compareWithBound } from './routing/bound.ts'
import { type Priced, sizes, toAmount, toRouteLimits } from './routing/trades.ts'
import { type Times, time } from './stats.ts'

export type LocalFigures = Awaited<ReturnType<typeof benchLocal>>

const connections = 16

export async function benchLocal(localnet: Localnet) {
  const traded = tokens
    .filter(({ isFoT }) => isFoT !== true)
    .map(({ symbol, decimals, cents }): Priced => {
      return { address: localnet.tokens[symbol], decimals, usd: Number(cents) / 100 }
    })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const begin = async () => {
    const feed = (
      await createPoolSource({ config: localnet.config, rpcUrl: localnet.rpcUrl, dataFolder: folder })
    ).feed
    return startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, feed })
  }
  const firstQuoteMs = { fromNode: 0, fromSaved: 0 }
  let service: RunningService | undefined
  for (const start of ['fromNode', 'fromSaved'] as const) {
    await service?.stop()
    const started = performance.now()
    service = await begin()
    await ask(quoteUrl(service, localnet, traded[0]!, traded[1]!, toAmount(traded[0]!, 1_000)))
    firstQuoteMs[start] = performance.now() - started
  }
  if (service === undefined) throw new Error('The service was not started.')
  const running = service

  const pairs = traded.flatMap((sell) =>
    traded.flatMap((buy) => (sell === buy ? [] : [[sell, buy] as const])),
  )
  const toBound: ({ usd: number } & Awaited<ReturnType<typeof compareWithBound>>)[] = []
  for (const usd of sizes) {
    const requests = pairs.map(([sell, buy]) => {
      const limits = toRouteLimits(localnet.config, 0n)
      return { sell: sell.address, buy: buy.address, amount: toAmount(sell, usd), limits }
    })
    toBound.push({ usd, ...(await compareWithBound(running.engine, requests)) })
  }

  /** Distinct amounts prevent cache hits. */
  const unique = (count: number, first: number) =>
    Array.from({ length: count }, (_, i) => {
      const [sell, buy] = pairs[i % pairs.length]!
      const usd = sizes[Math.floor(i / pairs.length) % 3]!
      return quoteUrl(running, localnet, sell, buy, toAmount(sell, usd) + BigInt(first + i))
    })
  const repeated = (count: number) =>
    Array.from({ length: count }, () =>
      quoteUrl(running, localnet, traded[0]!, traded[1]!, toAmount(traded[0]!, 10_000)),
    )
  await load(unique(500, 1), connections)
  await load(repeated(1_000), connections)
  const used = process.cpuUsage()
  const uniqueQuotes = await load(unique(2_000, 1_001), connections)
  const { user, system } = process.cpuUsage(used)
  const figures = {
    firstQuoteMs,
    toBound,
    connections,
    uniqueQuotes: { ...uniqueQuotes, perCoreSecond: (2_000 * 1e6) / (user + system) },
    uniqueAlone: await load(unique(500, 5_001), 1),
    repeatedQuotes: await load(repeated(20_000), connections),
    swaps: await benchSwaps(),
  }
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
  return figures

  async function benchSwaps() {
    const owner = localnet.accounts[0]!.address
    const terms = `from=${owner}&origin=${owner}&slippage=1&forceApprove=true`
    return time(200, async (i) => {
      const [sell, buy] = pairs[i % pairs.length]!
      const amount = toAmount(sell, 100) + BigInt(i)
      const url = quoteUrl(running, localnet, sell, buy, amount).replace('/quote?', '/swap?')
      await ask(`${url}&${terms}`)
    })
  }
}

function quoteUrl(
  { url }: RunningService,
  { chainId }: Localnet,
  sell: Priced,
  buy: Priced,
  amount: bigint,
): string {
  return `${url}/v6.1/${chainId}/quote?src=${sell.address}&dst=${buy.address}&amount=${amount}`
}

async function ask(url: string): Promise<void> {
  const answer = await fetch(url)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`GET ${url} was answered with ${answer.status}: ${text}`)
}

type Loaded = { times: Times; perSecond: number; refused: number }

/**
 * Requests every URL once from another process and returns the latencies there. Throws unless all answer 200.
 */
async function load(urls: string[], connections: number): Promise<Loaded> {
  const client = fork(join(import.meta.dirname, 'client.ts'))
  const told: Promise<[Loaded]> = once(client, 'message') as Promise<[Loaded]>
  const ended = once(client, 'exit')
  client.send({ urls, connections } satisfies Load)
  const first = await Promise.race([told, ended.then(() => undefined)])
  if (first === undefined) throw new Error('The bench client ended before it had asked everything.')
  await ended
  const [loaded] = first
  if (loaded.refused > 0)
    throw new Error(`${loaded.refused} of ${urls.length} requests were not answered with 200.`)
  return loaded
}
