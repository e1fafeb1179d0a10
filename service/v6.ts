import { Hono } from 'hono'
import { z } from 'zod'
import { allowance, approval } from './approvals.ts'
import { ServiceError } from './errors.ts'
import { logo } from './logo.ts'
import * as parameter from './parameters.ts'
import { type Plan, quote } from './quote.ts'
import { createRepeats } from './repeats.ts'
import type { Floor, SwapRequest, TradeRequest } from './request.ts'
import { describeRoute } from './routing/describe.ts'
import type { Service } from './service.ts'
import { swap } from './swap.ts'
import { native } from './tokens.ts'

/** Version 6.1 of the interface (service-interface, Endpoints): its words and shapes, and nothing else. */
export function v6(service: Service): Hono {
  const { config, node, tokens } = service
  const app = new Hono()

  app.use(async (_context, next) => {
    service.engine()
    await next()
  })

  const repeats = createRepeats<object>()

  // A quote is a function of the block, and many ask the same.
  app.get('/quote', async (context) => {
    const { url } = context.req
    const answer = await repeats(
      url.slice(url.indexOf('?')),
      service.engine().block()?.hash ?? '',
      async () => {
        const query = parameter.parse(quoteShape, url)
        const found = await quote(service, toTrade(query))
        return {
          dstAmount: String(found.route.returns),
          ...(await details(service, query, found)),
          ...(query.includeGas ? { gas: Number(found.route.gas) } : {}),
        }
      },
    )
    return context.json(answer)
  })

  app.get('/swap', async (context) => {
    const query = parameter.parse(swapShape, context.req.url)
    const built = await swap(service, toSwap(query))
    const { from, to, data, value } = built.transaction
    return context.json({
      dstAmount: String(built.returns),
      ...(await details(service, query, built.plan)),
      tx: {
        from,
        to,
        data,
        value: String(value),
        gasPrice: String(built.plan.gasPrice),
        gas: Number(built.gas),
        ...(built.gasUsed === undefined ? {} : { gasUsed: Number(built.gasUsed) }),
        ...(built.accessList === undefined ? {} : { accessList: built.accessList }),
      },
    })
  })

  app.get('/approve/spender', (context) => context.json({ address: config.router }))

  app.get('/approve/transaction', async (context) => {
    const { tokenAddress, amount } = parameter.parse(approvalShape, context.req.url)
    await tokens.requireKnown(tokenAddress)
    if (tokenAddress === native)
      throw new ServiceError('VALIDATION_FAILED', 'the native coin needs no approval')
    const gasPrice = String(service.engine().gasPrice())
    return context.json({ ...approval(tokenAddress, config.router, amount), gasPrice, value: '0' })
  })

  app.get('/approve/allowance', async (context) => {
    const { tokenAddress, walletAddress } = parameter.parse(allowanceShape, context.req.url)
    await tokens.requireKnown(tokenAddress)
    return context.json({
      allowance: String(await allowance(node, tokenAddress, walletAddress, config.router)),
    })
  })

  app.get('/liquidity-sources', (context) => {
    const protocols = service.engine().sources.map(({ id, title }) => {
      return { id, title, img: logo(id, 'gray'), img_color: logo(id, 'color') }
    })
    return context.json({ protocols })
  })

  app.get('/tokens', (context) => context.json({ tokens: Object.fromEntries(tokens.listed) }))

  return app
}

const quoteShape = z.object({
  src: parameter.address,
  dst: parameter.address,
  amount: parameter.positiveAmount,
  protocols: parameter.sourceIds.exactOptional(),
  fee: parameter.feePpm.exactOptional(),
  gasPrice: parameter.amount.exactOptional(),
  complexityLevel: parameter.complexityLevel.exactOptional(),
  parts: parameter.parts.exactOptional(),
  mainRouteParts: parameter.mainRouteParts.exactOptional(),
  gasLimit: parameter.gasLimit.exactOptional(),
  includeTokensInfo: parameter.flag.exactOptional(),
  includeProtocols: parameter.flag.exactOptional(),
  includeGas: parameter.flag.exactOptional(),
  connectorTokens: parameter.connectors.exactOptional(),
  excludedProtocols: parameter.sourceIds.exactOptional(),
})

const swapShape = quoteShape.extend({
  from: parameter.address,
  origin: parameter.address,
  slippage: parameter.slippage.exactOptional(),
  minReturn: parameter.amount.exactOptional(),
  permit: parameter.permit.exactOptional(),
  receiver: parameter.recipient.exactOptional(),
  referrer: parameter.address.exactOptional(),
  allowPartialFill: parameter.falseOnly.exactOptional(),
  compatibility: parameter.flag.exactOptional(),
  disableEstimate: parameter.flag.exactOptional(),
  // Calldata holds shares, not amounts: a caller that patches `amount` needs nothing else.
  usePatching: parameter.flag.exactOptional(),
  usePermit2: parameter.falseOnly.exactOptional(),
  forceApprove: parameter.flag.exactOptional(),
  createAccessList: parameter.flag.exactOptional(),
})

const approvalShape = z.object({ tokenAddress: parameter.address, amount: parameter.amount.exactOptional() })
const allowanceShape = z.object({ tokenAddress: parameter.address, walletAddress: parameter.address })

type QuoteQuery = z.output<typeof quoteShape>
type SwapQuery = z.output<typeof swapShape>

function toTrade(query: QuoteQuery): TradeRequest {
  const { src: sell, dst: buy, amount, gasPrice, protocols, excludedProtocols } = query
  return {
    sell,
    buy,
    amount,
    feePpm: query.fee ?? 0,
    complexityLevel: query.complexityLevel ?? 2,
    parts: query.parts ?? 50,
    mainRouteParts: query.mainRouteParts ?? 10,
    gasLimit: query.gasLimit ?? 11_500_000n,
    connectors: query.connectorTokens ?? { count: 5 },
    ...(gasPrice === undefined ? {} : { gasPrice }),
    ...(protocols === undefined ? {} : { sources: protocols }),
    ...(excludedProtocols === undefined ? {} : { excludedSources: excludedProtocols }),
  }
}

function toSwap(query: SwapQuery): SwapRequest {
  const { from, receiver = from, referrer, permit } = query
  return {
    ...toTrade(query),
    from,
    receiver,
    floor: toFloor(query),
    compatibility: query.compatibility ?? false,
    disableEstimate: query.disableEstimate ?? false,
    forceApprove: query.forceApprove ?? false,
    createAccessList: query.createAccessList ?? false,
    ...(referrer === undefined ? {} : { referrer }),
    ...(permit === undefined ? {} : { permit }),
  }
}

function toFloor({ slippage, minReturn }: SwapQuery): Floor {
  if (slippage !== undefined && minReturn === undefined) return { slippage }
  if (minReturn !== undefined && slippage === undefined) return { minReturn }
  throw new ServiceError('VALIDATION_FAILED', 'exactly one of slippage and minReturn must be set')
}

async function details({ tokens }: Service, query: QuoteQuery, { route }: Plan) {
  return {
    ...(query.includeTokensInfo
      ? { srcToken: await tokens.info(query.src), dstToken: await tokens.info(query.dst) }
      : {}),
    ...(query.includeProtocols ? { protocols: describeRoute(route) } : {}),
  }
}
