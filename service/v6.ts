import type { Hono } from 'hono'
import type { AccessList } from 'viem'
import type { z } from 'zod'
import { describeRoute } from './api/describeRoute.ts'
import { logo } from './api/logo.ts'
import { toLimits } from './api/routeQuery.ts'
import { formatApproval, formatPaths, formatProof, formatToken, formatTransaction } from './api/serialize.ts'
import type { V6Mount } from './api/v6Mounts.ts'
import { createVersionRouter } from './api/versionRouter.ts'
import type { TokenInfo } from './config.ts'
import { ServiceError } from './errors.ts'
import type { Env } from './http/context.ts'
import type { Scheduler } from './http/scheduler/requestScheduler.ts'
import { forClient, type Service } from './service.ts'
import { allowance } from './swap/approvals.ts'
import { estimateGas, type Plan, quote } from './swap/quote.ts'
import type { MinReturnRule, SwapRequest, TradeRequest } from './swap/request.ts'
import { swap } from './swap/swap.ts'

/** Creates the router of API version 6.1 in the words of `mount`. */
export function v6(mount: V6Mount, service: Service, work: Scheduler, publicUrl?: string): Hono<Env> {
  const { operations, version, isNested, isPublic } = mount
  const { config, node, tokens } = service
  const { app, on, onceABlock, onceAtATime } = createVersionRouter(service, work, version.label, publicUrl)

  const formatInfo = (token: TokenInfo, base: string) => {
    return { ...(isPublic ? plainToken : {}), ...formatToken(token, base) }
  }

  /** Before the search, so that unknown tokens fail first. */
  async function readInfos({ includeTokensInfo, src, dst }: QuoteQuery, base: string) {
    if (!includeTokensInfo) return {}
    const [srcToken, dstToken] = await tokens.infos(src, dst)
    return { srcToken: formatInfo(srcToken, base), dstToken: formatInfo(dstToken, base) }
  }

  const formatRoute = ({ includeProtocols }: QuoteQuery, { route }: Plan) => {
    return includeProtocols ? { protocols: isNested ? formatPaths(route) : describeRoute(route) } : {}
  }

  onceABlock(operations.quote, async (query, context, base) => {
    const request = toTrade(query)
    const infos = await readInfos(query, base)
    const found = await quote(forClient(service, context.get('asker')), request)
    const body = {
      dstAmount: String(found.route.returns),
      ...infos,
      ...formatRoute(query, found),
      ...(query.includeGas ? { gas: Number(estimateGas(request, found.route)) } : {}),
    }
    return { body, headers: formatProof(found), isPassing: found.route.isCutShort }
  })

  onceAtATime(operations.swap, async (query, context, base) => {
    const request = toSwap(query)
    const infos = await readInfos(query, base)
    const built = await swap(forClient(service, context.get('asker')), request)
    return {
      dstAmount: String(built.returns),
      ...infos,
      ...formatRoute(query, built.plan),
      ...(query.includeGas ? { gas: Number(built.expectedGas) } : {}),
      tx: {
        ...formatTransaction(built),
        ...(built.gasUsed === undefined ? {} : { gasUsed: Number(built.gasUsed) }),
        ...(built.accessList === undefined ? {} : { accessList: formatAccess(built.accessList) }),
      },
    }
  })

  on(operations.spender, () => ({ address: config.router }))

  on(operations.approval, ({ tokenAddress, amount }) => formatApproval(service, tokenAddress, amount))

  on(operations.allowance, async ({ tokenAddress, walletAddress }) => {
    await tokens.requireKnown(tokenAddress)
    return { allowance: String(await allowance(node, tokenAddress, walletAddress, config.router)) }
  })

  on(operations.sources, () => {
    const protocols = service.engine().sources.map(({ id, title }) => {
      return { id, title, img: logo(id, 'gray'), img_color: logo(id, 'color') }
    })
    return { protocols }
  })

  on(operations.tokens, (_query, _context, base) => {
    const listed = [...tokens.listed].map(([address, token]) => [address, formatInfo(token, base)] as const)
    return { tokens: Object.fromEntries(listed) }
  })

  return app
}

/** Public servers answer these for each token, and some clients require them. */
const plainToken = { eip2612: false, isFoT: false }

type QuoteQuery = z.output<V6Mount['operations']['quote']['query']>
type SwapQuery = z.output<V6Mount['operations']['swap']['query']>

function toTrade(query: QuoteQuery): TradeRequest {
  const { src: sell, dst: buy, amount, connectorTokens: connectors, excludedProtocols } = query
  return {
    ...toLimits(query),
    sell,
    buy,
    amount,
    ...(connectors === undefined ? {} : { connectors }),
    ...(excludedProtocols === undefined ? {} : { excludedSources: excludedProtocols }),
  }
}

function toSwap(query: SwapQuery): SwapRequest {
  const { from, origin = from, receiver = from, referrer, permit } = query
  const { allowPartialFill, compatibility, disableEstimate } = query
  const { usePermit2, forceApprove, createAccessList } = query
  const floor = toMinReturnRule(query)
  requirePermitLength(query)
  return {
    ...toTrade(query),
    from,
    origin,
    receiver,
    minReturnRule: floor,
    allowPartialFill,
    compatibility,
    disableEstimate,
    usePermit2,
    forceApprove,
    createAccessList,
    ...(referrer === undefined ? {} : { referrer }),
    ...(permit === undefined ? {} : { permit }),
  }
}

function toMinReturnRule({ slippage, minReturn }: SwapQuery): MinReturnRule {
  if (slippage !== undefined && minReturn === undefined) return { slippage }
  if (minReturn !== undefined && slippage === undefined) return { minReturn }
  throw new ServiceError('VALIDATION_FAILED', 'exactly one of slippage and minReturn must be set')
}

/** 12 words are Permit2's, fewer the token's. */
function requirePermitLength({ permit, usePermit2 }: SwapQuery): void {
  if (permit === undefined) return
  const words = (permit.length - 2) / 64
  if (usePermit2 === (words === 12)) return
  const text = usePermit2 ? 'must have 12 words with usePermit2=true' : 'of 12 words needs usePermit2=true'
  throw new ServiceError('VALIDATION_FAILED', `permit ${text}`)
}

function formatAccess(list: AccessList) {
  return list.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
}
