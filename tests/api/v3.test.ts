import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwapApi, SwapOptions } from '../../src/api/client.ts'
import { createHttp } from '../../src/api/http.ts'
import { v3 } from '../../src/api/v3.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import type { RouteOptions } from '../../src/domain/swap/routeOptions.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { failure } from '../helpers/failure.ts'
import { type FaultServer, json, startFaultServer } from '../helpers/node/faultServer.ts'
import { account, dai, router, trade, usdc, weth } from './answers.ts'
import { ids, images, piece, quote, swap } from './legacyAnswers.ts'

let server: FaultServer
let api: SwapApi

beforeAll(async () => {
  server = await startFaultServer()
  api = v3(createHttp({ baseUrl: server.url }), 31337)
})
afterAll(() => server.stop())

const route = [
  {
    token: dai,
    hops: [
      {
        buy: weth,
        share: undefined,
        sources: [
          { name: 'UNISWAP_V2', share: undefined },
          { name: 'UNISWAP_V3', share: undefined },
        ],
      },
      { buy: usdc, share: undefined, sources: [{ name: 'UNISWAP_V3', share: undefined }] },
    ],
  },
  { token: weth, hops: [{ buy: usdc, share: 100, sources: [{ name: 'UNISWAP_V2', share: 100 }] }] },
]

const asked = { fromTokenAddress: dai, toTokenAddress: usdc, amount: '5000000000000000000' }

const everyOption: RouteOptions = {
  protocols: ['UNISWAP_V2', 'UNISWAP_V3', 'CURVE'],
  excludedProtocols: ['CURVE'],
  feeBps: 150,
  referrer: router,
  gasPrice: 1_500_000_000n,
  complexityLevel: 1,
  parts: 50,
  mainRouteParts: 10,
  gasLimit: 11_500_000,
  connectorTokens: [weth],
}

const everyOptionSent = {
  ...asked,
  protocols: 'UNISWAP_V2,UNISWAP_V3',
  fee: '1.5',
  gasPrice: '1500000000',
  complexityLevel: '1',
  parts: '50',
  mainRouteParts: '10',
  gasLimit: '11500000',
  connectorTokens: weth,
}

const plain: SwapOptions = { from: account, origin: account, slippageBps: 50 }
const { slippageBps: _none, ...unbound } = plain as { slippageBps: number; from: Address; origin: Address }

it('does not support permits', () => {
  expect(api.permitKinds).toEqual([])
})

describe('quote', () => {
  it('carries the bound that the service proves, if it does', async () => {
    server.script(json(quote, 200, { 'x-route-bound': 'upper="5000500", gap-bps=1.00' }))
    expect((await api.quote(trade)).gapBps).toBe(1)
    server.script(json(quote))
    expect(await api.quote(trade)).not.toHaveProperty('gapBps')
  })

  it('requests the trade and returns its amount, gas and route', async () => {
    server.script(json(quote))
    expect(await api.quote(trade)).toEqual({ trade, returns: 5_000_000n, gas: 254_321n, route })
    expect(server.asked).toMatchObject([{ path: '/v3.0/31337/quote', query: asked }])
    expect(Object.keys(server.asked[0]!.query)).toHaveLength(3)
  })

  it('sends every route option', async () => {
    server.script(json(quote))
    await api.quote(trade, everyOption)
    expect(server.asked.map(({ query }) => query)).toEqual([everyOptionSent])
  })

  it('sends a count of connector tokens as complexityLevel', async () => {
    server.script(json(quote))
    const counts: [RouteOptions, string][] = [
      [{ connectorTokens: 0 }, '0'],
      [{ connectorTokens: 1 }, '1'],
      [{ connectorTokens: 5 }, '2'],
      [{ connectorTokens: 5, complexityLevel: 1 }, '1'],
      [{ connectorTokens: 0, complexityLevel: 2 }, '0'],
    ]
    for (const [options, level] of counts) {
      await api.quote(trade, options)
      const { query } = server.asked.at(-1)!
      expect(query.complexityLevel).toBe(level)
      expect(query).not.toHaveProperty('connectorTokens')
    }
  })

  it('sends all sources except the excluded ones as protocols', async () => {
    server.script(json(ids), json(quote))
    await api.quote(trade, { excludedProtocols: ['UNISWAP_V3', 'ELSEWHERE'] })
    expect(server.asked).toMatchObject([
      { path: '/v3.0/31337/protocols', query: {} },
      { path: '/v3.0/31337/quote', query: { protocols: 'UNISWAP_V2,CURVE' } },
    ])
    expect(server.asked[1]!.query).not.toHaveProperty('excludedProtocols')
  })

  it('sends the given sources except the excluded ones, without requesting the list', async () => {
    server.script(json(quote))
    await api.quote(trade, { protocols: ['CURVE', 'UNISWAP_V2'], excludedProtocols: ['CURVE'] })
    expect(server.asked.map(({ query }) => query.protocols)).toEqual(['UNISWAP_V2'])
    await api.quote(trade, { protocols: ['CURVE'], excludedProtocols: [] })
    expect(server.asked.at(-1)!.query.protocols).toBe('CURVE')
  })

  it('throws no-route without requesting a quote when every source is excluded', async () => {
    server.script(json(ids))
    const excludedProtocols = ids.protocols
    expect(await failure(api.quote(trade, { excludedProtocols }))).toMatchObject({ code: 'no-route' })
    expect(await failure(api.swap(trade, { ...plain, excludedProtocols }))).toMatchObject({
      code: 'no-route',
    })
    expect(new Set(server.asked.map(({ path }) => path))).toEqual(new Set(['/v3.0/31337/protocols']))
  })

  it('sends addresses in lower case and accepts them in any letter case', async () => {
    const upper = (address: Address) => address.toUpperCase().replace('X', 'x') as Address
    server.script(json({ ...quote, fromToken: { ...quote.fromToken, address: upper(dai) } }))
    const loud = { ...trade, sell: upper(dai) }
    expect((await api.quote(loud)).trade).toEqual(loud)
    expect(server.asked[0]!.query.fromTokenAddress).toBe(dai)
  })

  it('rejects a quote or swap for another pair or amount', async () => {
    const wrongs: [string, object, string][] = [
      ['fromToken', { fromToken: { ...quote.fromToken, address: weth } }, 'pair'],
      ['toToken', { toToken: { ...quote.toToken, address: nativeTokenAddress } }, 'pair'],
      ['fromTokenAmount', { fromTokenAmount: '5000000000000000001' }, 'amount'],
    ]
    for (const [field, change, fact] of wrongs) {
      server.script(json({ ...quote, ...change }))
      const ofQuote = await failure(api.quote(trade))
      server.script(json({ ...swap, ...change }))
      const ofSwap = await failure(api.swap(trade, plain))
      for (const error of [ofQuote, ofSwap]) {
        expect(error, field).toMatchObject({ code: 'service-garbled', facts: { field, fact } })
        expect(error.message).toContain(`for another ${fact}`)
      }
    }
  })

  it('throws no-route for a quote of zero', async () => {
    server.script(json({ ...quote, toTokenAmount: '0' }))
    expect(await failure(api.quote(trade))).toMatchObject({ code: 'no-route' })
  })

  it('rejects an answer with a missing or mistyped field and names the field', async () => {
    const good = piece('A', 100, dai, usdc)
    const inRoute = (pieces: unknown) => ({ protocols: [[pieces]] })
    const inPiece = (change: object) => inRoute([{ ...good, ...change }])
    const wrongs: [string, object][] = [
      ['fromToken', { fromToken: undefined }],
      ['fromToken.address', { fromToken: { symbol: 'DAI' } }],
      ['toToken.address', { toToken: { address: '0x12' } }],
      ['fromTokenAmount', { fromTokenAmount: 5 }],
      ['fromTokenAmount', { fromTokenAmount: undefined }],
      ['toTokenAmount', { toTokenAmount: undefined }],
      ['toTokenAmount', { toTokenAmount: 5_000_000 }],
      ['toTokenAmount', { toTokenAmount: '5e6' }],
      ['toTokenAmount', { toTokenAmount: '-1' }],
      ['toTokenAmount', { toTokenAmount: String(2n ** 256n) }],
      ['estimatedGas', { estimatedGas: undefined }],
      ['estimatedGas', { estimatedGas: '254321' }],
      ['estimatedGas', { estimatedGas: 1.5 }],
      ['estimatedGas', { estimatedGas: -1 }],
      ['protocols', { protocols: undefined }],
      ['protocols', { protocols: Array(101).fill([]) }],
      ['protocols.0', { protocols: [good] }],
      ['protocols.0', { protocols: [Array(21).fill([good])] }],
      ['protocols.0.0', { protocols: [[good]] }],
      ['protocols.0.0', inRoute([])],
      ['protocols.0.0', inRoute([good, piece('A', 0, dai, weth)])],
      ['protocols.0.0', inRoute([good, piece('A', 0, weth, usdc)])],
      ['protocols.0.0.0', inRoute([null])],
      ['protocols.0.0.1', inRoute([good, 5])],
      ['protocols.0.0.0.name', inPiece({ name: 1 })],
      ['protocols.0.0.0.part', inPiece({ part: '100' })],
      ['protocols.0.0.0.part', inPiece({ part: 100.1 })],
      ['protocols.0.0.0.part', inPiece({ part: -1 })],
      ['protocols.0.0.0.fromTokenAddress', inPiece({ fromTokenAddress: 'dai' })],
      ['protocols.0.0.0.toTokenAddress', inPiece({ toTokenAddress: undefined })],
    ]
    for (const [field, change] of wrongs) {
      server.script(json({ ...quote, ...change }))
      expect(await failure(api.quote(trade)), JSON.stringify(change)).toMatchObject({
        code: 'service-garbled',
        facts: { operation: '/v3.0/31337/quote', field },
      })
    }
  })

  it('rejects input beyond the limits of 6.1 without a request and names the field', async () => {
    server.script(json(quote))
    const trades: [string, Partial<Record<keyof Trade, unknown>>][] = [
      ['chainId', { chainId: 1 }],
      ['sell', { sell: '0x12' }],
      ['buy', { buy: dai }],
      ['amount', { amount: 0n }],
      ['amount', { amount: 2n ** 256n }],
    ]
    for (const [field, change] of trades) {
      await expectInvalid(field, api.quote({ ...trade, ...change } as Trade))
    }
    const options: [string, unknown[]][] = [
      ['protocols', [[], [''], ['A,B']]],
      ['excludedProtocols', [['A,B'], [' ']]],
      ['feeBps', [-1, 301, 0.5]],
      ['gasPrice', [-1n, 5]],
      ['complexityLevel', [-1, 3]],
      ['parts', [-1, 51]],
      ['mainRouteParts', [-1, 11]],
      ['gasLimit', [99_999, 11_500_001]],
      ['connectorTokens', [-1, 6, 1.5, [], ['0x12'], Array(6).fill(weth)]],
    ]
    for (const [field, values] of options) {
      for (const value of values) await expectInvalid(field, api.quote(trade, { [field]: value }))
    }
    expect(server.asked).toHaveLength(0)
  })
})

describe('swap', () => {
  it('requests a swap by slippage and returns the transaction with a quarter more gas', async () => {
    server.script(json(swap))
    expect(await api.swap(trade, plain)).toEqual({
      trade,
      returns: 5_000_000n,
      from: account,
      to: router,
      data: '0x7c025200beef',
      value: 0n,
      gas: 376_251n,
      route,
    })
    expect(server.asked.map(({ path, query }) => [path, query])).toEqual([
      ['/v3.0/31337/swap', { ...asked, fromAddress: account, slippage: '0.5' }],
    ])
  })

  it('sends every swap option that version 3.0 has', async () => {
    server.script(json(swap))
    await api.swap(trade, {
      ...plain,
      ...everyOption,
      receiver: weth,
      allowPartialFill: true,
      compatibility: true,
      disableEstimate: false,
      usePermit2: false,
      forceApprove: false,
      createAccessList: true,
    })
    expect(server.asked.map(({ query }) => query)).toEqual([
      {
        ...everyOptionSent,
        fromAddress: account,
        slippage: '0.5',
        destReceiver: weth,
        referrerAddress: router,
        allowPartialFill: 'true',
        disableEstimate: 'false',
      },
    ])
  })

  it('disables the estimate of the service with forceApprove or disableEstimate', async () => {
    server.script(json(swap))
    await api.swap(trade, { ...plain, forceApprove: true })
    await api.swap(trade, { ...plain, forceApprove: true, disableEstimate: false })
    await api.swap(trade, { ...plain, disableEstimate: true })
    expect(server.asked.map(({ query }) => query.disableEstimate)).toEqual(['true', 'true', 'true'])
  })

  it('derives the slippage for a minimum return from a quote', async () => {
    server.script(json(quote), json(swap))
    const options: SwapOptions = { ...unbound, ...everyOption, leastReturn: 4_983_335n, receiver: weth }
    expect((await api.swap(trade, options)).returns).toBe(5_000_000n)
    expect(server.asked.map(({ path, query }) => [path, query])).toEqual([
      ['/v3.0/31337/quote', everyOptionSent],
      [
        '/v3.0/31337/swap',
        {
          ...everyOptionSent,
          fromAddress: account,
          slippage: '0.3333',
          destReceiver: weth,
          referrerAddress: router,
        },
      ],
    ])
  })

  it('requests the sources once when it requests the swap twice', async () => {
    server.script(json(ids), json(quote), json({ ...swap, toTokenAmount: '4990000' }))
    const options: SwapOptions = { ...unbound, leastReturn: 4_950_000n, excludedProtocols: ['CURVE'] }
    expect((await api.swap(trade, options)).returns).toBe(4_990_000n)
    expect(
      server.asked.map(({ path, query }) => [path.split('/').at(-1), query.protocols, query.slippage]),
    ).toEqual([
      ['protocols', undefined, undefined],
      ['quote', 'UNISWAP_V2,UNISWAP_V3', undefined],
      ['swap', 'UNISWAP_V2,UNISWAP_V3', '1'],
      ['swap', 'UNISWAP_V2,UNISWAP_V3', '0.8016'],
    ])
  })

  it('throws below-floor without requesting a swap when the quote is below the minimum return', async () => {
    server.script(json(quote))
    expect(await failure(api.swap(trade, { ...unbound, leastReturn: 5_000_001n }))).toMatchObject({
      code: 'below-floor',
      facts: { expected: '5000001', found: '5000000' },
    })
    expect(server.asked).toHaveLength(1)
  })

  it('rejects a transaction with a missing or mistyped field and names the field', async () => {
    const wrongs: [string, unknown][] = [
      ['from', undefined],
      ['to', 'router'],
      ['data', '0x123'],
      ['value', 0],
      ['gasPrice', undefined],
      ['gas', '301000'],
      ['gas', -1],
    ]
    for (const [field, value] of wrongs) {
      server.script(json({ ...swap, tx: { ...swap.tx, [field]: value } }))
      expect(await failure(api.swap(trade, plain)), `${field} ${value}`).toMatchObject({
        code: 'service-garbled',
        facts: { operation: '/v3.0/31337/swap', field: `tx.${field}` },
      })
    }
    server.script(json(quote))
    expect(await failure(api.swap(trade, plain))).toMatchObject({ facts: { field: 'tx' } })
  })

  it('rejects options that are invalid or unknown to 3.0 without a request and names the field', async () => {
    server.script(json(swap))
    const permit = `0x${'00'.repeat(224)}`
    const wrongs: [string, object][] = [
      ['permit', { permit }],
      ['usePermit2', { usePermit2: true }],
      ['from', { from: 'me' }],
      ['origin', { origin: undefined }],
      ['slippageBps', { slippageBps: undefined }],
      ['slippageBps', { leastReturn: 1n }],
      ['slippageBps', { slippageBps: 5_001 }],
      ['slippageBps', { slippageBps: 0.5 }],
      ['leastReturn', { slippageBps: undefined, leastReturn: 0n }],
      ['leastReturn', { slippageBps: undefined, leastReturn: 2n ** 256n }],
      ['receiver', { receiver: '0x0' }],
      ['referrer', { feeBps: 1 }],
      ['referrer', { referrer: 'me' }],
      ['compatibility', { compatibility: 'yes' }],
      ['disableEstimate', { disableEstimate: 'no' }],
      ['forceApprove', { forceApprove: 1 }],
      ['createAccessList', { createAccessList: 1 }],
      ['gasLimit', { gasLimit: 1, excludedProtocols: ['CURVE'] }],
    ]
    for (const [field, change] of wrongs) {
      await expectInvalid(field, api.swap(trade, { ...plain, ...change } as SwapOptions))
    }
    await expectInvalid('chainId', api.swap({ ...trade, chainId: 1 }, plain))
    expect(server.asked).toHaveLength(0)
  })
})

describe('spender', () => {
  it('returns the router and rejects an invalid address', async () => {
    server.script(json({ address: router }))
    expect(await api.spender()).toBe(router)
    expect(server.asked[0]).toMatchObject({ path: '/v3.0/31337/approve/spender', query: {} })
    server.script(json({ address: 'router' }))
    expect(await failure(api.spender())).toMatchObject({ code: 'service-garbled' })
  })
})

describe('sources', () => {
  it('returns the liquidity sources and strips bidi characters from their titles', async () => {
    server.script(json(images))
    expect(await api.sources()).toEqual([
      { id: 'UNISWAP_V2', title: 'Uniswap V2' },
      { id: 'CURVE', title: 'Curve' },
    ])
    expect(server.asked[0]).toMatchObject({ path: '/v3.0/31337/protocols/images', query: {} })
  })

  it('rejects a source id that contains a comma', async () => {
    server.script(json({ protocols: [{ ...images.protocols[0], id: 'A,B' }] }))
    expect(await failure(api.sources())).toMatchObject({ facts: { field: 'protocols.0.id' } })
    server.script(json({ protocols: ['A,B'] }))
    expect(await failure(api.quote(trade, { excludedProtocols: ['A'] }))).toMatchObject({
      facts: { operation: '/v3.0/31337/protocols', field: 'protocols.0' },
    })
  })
})

it('returns no tokens, without a request', async () => {
  server.script(json({}))
  expect(await api.tokens()).toEqual([])
  expect(server.asked).toHaveLength(0)
})

it('throws aborted when the signal is aborted', async () => {
  server.script(json(quote))
  expect(await failure(api.quote(trade, {}, AbortSignal.abort()))).toMatchObject({ code: 'aborted' })
})

async function expectInvalid(field: string, work: Promise<unknown>): Promise<void> {
  expect(await failure(work), field).toMatchObject({ code: 'invalid-input', facts: { field } })
}
