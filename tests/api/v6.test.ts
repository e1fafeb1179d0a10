import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwapApi, SwapOptions } from '../../src/api/client.ts'
import { createHttp } from '../../src/api/http.ts'
import { v6 } from '../../src/api/v6.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import type { RouteOptions } from '../../src/domain/swap/routeOptions.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { failure } from '../helpers/failure.ts'
import { type Fault, type FaultServer, json, startFaultServer } from '../helpers/node/faultServer.ts'
import { account, dai, quote, router, sources, swap, tokens, trade, usdc, weth } from './answers.ts'

let server: FaultServer
let api: SwapApi

beforeAll(async () => {
  server = await startFaultServer()
  api = v6(createHttp({ baseUrl: server.url }), 31337)
})
afterAll(() => server.stop())

const route = [
  {
    token: dai,
    hops: [
      {
        buy: weth,
        share: 62.5,
        sources: [
          { name: 'UNISWAP_V2', share: 12.5 },
          { name: 'UNISWAP_V3', share: 50 },
        ],
      },
      { buy: usdc, share: 37.5, sources: [{ name: 'UNISWAP_V3', share: 37.5 }] },
    ],
  },
  { token: weth, hops: [{ buy: usdc, share: 100, sources: [{ name: 'UNISWAP_V2', share: 100 }] }] },
]

const everyOption: RouteOptions = {
  protocols: ['UNISWAP_V2', 'UNISWAP_V3'],
  excludedProtocols: ['CURVE'],
  feeBps: 150,
  referrer: router,
  gasPrice: 1_500_000_000n,
  complexityLevel: 2,
  parts: 50,
  mainRouteParts: 10,
  gasLimit: 11_500_000,
  connectorTokens: 5,
}

const everyOptionSent = {
  src: dai,
  dst: usdc,
  amount: '5000000000000000000',
  protocols: 'UNISWAP_V2,UNISWAP_V3',
  excludedProtocols: 'CURVE',
  fee: '1.5',
  gasPrice: '1500000000',
  complexityLevel: '2',
  parts: '50',
  mainRouteParts: '10',
  gasLimit: '11500000',
  connectorTokens: '5',
  includeTokensInfo: 'true',
  includeProtocols: 'true',
  includeGas: 'true',
}

describe('quote', () => {
  it('carries the bound that the service proves, if it does', async () => {
    server.script(json(quote, 200, { 'x-route-bound': 'upper="4988153", gap-bps=1.01' }))
    expect((await api.quote(trade)).gapBps).toBe(1.01)
    server.script(json(quote))
    expect(await api.quote(trade)).not.toHaveProperty('gapBps')
  })

  it('requests the trade and returns its amount, gas and route', async () => {
    server.script(json(quote))
    expect(await api.quote(trade)).toEqual({ trade, returns: 4_987_654n, gas: 254_321n, route })
    expect(server.asked[0]!.path).toBe('/v6.1/31337/quote')
    expect(server.asked[0]!.query).toEqual({
      src: dai,
      dst: usdc,
      amount: '5000000000000000000',
      includeTokensInfo: 'true',
      includeProtocols: 'true',
      includeGas: 'true',
    })
  })

  it('sends every route option except the referrer', async () => {
    server.script(json(quote))
    await api.quote(trade, everyOption)
    expect(server.asked[0]!.query).toEqual(everyOptionSent)
  })

  it('sends connector tokens as a list, with addresses in lower case', async () => {
    server.script(json(quote))
    const upper = weth.toUpperCase().replace('X', 'x') as Address
    await api.quote({ ...trade, sell: nativeTokenAddress }, { connectorTokens: [upper, dai] })
    expect(server.asked[0]!.query).toMatchObject({
      src: nativeTokenAddress,
      connectorTokens: `${weth},${dai}`,
    })
  })

  it('sends the fee as an exact percentage', async () => {
    server.script(json(quote))
    const texts = { 1: '0.01', 10: '0.1', 29: '0.29', 57: '0.57', 100: '1', 115: '1.15', 300: '3' }
    for (const bps of Object.keys(texts)) await api.quote(trade, { feeBps: Number(bps) })
    expect(server.asked.map(({ query }) => query.fee)).toEqual(Object.values(texts))
  })

  it('keeps an amount of 2^256−1 exact', async () => {
    const huge = 2n ** 256n - 1n
    server.script(json({ ...quote, dstAmount: String(huge) }))
    expect((await api.quote({ ...trade, amount: huge })).returns).toBe(huge)
    expect(server.asked[0]!.query.amount).toBe(String(huge))
  })

  it('accepts addresses in any letter case and strips control characters from source names', async () => {
    const checksummed = usdc.toUpperCase().replace('X', 'x')
    const hop = { part: 100, dst: checksummed, fromTokenId: 0, toTokenId: 1 }
    const protocols = [{ token: dai, hops: [{ ...hop, protocols: [{ name: 'A\u202eB\n', part: 100 }] }] }]
    server.script(json({ ...quote, protocols }))
    expect((await api.quote(trade)).route).toEqual([
      { token: dai, hops: [{ buy: usdc, share: 100, sources: [{ name: 'AB', share: 100 }] }] },
    ])
  })

  it('rejects a quote or swap for another pair', async () => {
    const upper = dai.toUpperCase().replace('X', 'x')
    const described = (address: string) => ({
      address,
      symbol: 'T',
      name: 'Token',
      decimals: 18,
      logoURI: '',
    })
    server.script(json({ ...quote, srcToken: described(upper), dstToken: described(usdc) }))
    expect((await api.quote(trade)).returns).toBe(4_987_654n)
    for (const field of ['srcToken', 'dstToken']) {
      const wrong = { [field]: described(weth) }
      await expectOtherPair(field, json({ ...quote, ...wrong }), () => api.quote(trade))
      await expectOtherPair(field, json({ ...swap, ...wrong }), () =>
        api.swap(trade, { from: account, origin: account, slippageBps: 50 }),
      )
      server.script(json({ ...quote, [field]: { ...described(dai), address: 5 } }))
      expect(await failure(api.quote(trade))).toMatchObject({ facts: { field: `${field}.address` } })
    }
  })

  it('throws no-route for a quote of zero', async () => {
    server.script(json({ ...quote, dstAmount: '0' }))
    expect(await failure(api.quote(trade))).toMatchObject({
      code: 'no-route',
      facts: { amount: '5000000000000000000' },
    })
  })

  it('rejects an answer with a missing or mistyped field and names the field', async () => {
    const hop = quote.protocols[0]!.hops[0]!
    const inHop = (change: object) => ({ protocols: [{ token: dai, hops: [{ ...hop, ...change }] }] })
    const wrongs: [string, object][] = [
      ['dstAmount', { dstAmount: undefined }],
      ['dstAmount', { dstAmount: 4987654 }],
      ['dstAmount', { dstAmount: '1e18' }],
      ['dstAmount', { dstAmount: '0x10' }],
      ['dstAmount', { dstAmount: '-1' }],
      ['dstAmount', { dstAmount: '1.0' }],
      ['dstAmount', { dstAmount: ' 1' }],
      ['dstAmount', { dstAmount: '01' }],
      ['dstAmount', { dstAmount: '' }],
      ['dstAmount', { dstAmount: String(2n ** 256n) }],
      ['gas', { gas: undefined }],
      ['gas', { gas: '254321' }],
      ['gas', { gas: -1 }],
      ['gas', { gas: 1.5 }],
      ['gas', { gas: null }],
      ['protocols', { protocols: undefined }],
      ['protocols', { protocols: {} }],
      ['protocols.0.token', { protocols: [[[]]] }],
      ['protocols.0.token', { protocols: [{ token: '0x12', hops: [] }] }],
      ['protocols.0.hops', { protocols: [{ token: dai, hops: [] }] }],
      ['protocols.0.hops.0.part', inHop({ part: 100.01 })],
      ['protocols.0.hops.0.part', inHop({ part: '62.5' })],
      ['protocols.0.hops.0.dst', inHop({ dst: 'usdc' })],
      ['protocols.0.hops.0.toTokenId', inHop({ toTokenId: -1 })],
      ['protocols.0.hops.0.fromTokenId', inHop({ fromTokenId: undefined })],
      ['protocols.0.hops.0.protocols', inHop({ protocols: [] })],
      ['protocols.0.hops.0.protocols.0.name', inHop({ protocols: [{ name: 1, part: 1 }] })],
      ['protocols.0.hops.0.protocols.0.part', inHop({ protocols: [{ name: 'A', part: -1 }] })],
    ]
    for (const [field, change] of wrongs) {
      server.script(json({ ...quote, ...change }))
      const error = await failure(api.quote(trade))
      expect(error, JSON.stringify(change)).toMatchObject({
        code: 'service-garbled',
        facts: { operation: '/v6.1/31337/quote', field },
      })
    }
  })

  it('rejects input beyond the documented limits without a request and names the field', async () => {
    server.script(json(quote))
    const trades: [string, Partial<Record<keyof Trade, unknown>>][] = [
      ['chainId', { chainId: 1 }],
      ['sell', { sell: '0x12' }],
      ['buy', { buy: undefined }],
      ['buy', { buy: dai }],
      ['buy', { buy: dai.toUpperCase().replace('X', 'x') }],
      ['amount', { amount: 0n }],
      ['amount', { amount: -1n }],
      ['amount', { amount: 2n ** 256n }],
      ['amount', { amount: 5 }],
    ]
    for (const [field, change] of trades)
      await expectInvalid(field, api.quote({ ...trade, ...change } as Trade))

    const options: [string, unknown[]][] = [
      ['protocols', [[], [''], ['A,B'], ['A B'], 'UNISWAP_V2']],
      ['excludedProtocols', [['A,B'], [' ']]],
      ['feeBps', [-1, 301, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1']],
      ['gasPrice', [-1n, 2n ** 256n, 5]],
      ['complexityLevel', [-1, 3, 0.5, '1']],
      ['parts', [-1, 51, 1.5]],
      ['mainRouteParts', [-1, 11, Number.NaN]],
      ['gasLimit', [99_999, 11_500_001]],
      ['connectorTokens', [-1, 6, 1.5, [], ['0x12'], Array(6).fill(weth)]],
    ]
    for (const [field, values] of options) {
      for (const value of values) await expectInvalid(field, api.quote(trade, { [field]: value }))
    }
    expect(server.asked).toHaveLength(0)
  })

  it('accepts option values at the documented limits', async () => {
    server.script(json(quote))
    const edges: RouteOptions[] = [
      { feeBps: 0, gasPrice: 0n, complexityLevel: 0, parts: 0, mainRouteParts: 0, gasLimit: 100_000 },
      { feeBps: 300, connectorTokens: 0, excludedProtocols: [] },
      { connectorTokens: [dai, weth, usdc, router, account] },
    ]
    for (const options of edges) await api.quote(trade, options)
    expect(server.asked.map(({ query }) => query.fee)).toEqual(['0', '3', undefined])
    expect(server.asked[1]!.query).not.toHaveProperty('excludedProtocols')
  })
})

describe('swap', () => {
  const plain: SwapOptions = { from: account, origin: account, slippageBps: 50 }

  it('requests a swap with tokens, protocols and gas and returns the transaction', async () => {
    server.script(json(swap))
    expect(await api.swap(trade, plain)).toEqual({
      trade,
      returns: 4_987_655n,
      from: account,
      to: router,
      data: '0x07ed2379beef',
      value: 0n,
      gas: 301_000n,
      route,
    })
    expect(server.asked[0]!.path).toBe('/v6.1/31337/swap')
    expect(server.asked[0]!.query).toEqual({
      src: dai,
      dst: usdc,
      amount: '5000000000000000000',
      from: account,
      origin: account,
      slippage: '0.5',
      includeTokensInfo: 'true',
      includeProtocols: 'true',
      includeGas: 'true',
    })
  })

  it('sends every swap option', async () => {
    server.script(json(swap))
    await api.swap(trade, {
      ...everyOption,
      from: account,
      origin: account,
      leastReturn: 4_900_000n,
      permit: permitOf(12),
      receiver: weth,
      allowPartialFill: false,
      compatibility: true,
      disableEstimate: true,
      usePermit2: true,
      forceApprove: true,
      createAccessList: true,
    })
    expect(server.asked[0]!.query).toEqual({
      ...everyOptionSent,
      from: account,
      origin: account,
      minReturn: '4900000',
      permit: permitOf(12),
      receiver: weth,
      referrer: router,
      allowPartialFill: 'false',
      compatibility: 'true',
      disableEstimate: 'true',
      usePermit2: 'true',
      forceApprove: 'true',
      createAccessList: 'true',
    })
  })

  it('sends permits of seven and of eight words', async () => {
    server.script(json(swap))
    for (const words of [7, 8]) await api.swap(trade, { ...plain, permit: permitOf(words) })
    expect(server.asked.map(({ query }) => query.permit)).toEqual([permitOf(7), permitOf(8)])
    expect(api.permitKinds).toEqual(['permit', 'permit2'])
  })

  it('sends the slippage as an exact percentage', async () => {
    server.script(json(swap))
    const texts = { 0: '0', 1: '0.01', 10: '0.1', 33: '0.33', 50: '0.5', 100: '1', 1150: '11.5', 5000: '50' }
    for (const bps of Object.keys(texts)) await api.swap(trade, { ...plain, slippageBps: Number(bps) })
    expect(server.asked.map(({ query }) => query.slippage)).toEqual(Object.values(texts))
  })

  it('returns the access list when the answer has one', async () => {
    const slot = `0x${'01'.repeat(32)}`
    const accessList = [{ address: dai, storageKeys: [slot] }]
    server.script(json({ ...swap, tx: { ...swap.tx, accessList } }))
    const answer = await api.swap(trade, { ...plain, createAccessList: true })
    expect(answer).toMatchObject({ accessList })
  })

  it('accepts a swap that also tells the expected gas', async () => {
    server.script(json({ ...swap, gas: 231_000 }))
    expect((await api.swap(trade, plain)).gas).toBe(301_000n)
  })

  it('accepts a swap without a route', async () => {
    const { protocols: _none, ...bare } = swap
    server.script(json(bare))
    expect((await api.swap(trade, plain)).route).toEqual([])
  })

  it('rejects a transaction with a missing or mistyped field and names the field', async () => {
    const wrongs: [string, unknown][] = [
      ['from', undefined],
      ['to', 'router'],
      ['to', `${router}00`],
      ['data', '0x123'],
      ['data', 'beef'],
      ['value', 0],
      ['value', '0x0'],
      ['gasPrice', undefined],
      ['gas', '301000'],
      ['gas', -1],
      ['accessList', {}],
    ]
    for (const [field, value] of wrongs) {
      server.script(json({ ...swap, tx: { ...swap.tx, [field]: value } }))
      const error = await failure(api.swap(trade, plain))
      expect(error, `${field} ${value}`).toMatchObject({
        code: 'service-garbled',
        facts: { operation: '/v6.1/31337/swap', field: `tx.${field}` },
      })
    }
    server.script(json({ dstAmount: '1' }))
    expect(await failure(api.swap(trade, plain))).toMatchObject({ facts: { field: 'tx' } })
  })

  it('rejects input beyond the documented limits without a request and names the field', async () => {
    server.script(json(swap))
    const wrongs: [string, object][] = [
      ['from', { from: 'me' }],
      ['origin', { origin: undefined }],
      ['slippageBps', { slippageBps: undefined }],
      ['slippageBps', { leastReturn: 1n }],
      ['slippageBps', { slippageBps: -1 }],
      ['slippageBps', { slippageBps: 5_001 }],
      ['slippageBps', { slippageBps: 0.5 }],
      ['leastReturn', { slippageBps: undefined, leastReturn: 0n }],
      ['leastReturn', { slippageBps: undefined, leastReturn: 2n ** 256n }],
      ['permit', { permit: '0x' }],
      ['permit', { permit: `0x${'00'.repeat(225)}` }],
      ['permit', { permit: permitOf(6) }],
      ['permit', { permit: permitOf(12) }],
      ['permit', { permit: permitOf(7), usePermit2: true }],
      ['permit', { permit: permitOf(8), usePermit2: true }],
      ['receiver', { receiver: '0x0' }],
      ['referrer', { feeBps: 1 }],
      ['referrer', { referrer: 'me' }],
      ['compatibility', { compatibility: 'yes' }],
      ['gasLimit', { gasLimit: 1 }],
    ]
    for (const [field, change] of wrongs) {
      await expectInvalid(field, api.swap(trade, { ...plain, ...change } as SwapOptions))
    }
    await expectInvalid(
      'permit',
      api.swap({ ...trade, sell: nativeTokenAddress }, { ...plain, permit: permitOf(7) }),
    )
    await expectInvalid('chainId', api.swap({ ...trade, chainId: 1 }, plain))
    expect(server.asked).toHaveLength(0)
  })
})

describe('spender', () => {
  it('returns the router in lower case', async () => {
    server.script(json({ address: router.toUpperCase().replace('X', 'x') }))
    expect(await api.spender()).toBe(router)
    expect(server.asked[0]).toMatchObject({ path: '/v6.1/31337/approve/spender', query: {} })
  })

  it('rejects an answer that is not an address', async () => {
    for (const body of [{}, { address: null }, { address: 'router' }, [router], router]) {
      server.script(json(body))
      expect(await failure(api.spender())).toMatchObject({ code: 'service-garbled' })
    }
  })
})

describe('sources', () => {
  it('returns the liquidity sources and strips bidi characters from their titles', async () => {
    server.script(json(sources))
    expect(await api.sources()).toEqual([
      { id: 'UNISWAP_V2', title: 'Uniswap V2' },
      { id: 'CURVE', title: 'Curve' },
    ])
    expect(server.asked[0]).toMatchObject({ path: '/v6.1/31337/liquidity-sources', query: {} })
  })

  it('rejects a source id that contains a comma', async () => {
    server.script(json({ protocols: [{ ...sources.protocols[0], id: 'A,B' }] }))
    expect(await failure(api.sources())).toMatchObject({ facts: { field: 'protocols.0.id' } })
  })
})

describe('tokens', () => {
  it('returns the listed tokens', async () => {
    server.script(json(tokens))
    const listed = { listed: true, eip2612: false, taxed: false, tags: [] }
    expect(await api.tokens()).toEqual([
      {
        ...listed,
        address: dai,
        symbol: 'DAI',
        name: 'Dai Stablecoin',
        decimals: 18,
        eip2612: true,
        tags: ['stablecoin'],
      },
      { ...listed, address: usdc, symbol: 'USDC', name: 'USD Coin', decimals: 6, taxed: true },
    ])
    expect(server.asked[0]).toMatchObject({ path: '/v6.1/31337/tokens', query: {} })
  })

  it('omits invalid entries and entries under another address', async () => {
    const good = tokens.tokens[dai]
    const entries = {
      [dai]: good,
      [usdc]: null,
      [weth]: { ...good, address: weth, decimals: 256 },
      [router]: { ...good, address: account },
      [account]: { ...good, address: account, symbol: '\u200b\u202e' },
      nonsense: { ...good, address: 'nonsense' },
      '0x': 5,
    }
    server.script(json({ tokens: entries }))
    expect((await api.tokens()).map(({ address }) => address)).toEqual([dai])
  })

  it('strips invisible characters from symbol and name and cuts the name to 64 characters', async () => {
    const entry = {
      address: dai,
      decimals: 18,
      symbol: '\u202eU\u200bSＤ\u0000T\n',
      name: `N ${'x'.repeat(500)}`,
    }
    server.script(json({ tokens: { [dai]: entry } }))
    const [token] = await api.tokens()
    expect(token!.symbol).toBe('USDT')
    expect(token!.name).toBe(`N ${'x'.repeat(62)}`)
  })

  it('accepts an empty list and rejects one without a valid token', async () => {
    server.script(json({ tokens: {} }))
    expect(await api.tokens()).toEqual([])
    for (const body of [{ tokens: { a: 1, b: 2 } }, { tokens: [] }, { tokens: null }, {}, []]) {
      server.script(json(body))
      expect(await failure(api.tokens()), JSON.stringify(body)).toMatchObject({ code: 'service-garbled' })
    }
  })
})

const permitOf = (words: number): Hex => `0x${'00'.repeat(32 * words)}`

async function expectOtherPair(field: string, answer: Fault, ask: () => Promise<unknown>): Promise<void> {
  server.script(answer)
  const error = await failure(ask())
  expect(error, field).toMatchObject({ code: 'service-garbled', facts: { field, fact: 'pair' } })
  expect(error.message).toContain('for another pair')
}

async function expectInvalid(field: string, work: Promise<unknown>): Promise<void> {
  expect(await failure(work), field).toMatchObject({ code: 'invalid-input', facts: { field } })
}
