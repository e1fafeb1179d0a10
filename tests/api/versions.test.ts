import { decodeFunctionData, parseAbi, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { RunningService } from '../../service/server.ts'
import type { SwapApi, SwapOptions } from '../../src/api/client.ts'
import { createApi } from '../../src/api/createClient.ts'
import type { Network } from '../../src/domain/network/network.ts'
import {
  computeMinReturn,
  type Route,
  type SwapTransaction,
  type Trade,
} from '../../src/domain/swap/quote.ts'
import type { RouteOptions } from '../../src/domain/swap/routeOptions.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { failure } from '../helpers/failure.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'

let localnet: Localnet
let service: RunningService
let apis: Record<Version, SwapApi>
let owner: Address

type Version = '6.1' | '3.0'
const versions: [Version][] = [['6.1'], ['3.0']]

beforeAll(async () => {
  localnet = await createLocalnet()
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
  apis = { '6.1': connect('6.1'), '3.0': connect('3.0') }
  owner = localnet.accounts[0]!.address
  await approve(localnet.tokens.USDC)
})
afterAll(async () => {
  await service?.stop()
  await localnet?.stop()
})

describe.each(versions)('swap API version %s', (version) => {
  const api = () => apis[version]

  it('reports whether it takes permits', () => {
    expect(api().permitKinds).toEqual(version === '6.1' ? ['permit', 'permit2'] : [])
  })

  it('returns the same quotes as the other version', async () => {
    const other = apis[version === '6.1' ? '3.0' : '6.1']
    const { USDC, DAI, WETH, BROOK, LINK } = localnet.tokens
    const large = trade(WETH, USDC, parseEther('2000'))
    const cases: [Trade, RouteOptions][] = [
      [trade(nativeTokenAddress, USDC, parseEther('1')), {}],
      [trade(BROOK, USDC, parseEther('100')), {}],
      [trade(USDC, DAI, 1_000_000_000n), {}],
      [trade(LINK, nativeTokenAddress, parseEther('10')), {}],
      // By default 3.0 allows two connectors, 6.1 any number.
      [large, { connectorTokens: 0 }],
      [large, { connectorTokens: 1 }],
      [large, { connectorTokens: 2 }],
    ]
    for (const [each, options] of cases) {
      const [mine, others] = [await api().quote(each, options), await other.quote(each, options)]
      expect(mine).toMatchObject({ trade: each, returns: others.returns, gas: others.gas })
      expect(mine.route[0]?.token).toBe(each.sell)
      expect(pairs(mine.route)).toEqual(pairs(others.route))
    }
  })

  it('uses at most two connectors by default on 3.0 and more than two on 6.1 for a large trade', async () => {
    const large = trade(localnet.tokens.WETH, localnet.tokens.USDC, parseEther('2000'))
    const [byDefault, bounded] = [await api().quote(large), await api().quote(large, { connectorTokens: 2 })]
    // Unwrapping is no connector.
    const countOf = (route: Parameters<typeof connectorsOf>[0]) =>
      [...connectorsOf(route)].filter((token) => token !== nativeTokenAddress).length
    expect(countOf(bounded.route)).toBe(2)
    if (version === '3.0') {
      expect(byDefault).toMatchObject({ returns: bounded.returns, gas: bounded.gas, route: bounded.route })
    } else {
      expect(countOf(byDefault.route)).toBeGreaterThan(2)
      expect(byDefault.returns).toBeGreaterThan(bounded.returns)
    }
  })

  it('applies the route options to quotes and swaps', async () => {
    const { DAI, USDT } = localnet.tokens
    const options = {
      protocols: ['UNISWAP_V2', 'UNISWAP_V3', 'WETH'],
      excludedProtocols: ['UNISWAP_V3'],
      gasPrice: 1_000_000_000n,
      complexityLevel: 1,
      parts: 10,
      mainRouteParts: 2,
      gasLimit: 5_000_000,
      connectorTokens: [DAI, USDT],
      feeBps: 50,
      referrer: localnet.accounts[5]!.address,
    }
    const quote = await api().quote(ether(), options)
    expect(names(quote.route)).toEqual(['UNISWAP_V2', 'WETH'])
    const swap = await api().swap(ether(), { ...options, ...mine(), leastReturn: quote.returns })
    expect(swap.returns).toBe(quote.returns)
  })

  it('omits excluded sources and throws no-route when all are excluded', async () => {
    const all = (await api().sources()).map(({ id }) => id)
    expect(all).toEqual(expect.arrayContaining(['UNISWAP_V2', 'UNISWAP_V3', 'WETH']))
    const big = trade(nativeTokenAddress, localnet.tokens.USDC, parseEther('2000'))
    const used = names((await api().quote(big)).route).find((name) => name !== 'WETH')!
    const without = await api().quote(big, { excludedProtocols: [used] })
    expect(names(without.route)).not.toContain(used)
    expect(await failure(api().quote(big, { excludedProtocols: all }))).toMatchObject({ code: 'no-route' })
  })

  it('encodes a minReturn of at least the requested minimum and within a millionth of the quote above it', async () => {
    const { USDC, DAI } = localnet.tokens
    for (const each of [ether(), trade(USDC, DAI, 1_000_000_000n)]) {
      const { returns } = await api().quote(each)
      for (const slippageBps of [1, 33, 50, 1150, 5_000]) {
        const floor = computeMinReturn(returns, slippageBps)
        const swap = await api().swap(each, { ...mine(), leastReturn: floor })
        const promised = promiseOf(swap)
        expect(promised).toBeGreaterThanOrEqual(floor)
        // 3.0's finest slippage step.
        expect(promised).toBeLessThanOrEqual(floor + returns / 1_000_000n + 1n)
        expect(swap).toMatchObject({ trade: each, returns, from: owner, to: localnet.config.router })
      }
    }
  })

  it('encodes the minReturn of a given slippage in the calldata', async () => {
    const swap = await api().swap(ether(), { from: owner, origin: owner, slippageBps: 33 })
    expect(promiseOf(swap)).toBe(computeMinReturn(swap.returns, 33))
    expect(swap.value).toBe(parseEther('1'))
  })

  it('throws below-floor when the requested minimum exceeds the quote', async () => {
    const { returns } = await api().quote(ether())
    const error = await failure(api().swap(ether(), { ...mine(), leastReturn: returns + 1n }))
    expect(error).toMatchObject({ code: 'below-floor' })
    expect(Object.values(error.facts)).toEqual(
      expect.arrayContaining([String(returns), String(returns + 1n)]),
    )
  })

  it('pays the output to the recipient and the fee to the referrer', async () => {
    const receiver = localnet.accounts[3]!.address
    const referrer: Address = `0x${(version === '6.1' ? '61' : '30').repeat(20)}`
    const options = { ...mine(), receiver, feeBps: 100, referrer }
    const swap = await api().swap(ether(), { ...options, slippageBps: 50 })
    expect(readDescription(swap.data).dstReceiver.toLowerCase()).toBe(receiver)
    const before = await balance(localnet.tokens.USDC, receiver)
    await execute(swap)
    expect(await balance(localnet.tokens.USDC, receiver)).toBe(before + swap.returns)
    expect(await localnet.client.getBalance({ address: referrer })).toBe(parseEther('0.01'))
  })

  it('sets the partial-fill flag in the calldata when allowPartialFill is set', async () => {
    const swap = await api().swap(ether(), { ...mine(), slippageBps: 50, allowPartialFill: true })
    expect(readDescription(swap.data).flags).toBe(1n)
  })

  it('builds a swap with forceApprove before the token is approved', async () => {
    const link = trade(localnet.tokens.LINK, localnet.tokens.USDC, parseEther('1'))
    const { returns } = await api().quote(link)
    const options = { ...mine(), leastReturn: computeMinReturn(returns, 50) }
    expect(await failure(api().swap(link, options))).toMatchObject({ code: 'not-enough-allowance' })
    const swap = await api().swap(link, { ...options, forceApprove: true })
    expect(swap.returns).toBe(returns)
    expect(swap.gas).toBeGreaterThan(100_000n)
  })

  it('sets enough gas for the swap to succeed on chain', async () => {
    const swap = await api().swap(trade(localnet.tokens.USDC, nativeTokenAddress, 1_000_000_000n), {
      ...mine(),
      slippageBps: 50,
    })
    expect((await execute(swap)).status).toBe('success')
  })

  it('returns the router as spender', async () => {
    expect(await api().spender()).toBe(localnet.config.router)
  })

  it('lists the same liquidity sources as the other version', async () => {
    const sources = await api().sources()
    const others = await apis[version === '6.1' ? '3.0' : '6.1'].sources()
    const words = (list: typeof sources) => list.map(({ id, title }) => ({ id, title }))
    expect(words(sources)).toEqual(words(others))
  })

  it('maps service errors to the wallet’s error codes', async () => {
    const { USDC, DAI, BROOK } = localnet.tokens
    const poor: Address = `0x${'99'.repeat(20)}`
    const poorly = { from: poor, origin: poor, slippageBps: 50 }
    const cases: [string, string, () => Promise<unknown>][] = [
      [
        'no-route',
        'INSUFFICIENT_LIQUIDITY',
        () => api().quote(trade(BROOK, USDC, 5n), { complexityLevel: 0 }),
      ],
      ['unknown-token', 'UNKNOWN_TOKEN', () => api().quote(trade(USDC, poor, 5n))],
      ['refused-request', 'GAS_PRICE_NOT_ALLOWED', () => api().quote(ether(), { gasPrice: 10n ** 14n })],
      ['refused-request', 'VALIDATION_FAILED', () => api().quote(ether(), { protocols: ['MOON'] })],
      ['not-enough-balance', 'NOT_ENOUGH_BALANCE', () => api().swap(trade(USDC, DAI, 5_000_000n), poorly)],
      ['refused-request', 'NOT_FOUND', () => connect(version, 1).spender()],
    ]
    for (const [code, serviceCode, ask] of cases) {
      expect(await failure(ask()), serviceCode).toMatchObject({ code, facts: { serviceCode } })
    }
  })
})

function connect(serviceVersion: Version, chainId = localnet.chainId): SwapApi {
  const network: Network = {
    chainId,
    name: 'Local',
    coin: { symbol: 'ETH', name: 'Ether' },
    serviceUrl: service.url,
    serviceVersion,
    rpcUrl: localnet.rpcUrl,
    confirmations: 1,
    quoteEveryMs: 1_000,
  }
  return createApi(network, { sleep: async () => undefined })
}

function trade(sell: Address, buy: Address, amount: bigint): Trade {
  return { chainId: localnet.chainId, sell, buy, amount }
}

const ether = () => trade(nativeTokenAddress, localnet.tokens.USDC, parseEther('1'))

const mine = () => ({ from: owner, origin: owner }) satisfies Partial<SwapOptions>

function pairs(route: Route): string[] {
  return route.flatMap(({ token, hops }) => hops.map(({ buy }) => `${token} ${buy}`)).sort()
}

function connectorsOf(route: Route): Set<Address> {
  return new Set(route.slice(1).map(({ token }) => token))
}

function names(route: Route): string[] {
  const all = route.flatMap(({ hops }) => hops.flatMap(({ sources }) => sources.map(({ name }) => name)))
  return [...new Set(all)].sort()
}

const router = parseAbi([
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, Description desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])

function readDescription(data: Hex) {
  return decodeFunctionData({ abi: router, data }).args[1]
}

function promiseOf({ data, from }: SwapTransaction): bigint {
  const { minReturnAmount, dstReceiver } = readDescription(data)
  expect([from, zeroAddress]).toContain(dstReceiver.toLowerCase())
  return minReturnAmount
}

async function approve(token: Address): Promise<void> {
  const data = approvalData(localnet.config.router, 2n ** 256n - 1n)
  await localnet.client.impersonateAccount({ address: owner })
  await localnet.client.execute({ account: owner, to: token, data })
  await service.engine.refresh()
}

async function execute({ from, to, data, value, gas }: SwapTransaction) {
  await localnet.client.impersonateAccount({ address: from })
  const receipt = await localnet.client.execute({ account: from, to, data, value, gas })
  await service.engine.refresh()
  return receipt
}

function balance(token: Address, owner: Address): Promise<bigint> {
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  return localnet.client.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] })
}
