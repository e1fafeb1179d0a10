import type { Localnet } from '../dev/localnet.ts'
import { createEngine } from '../service/engine.ts'
import { createNodeFeed } from '../service/indexer/nodeFeed.ts'
import type { RouteRequest } from '../service/routing/route.ts'
import { startService } from '../service/server.ts'
import { type Times, time } from './stats.ts'

export type ServiceTimes = {
  quoteInProcess: Times
  quoteOverHttp: Times
  swapOverHttp: Times
  sameQuoteOverHttp: Times
}

export async function benchService(localnet: Localnet): Promise<ServiceTimes> {
  const asks = requests(localnet)
  const engine = await createEngine(localnet.config, createNodeFeed(localnet.config, localnet.rpcUrl))
  const quoteInProcess = await time(1_000, (index) => engine.route(pick(asks, index)))
  engine.stop()

  const service = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: 0 })
  const root = `${service.url}/v6.1/${localnet.chainId}`
  const owner = localnet.accounts[0]?.address ?? ''
  const get = async (path: string) => {
    const answer = await fetch(`${root}/${path}`)
    await answer.text()
  }
  const query = ({ sell, buy, amount }: RouteRequest) => `src=${sell}&dst=${buy}&amount=${amount}`
  const quoteOverHttp = await time(1_000, (index) => get(`quote?${query(pick(asks, index))}`))
  const sameQuoteOverHttp = await time(1_000, () => get(`quote?${query(pick(asks, 0))}`))
  const swapOverHttp = await time(300, (index) =>
    get(
      `swap?${query(pick(asks, index))}&from=${owner}&origin=${owner}&slippage=1&forceApprove=true&compatibility=true`,
    ),
  )
  await service.stop()
  return { quoteInProcess, quoteOverHttp, sameQuoteOverHttp, swapOverHttp }
}

function requests(localnet: Localnet): RouteRequest[] {
  const sources = new Set([...localnet.config.factories.map(({ source }) => source), 'WETH'])
  const tokens = localnet.config.tokens.filter((token) => token.isFoT !== true)
  return tokens.flatMap((sell) =>
    tokens
      .filter((buy) => buy !== sell)
      .flatMap((buy) =>
        [1n, 10n, 100n, 1_000n].map((units) => ({
          sell: sell.address,
          buy: buy.address,
          amount: (units * 10n ** BigInt(sell.decimals)) / 10n,
          limits: {
            complexityLevel: 2,
            parts: 50,
            mainRouteParts: 10,
            connectorCount: Number.POSITIVE_INFINITY,
            sources,
            gasPrice: 1_000_000_000n,
            gasLimit: 11_500_000n,
            apart: false,
          },
        })),
      ),
  )
}

function pick<Item>(items: Item[], index: number): Item {
  const item = items[(index * 7_919) % items.length]
  if (item === undefined) throw new Error('The localnet lists no tokens to quote.')
  return item
}
