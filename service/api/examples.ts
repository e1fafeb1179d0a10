import type { z } from 'zod'
import type { Address, ChainConfig, TokenInfo } from '../config.ts'
import { wrappedSource } from '../pools/wrappedNative.ts'
import { approval } from '../swap/approvals.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { logo } from './logo.ts'
import type { Operation, Version } from './operation.ts'
import * as priceList from './priceOperations.ts'
import { formatToken } from './serialize.ts'
import * as legacy from './v3Operations.ts'
import { v6Mounts } from './v6Mounts.ts'

export type Example = {
  query: Record<string, string | number | boolean>
  segments?: Record<string, string>
  answer: unknown
}

/** Returns an example per operation id. */
export function createExamples(
  config: ChainConfig,
  publicUrl = 'http://127.0.0.1:8787',
): Map<string, Example> {
  const listed = config.tokens.find(({ address }) => address !== config.wrapped)
  const buy = listed?.address ?? config.wrapped
  const { router, wrapped } = config
  const payer: Address = `0x${'11'.repeat(20)}`
  const amount = `1${'0'.repeat(18)}`
  const bought = '2998785291'

  const coinInfo: TokenInfo = { ...config.coin, address: nativeTokenAddress, decimals: 18, tags: ['native'] }
  const tokenInfo = listed ?? { ...coinInfo, address: buy }
  const baseOf = ({ label }: Version) => `${publicUrl}/${label}/${config.chainId}`
  const bare = (token: TokenInfo) => {
    const { symbol, name, address, decimals, logoURI } = formatToken(token, baseOf(legacy.version))
    return { symbol, name, address, decimals, logoURI }
  }
  const transaction = {
    from: payer,
    to: router,
    data: '0x07ed2379',
    value: amount,
    gasPrice: '1000000016',
    gas: 246_667,
  }
  const allow = { ...approval(buy, router, 1_000_000_000n), gasPrice: '1000000016', value: '0' as const }
  const { id, title } = wrappedSource
  const picture = { id, title, img: logo(id, 'gray') }
  const swap = { amount, slippage: 0.5, disableEstimate: true }
  const legacyTrade = {
    fromToken: bare(coinInfo),
    toToken: bare(tokenInfo),
    fromTokenAmount: amount,
    toTokenAmount: bought,
    protocols: [
      [
        [{ name: id, part: 100, fromTokenAddress: nativeTokenAddress, toTokenAddress: wrapped }],
        [
          { name: 'UNISWAP_V2', part: 17, fromTokenAddress: wrapped, toTokenAddress: buy },
          { name: 'UNISWAP_V3', part: 83, fromTokenAddress: wrapped, toTokenAddress: buy },
        ],
      ],
    ],
  }

  const examples = new Map<string, Example>()
  function show<Answer extends z.ZodType>(
    { id }: Operation<z.ZodObject, Answer>,
    query: Example['query'],
    answer: z.input<Answer>,
    segments: Record<string, string> = {},
  ) {
    examples.set(id, { query, segments, answer })
  }

  for (const { operations, version, isNested } of v6Mounts) {
    const trade = { src: nativeTokenAddress, dst: buy }
    const protocols = isNested ? legacyTrade.protocols : describedRoute(wrapped, buy)
    show(
      operations.quote,
      { ...trade, amount, includeProtocols: true, includeGas: true },
      { dstAmount: bought, protocols, gas: 185_000 },
    )
    const origin = version.label === 'v6.1' ? { origin: payer } : {}
    show(
      operations.swap,
      { ...trade, ...swap, from: payer, ...origin },
      { dstAmount: bought, tx: transaction },
    )
    show(operations.spender, {}, { address: router })
    show(operations.approval, { tokenAddress: buy, amount: '1000000000' }, allow)
    show(operations.allowance, { tokenAddress: buy, walletAddress: payer }, { allowance: '0' })
    show(operations.sources, {}, { protocols: [{ ...picture, img_color: logo(id, 'color') }] })
    show(operations.tokens, {}, { tokens: { [nativeTokenAddress]: formatToken(coinInfo, baseOf(version)) } })
  }

  const trade = { fromTokenAddress: nativeTokenAddress, toTokenAddress: buy }
  show(legacy.quote, { ...trade, amount }, { ...legacyTrade, estimatedGas: 185_000 })
  show(legacy.swap, { ...trade, ...swap, fromAddress: payer }, { ...legacyTrade, tx: transaction })
  show(legacy.spender, {}, { address: router })
  show(legacy.approval, { tokenAddress: buy, amount: '1000000000' }, allow)
  show(legacy.protocols, {}, { protocols: [id, 'UNISWAP_V2', 'UNISWAP_V3'] })
  show(legacy.images, {}, { protocols: [picture] })
  show(legacy.image, {}, { protocols: [picture] }, { id })
  show(priceList.prices, { currency: 'USD' }, { [nativeTokenAddress]: '2998.7853', [buy]: '1' })
  return examples
}

function describedRoute(wrapped: Address, buy: Address) {
  const { id } = wrappedSource
  const wrap = { part: 100, dst: wrapped, fromTokenId: 0, toTokenId: 1, protocols: [{ name: id, part: 100 }] }
  const protocols = [
    { name: 'UNISWAP_V2', part: 16.67 },
    { name: 'UNISWAP_V3', part: 83.33 },
  ]
  return [
    { token: nativeTokenAddress, hops: [wrap] },
    { token: wrapped, hops: [{ part: 100, dst: buy, fromTokenId: 1, toTokenId: 2, protocols }] },
  ]
}

/** Returns an example as a shell command. */
export function formatCommand(address: string, { query, segments = {} }: Example): string {
  const url = address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(segments[name] ?? ''))
  const lines = Object.entries(query).map(([name, value]) => ` \\\n  -d ${name}=${value}`)
  return `curl${lines.length > 0 ? ' -G' : ''} "${url}"${lines.join('')}`
}
