import * as v from 'valibot'
import { numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { poolAddress, pools } from '../../dev/pools/pools.ts'
import type { RunningService } from '../../service/server.ts'
import type { SwapApi, SwapOptions } from '../../src/api/client.ts'
import { createHttp, type Http, type HttpOptions } from '../../src/api/http.ts'
import { v6 } from '../../src/api/v6.ts'
import { computeMinReturn, type Route, type Trade } from '../../src/domain/swap/quote.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { amountFromLogs, signTransaction } from '../../src/evm/transaction.ts'
import { failure } from '../helpers/failure.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'

let localnet: Localnet
let service: RunningService
let http: Http
let api: SwapApi
let chain: Chain

beforeAll(async () => {
  localnet = await createLocalnet()
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
  http = connect()
  api = v6(http, localnet.chainId)
  chain = createChain({
    chainId: localnet.chainId,
    name: 'Local',
    coin: { symbol: 'ETH', name: 'Ether' },
    serviceUrl: service.url,
    rpcUrl: localnet.rpcUrl,
    confirmations: 1,
    quoteEveryMs: 1_000,
  })
})
afterAll(async () => {
  await service?.stop()
  await localnet?.stop()
})

const poor: Address = `0x${'99'.repeat(20)}`

describe('v6 client and swap service: operations', () => {
  it('returns a quote with route shares that sum to 100', async () => {
    const quote = await api.quote(wethToUsdc())
    expect(quote.trade).toEqual(wethToUsdc())
    // About 3,000 USDC, less fees.
    expect(quote.returns).toBeGreaterThan(2_950_000_000n)
    expect(quote.returns).toBeLessThan(3_050_000_000n)
    expect(quote.gas).toBeGreaterThan(21_000n)
    expectWholeRoute(quote.route, quote.trade)
  })

  it('quotes a trade through connector tokens and splits a large trade over several sources', async () => {
    const { BROOK, WETH, USDC } = localnet.tokens
    const chained = await api.quote(trade(BROOK, USDC, parseEther('100')))
    expect(chained.route.length).toBeGreaterThan(1)
    expectWholeRoute(chained.route, chained.trade)
    const large = await api.quote(trade(WETH, USDC, parseEther('2000')))
    expect(large.route[0]!.hops.flatMap(({ sources }) => sources).length).toBeGreaterThan(1)
    expectWholeRoute(large.route, large.trade)
  })

  it('accepts every quote option and uses only the permitted sources', async () => {
    const { DAI, USDT } = localnet.tokens
    const quote = await api.quote(wethToUsdc(), {
      protocols: ['UNISWAP_V2', 'UNISWAP_V3', 'WETH'],
      excludedProtocols: ['UNISWAP_V3'],
      feeBps: 50,
      referrer: poor,
      gasPrice: 1_000_000_000n,
      complexityLevel: 1,
      parts: 10,
      mainRouteParts: 2,
      gasLimit: 5_000_000,
      connectorTokens: [DAI, USDT],
    })
    const names = quote.route.flatMap(({ hops }) =>
      hops.flatMap(({ sources }) => sources.map(({ name }) => name)),
    )
    expect(new Set(names)).toEqual(new Set(['UNISWAP_V2']))
    expect(quote.returns).toBeLessThan((await api.quote(wethToUsdc())).returns)
  })

  it('returns the router as spender and the liquidity sources with titles', async () => {
    expect(await api.spender()).toBe(localnet.config.router)
    const sources = await api.sources()
    expect(sources.map(({ id }) => id)).toEqual(expect.arrayContaining(['UNISWAP_V2', 'UNISWAP_V3']))
    for (const { title } of sources) expect(title).not.toBe('')
  })

  it('lists tokens with the symbol, name and decimals of their contracts', async () => {
    const tokens = await api.tokens()
    expect(tokens.map(({ address }) => address)).toEqual(
      expect.arrayContaining([nativeTokenAddress, ...Object.values(localnet.tokens)]),
    )
    for (const { address, symbol, name, decimals } of tokens) {
      expect(await chain.token(address)).toMatchObject({ symbol, name, decimals })
    }
    expect(tokens.find(({ symbol }) => symbol === 'DTT')).toMatchObject({ taxed: true, eip2612: true })
  })

  it('builds swaps that succeed on chain, for the native token and for an ERC-20 token', async () => {
    const { address, privateKey } = localnet.accounts[1]!
    const { USDC, DAI } = localnet.tokens
    const coinTrade = trade(nativeTokenAddress, USDC, parseEther('1'))
    const coinSwap = await api.swap(coinTrade, { ...mine(address), compatibility: true })
    expect(coinSwap).toMatchObject({ trade: coinTrade, from: address, to: localnet.config.router })
    expect(coinSwap.value).toBe(parseEther('1'))
    expectWholeRoute(coinSwap.route, coinTrade)
    const coinReceipt = await send(privateKey, address, coinSwap)
    expect(coinReceipt.status).toBe('success')
    expect(amountFromLogs(coinReceipt, USDC, address)).toBe(coinSwap.returns)

    const amount = 1_000_000_000n
    await send(privateKey, address, {
      to: USDC,
      data: approvalData(localnet.config.router, amount),
      value: 0n,
    })
    await service.engine.refresh()
    const tokenTrade = trade(USDC, DAI, amount)
    const quote = await api.quote(tokenTrade)
    const floor = computeMinReturn(quote.returns, 50)
    const tokenSwap = await api.swap(tokenTrade, { from: address, origin: address, leastReturn: floor })
    expect(tokenSwap.value).toBe(0n)
    const tokenReceipt = await send(privateKey, address, tokenSwap)
    expect(amountFromLogs(tokenReceipt, DAI, address)).toBeGreaterThanOrEqual(floor)
    await service.engine.refresh()
  })

  it('returns an access list when createAccessList is set', async () => {
    const { address } = localnet.accounts[2]!
    const options = { ...mine(address), createAccessList: true }
    const swap = await api.swap(trade(nativeTokenAddress, localnet.tokens.USDC, parseEther('1')), options)
    expect(swap.accessList).toBeInstanceOf(Array)
  })
})

describe('v6 client and swap service: errors', () => {
  it('maps quote errors to the wallet’s error codes', async () => {
    const { BROOK, USDC } = localnet.tokens
    const cases: [string, string, () => Promise<unknown>][] = [
      ['no-route', 'INSUFFICIENT_LIQUIDITY', () => api.quote(trade(BROOK, USDC, 5n), { complexityLevel: 0 })],
      ['unknown-token', 'UNKNOWN_TOKEN', () => api.quote(trade(USDC, poor, 5n))],
      ['refused-request', 'GAS_PRICE_NOT_ALLOWED', () => api.quote(wethToUsdc(), { gasPrice: 10n ** 14n })],
      ['refused-request', 'VALIDATION_FAILED', () => api.quote(wethToUsdc(), { protocols: ['MOON'] })],
    ]
    for (const [code, serviceCode, ask] of cases) {
      expect(await failure(ask()), serviceCode).toMatchObject({ code, facts: { serviceCode, status: '400' } })
    }
  })

  it('maps swap errors to the wallet’s error codes and reports amount, balance and allowance', async () => {
    const { address } = localnet.accounts[3]!
    const { USDC, DTT, DAI } = localnet.tokens
    const usdcToDai = trade(USDC, DAI, 1_000_000n)
    const none = await failure(api.swap(usdcToDai, mine(poor)))
    expect(none).toMatchObject({
      code: 'not-enough-balance',
      facts: { serviceCode: 'NOT_ENOUGH_BALANCE', amount: '1000000', balance: '0' },
    })
    expect(none.message).toContain('Not enough balance. Amount: 1000000. Balance: 0')

    const short = await failure(api.swap(usdcToDai, mine(address)))
    expect(short).toMatchObject({
      code: 'not-enough-allowance',
      facts: { serviceCode: 'NOT_ENOUGH_ALLOWANCE', amount: '1000000', allowance: '0' },
    })

    const coin = trade(nativeTokenAddress, USDC, parseEther('1'))
    const greedy = { from: address, origin: address, leastReturn: 10n ** 12n }
    expect(await failure(api.swap(coin, greedy))).toMatchObject({
      code: 'below-floor',
      facts: { serviceCode: 'INSUFFICIENT_RETURN' },
    })
    const everywhere = ['WETH', ...localnet.config.factories.map(({ source }) => source)]
    const filtered = { ...mine(address), excludedProtocols: everywhere }
    expect(await failure(api.swap(coin, filtered))).toMatchObject({
      code: 'no-route',
      facts: { serviceCode: 'NO_PROTOCOLS' },
    })

    const { privateKey } = localnet.accounts[3]!
    await send(privateKey, address, {
      to: DTT,
      data: approvalData(localnet.config.router, parseEther('1')),
      value: 0n,
    })
    await service.engine.refresh()
    expect(await failure(api.swap(trade(DTT, USDC, parseEther('1')), mine(address)))).toMatchObject({
      code: 'estimation-failed',
      facts: { serviceCode: 'ESTIMATION_FAILED' },
    })
  })

  it('throws below-floor when a pool pays less than its cached reserves predict', async () => {
    const { WETH, USDC } = localnet.tokens
    const { address } = localnet.accounts[5]!
    const pool = poolAddress(pools.find(({ kind, pair }) => kind === 'v2' && pair.join() === 'WETH,USDC')!)
    // Slot 8 of UniswapV2Pair packs both 112-bit reserves. Without an event the service keeps its cached
    // ones.
    const slot = numberToHex(8, { size: 32 })
    const before = await localnet.client.getStorageAt({ address: pool, slot })
    const shift = BigInt(USDC) < BigInt(WETH) ? 0n : 112n
    const reserve = (BigInt(before!) >> shift) & (2n ** 112n - 1n)
    const lowered = BigInt(before!) - ((reserve / 20n) << shift)
    await localnet.client.setStorageAt({
      address: pool,
      index: slot,
      value: numberToHex(lowered, { size: 32 }),
    })
    const options = { ...mine(address), protocols: ['UNISWAP_V2', 'WETH'], complexityLevel: 0 }
    const error = await failure(api.swap(trade(nativeTokenAddress, USDC, parseEther('1')), options))
    await localnet.client.setStorageAt({ address: pool, index: slot, value: before! })
    expect(error).toMatchObject({
      code: 'below-floor',
      facts: { serviceCode: 'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE' },
    })
    expect(BigInt(error.facts.dstAmount!)).toBeLessThan(BigInt(error.facts.minReturn!))
  })

  it('throws service-failed when the service cannot reach its RPC', async () => {
    const doomed = await createLocalnet()
    const reported: unknown[] = []
    const orphan = await startUnhurried({
      config: doomed.config,
      rpcUrl: doomed.rpcUrl,
      port: 0,
      report: (error) => reported.push(error),
    })
    try {
      await doomed.stop()
      const query = { tokenAddress: doomed.tokens.DAI, walletAddress: poor }
      const operation = `/v6.1/${doomed.chainId}/approve/allowance`
      const asked = connect({ baseUrl: orphan.url }).get(operation, query, v.unknown())
      expect(await failure(asked)).toMatchObject({
        code: 'service-failed',
        facts: { serviceCode: 'INTERNAL_SERVER_ERROR', status: '500' },
      })
      expect(reported.length).toBeGreaterThan(0)
    } finally {
      await orphan.stop()
    }
  })

  it('throws refused-request for invalid parameters that bypass the checks of the client', async () => {
    const { WETH, USDC } = localnet.tokens
    const { address } = localnet.accounts[4]!
    const quote = { src: WETH, dst: USDC, amount: '5' }
    const swap = { ...quote, from: address, origin: address, slippage: '1' }
    const cases: [string, string, Record<string, string>][] = [
      ['REQUIRED_FIELD_MISSING', 'quote', { src: WETH, dst: USDC }],
      ['INVALID_NUMBER', 'quote', { ...quote, amount: '1e18' }],
      ['VALIDATION_FAILED', 'quote', { ...quote, amount: '0' }],
      ['VALIDATION_FAILED', 'quote', { ...quote, dst: WETH }],
      ['SLIPPAGE_TOO_HIGH', 'swap', { ...swap, slippage: '51' }],
      ['VALIDATION_FAILED', 'swap', { ...swap, minReturn: '1' }],
      ['FEE_WITHOUT_REFERRER', 'swap', { ...swap, fee: '1' }],
      [
        'PERMIT_NOT_ALLOWED_FOR_NATIVE',
        'swap',
        { ...swap, src: nativeTokenAddress, permit: `0x${'00'.repeat(224)}` },
      ],
    ]
    for (const [serviceCode, operation, query] of cases) {
      const error = await failure(http.get(`/v6.1/${localnet.chainId}/${operation}`, query, v.unknown()))
      expect(error, JSON.stringify(query)).toMatchObject({ code: 'refused-request', facts: { serviceCode } })
    }
  })

  it('throws refused-request when forceApprove cannot be simulated', async () => {
    const { address } = localnet.accounts[4]!
    // allowance() is no storage slot: every call returns 7.
    const stubborn: Address = `0x${'57'.repeat(20)}`
    await localnet.client.setCode({ address: stubborn, bytecode: '0x60075f5260205ff3' })
    const options: SwapOptions = { ...mine(address), forceApprove: true }
    expect(await failure(api.swap(trade(stubborn, localnet.tokens.USDC, 8n), options))).toMatchObject({
      code: 'refused-request',
      facts: { serviceCode: 'FORCE_APPROVE_NOT_SUPPORTED' },
    })
  })

  it('reports the request id that the client sent', async () => {
    const sent: (string | null)[] = []
    const answered: string[] = []
    const watched = connect({
      async fetch(url, init) {
        const response = await fetch(url, init)
        sent.push(new Headers(init?.headers).get('request-id'))
        answered.push((await response.clone().json()).requestId)
        return response
      },
    })
    const asked = v6(watched, localnet.chainId).quote(trade(localnet.tokens.USDC, poor, 5n))
    const error = await failure(asked)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(answered).toEqual(sent)
    expect(error.facts.requestId).toBe(sent[0])
  })

  it('throws refused-request for another chain id', async () => {
    const error = await failure(v6(http, 1).spender())
    expect(error).toMatchObject({
      code: 'refused-request',
      facts: { status: '404', serviceCode: 'NOT_FOUND' },
    })
  })

  it('throws service-forbidden without the key and answers with it', async () => {
    const guarded = await startUnhurried({
      config: localnet.config,
      rpcUrl: localnet.rpcUrl,
      port: 0,
      keys: new Set(['k-1']),
    })
    try {
      const closed = v6(connect({ baseUrl: guarded.url }), localnet.chainId)
      expect(await failure(closed.spender())).toMatchObject({
        code: 'service-forbidden',
        facts: { serviceCode: 'FORBIDDEN', status: '403' },
      })
      const open = v6(connect({ baseUrl: guarded.url, key: 'k-1' }), localnet.chainId)
      expect(await open.spender()).toBe(localnet.config.router)
    } finally {
      await guarded.stop()
    }
  })
})

function connect(more: Partial<HttpOptions> = {}): Http {
  return createHttp({ baseUrl: service.url, sleep: async () => undefined, ...more })
}

function trade(sell: Address, buy: Address, amount: bigint): Trade {
  return { chainId: localnet.chainId, sell, buy, amount }
}

function wethToUsdc(): Trade {
  return trade(localnet.tokens.WETH, localnet.tokens.USDC, parseEther('1'))
}

function mine(from: Address): SwapOptions {
  return { from, origin: from, slippageBps: 50 }
}

/** Shares of a token sum to 100, those of sources to their hop's, in exact hundredths. */
function expectWholeRoute(route: Route, { sell }: Trade): void {
  const hundredths = (share = Number.NaN) => {
    expect(share).toBe(Number(share.toFixed(2)))
    return Math.round(share * 100)
  }
  const sum = (shares: { share: number | undefined }[]) =>
    shares.reduce((total, { share }) => total + hundredths(share), 0)
  expect(route[0]?.token).toBe(sell)
  for (const { hops } of route) {
    expect(sum(hops)).toBe(10_000)
    for (const hop of hops) expect(sum(hop.sources)).toBe(hundredths(hop.share))
  }
}

async function send(privateKey: Hex, from: Address, call: { to: Address; data: Hex; value: bigint }) {
  const [{ pending: nonce }, fees] = await Promise.all([chain.nonces(from), chain.fees()])
  const gas = ((await chain.estimateGas({ from, to: call.to, data: call.data, value: call.value })) * 5n) / 4n
  const { to, data, value } = call
  const signed = await signTransaction(privateKey, {
    chainId: localnet.chainId,
    nonce,
    to,
    data,
    value,
    gas,
    ...fees,
  })
  expect(await chain.send(signed.raw)).toBe('sent')
  await localnet.client.receiptOf(signed.hash)
  const receipt = await chain.receipt(signed.hash)
  if (receipt === undefined) expect.fail('was not mined')
  return receipt
}
