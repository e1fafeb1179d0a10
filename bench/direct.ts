import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLocalnet } from '../dev/localnet.ts'
import { tokens } from '../dev/pools/tokens.ts'
import { startService } from '../service/server.ts'
import type { SwapApi } from '../src/api/client.ts'
import { createHttp } from '../src/api/http.ts'
import { v6 } from '../src/api/v6.ts'
import { createDirectApi } from '../src/background/networks/directApi.ts'
import type { Network } from '../src/domain/network/network.ts'
import { getDirectContracts } from '../src/domain/network/swapSource.ts'
import type { Trade } from '../src/domain/swap/quote.ts'
import { toWalletError } from '../src/errors.ts'
import { createChain } from '../src/evm/client.ts'
import { thisMachine } from './machine.ts'
import { toAmount } from './routing/trades.ts'
import { summarise, type Times } from './stats.ts'

// `npm run bench:direct`: direct swaps and the service on the localnet, written to bench/results/direct.md.

const sizes = [100, 1_000, 10_000, 100_000, 1_000_000] as const
const roundTripMs = 60

const machine = thisMachine()
const localnet = await createLocalnet()
const service = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl })
const { chainId, contracts, rpcUrl } = localnet
const { v2Factory, v3Factory, quoter, swapRouter } = contracts
const network: Network = {
  chainId,
  name: 'Local',
  coin: { symbol: 'ETH', name: 'Ether' },
  serviceUrl: '',
  rpcUrl,
  wrapped: localnet.tokens.WETH,
  stable: localnet.tokens.USDC,
  market: { v2Factory, v3Factory, quoter, swapRouter },
  confirmations: 1,
  quoteEveryMs: 6_000,
}
const { WETH, USDC, USDT, DAI } = localnet.tokens

let requests = 0
const byService = v6(createHttp({ baseUrl: service.url }), chainId)
const direct = createDirect(fetch)
const far = createDirect(async (url, init) => {
  requests += 1
  await new Promise((done) => setTimeout(done, roundTripMs))
  return fetch(url, init)
})

const pairs = tokens
  .filter(({ isFoT }) => isFoT !== true)
  .map(({ symbol, decimals, cents }) => ({
    address: localnet.tokens[symbol],
    decimals,
    usd: Number(cents) / 100,
  }))
  .flatMap((sell, _, all) => all.filter((buy) => buy !== sell).map((buy) => ({ sell, buy })))

const rows: string[] = []
for (const usd of sizes) {
  const losses: number[] = []
  let without = 0
  for (const { sell, buy } of pairs) {
    const trade = { chainId, sell: sell.address, buy: buy.address, amount: toAmount(sell, usd) }
    const [own, best] = await Promise.all([returnOf(direct, trade), returnOf(byService, trade)])
    if (own === undefined || best === undefined) without += 1
    else losses.push(Number(((best - own) * 1_000_000n) / best) / 100)
  }
  losses.sort((one, other) => one - other)
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length
  const cells = [at(losses, 0), at(losses, 0.5), mean, at(losses, 0.9), at(losses, 1)].map((bps) =>
    bps.toFixed(2),
  )
  rows.push(`| $${usd.toLocaleString('en')} | ${cells.join(' | ')} | ${losses.length} (${without}) |`)
}

const near = await timed(direct)
requests = 0
const remote = await timed(far)
const perQuote = requests / remote.runs

await service.stop()
await localnet.stop()

const { date, cores, cpu, memoryGiB, node, load } = machine
const page = [
  `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, load ${load.toFixed(1)}, by \`npm run bench:direct\`.`,
  '',
  '## How much less direct swaps return than the service, in bps',
  '',
  'On the localnet, where the service also trades SushiSwap and Balancer pools. All pairs of listed tokens.',
  '',
  '| trade | best | median | mean | p90 | worst | pairs (without a route) |',
  '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ...rows,
  '',
  '## Time of a quote, in ms',
  '',
  '| RPC | p50 | p95 | p99 |',
  '| --- | ---: | ---: | ---: |',
  `| on this machine | ${near.p50.toFixed(0)} | ${near.p95.toFixed(0)} | ${near.p99.toFixed(0)} |`,
  `| ${roundTripMs} ms per round trip | ${remote.p50.toFixed(0)} | ${remote.p95.toFixed(0)} | ${remote.p99.toFixed(0)} |`,
  '',
  `One request per quote (${perQuote.toFixed(2)} here: gas prices are read every 15 seconds, at the same time).`,
  '',
].join('\n')
const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'direct.md'), page)
console.log(page)

/** Connectors as on public chains, which have several stablecoins. */
function createDirect(request: typeof fetch): SwapApi {
  const own = getDirectContracts(network)
  if (own === undefined) throw new Error('The localnet names no contracts of direct swaps.')
  const chain = createChain(network, { fetch: request })
  return createDirectApi({ tokens: async () => [] })(
    network,
    { ...own, connectors: [WETH, USDC, USDT, DAI] },
    chain,
  )
}

/** Undefined without a route. */
async function returnOf(api: SwapApi, trade: Trade): Promise<bigint | undefined> {
  try {
    return (await api.quote(trade)).returns
  } catch (error) {
    if (toWalletError(error).code === 'no-route') return undefined
    throw error
  }
}

/** Distinct amounts. */
async function timed(api: SwapApi): Promise<Times> {
  const took: number[] = []
  for (let run = 0; run < 5 * pairs.length; run++) {
    const { sell, buy } = pairs[run % pairs.length]!
    const amount = toAmount(sell, sizes[run % sizes.length]!) + BigInt(run)
    const started = performance.now()
    await returnOf(api, { chainId, sell: sell.address, buy: buy.address, amount })
    if (run >= pairs.length) took.push(performance.now() - started)
  }
  return summarise(took)
}

function at(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
