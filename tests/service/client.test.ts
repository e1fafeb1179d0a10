import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { RunningService } from '../../service/server.ts'
import type { SwapApi } from '../../src/api/client.ts'
import { createHttp } from '../../src/api/http.ts'
import { v6 } from '../../src/api/v6.ts'
import { nativeTokenAddress } from '../../src/domain/token/token.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'

// Wallet client and service share no code; they meet here.
let localnet: Localnet
let service: RunningService
let api: SwapApi
beforeAll(async () => {
  localnet = await createLocalnet()
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl, keys: new Set(['key']) })
  api = v6(createHttp({ baseUrl: service.url, key: 'key' }), 31337)
})
afterAll(async () => {
  await service.stop()
  await localnet.stop()
})

const trade = () => ({
  chainId: 31337,
  sell: nativeTokenAddress,
  buy: localnet.tokens.USDC,
  amount: 10n ** 18n,
})
const from = () => localnet.accounts[0]!.address

it('quotes a trade and builds a swap for the quoted amount', async () => {
  const quote = await api.quote(trade())
  expect(quote.returns).toBeGreaterThan(2_900_000_000n)
  expect(quote.gas).toBeGreaterThan(50_000n)
  // Pools of Uniswap v4 buy the native token itself; the rest is wrapped.
  const [first] = quote.route
  expect(first!.token).toBe(nativeTokenAddress)
  expect(first!.hops.flatMap(({ sources }) => sources)).toContainEqual(
    expect.objectContaining({ name: 'WETH' }),
  )
  expect(first!.hops.reduce((sum, { share }) => sum + (share ?? 0), 0)).toBeCloseTo(100, 6)

  const swap = await api.swap(trade(), { from: from(), origin: from(), slippageBps: 33 })
  expect(swap).toMatchObject({
    from: from(),
    to: localnet.config.router,
    value: 10n ** 18n,
    returns: quote.returns,
  })
  expect(swap.route).toEqual(quote.route)
})

it('sends every option in a form that the service accepts', async () => {
  const options = {
    protocols: ['UNISWAP_V2', 'UNISWAP_V3', 'WETH'],
    excludedProtocols: ['UNISWAP_V3'],
    feeBps: 25,
    gasPrice: 10n ** 9n,
    complexityLevel: 1,
    parts: 10,
    mainRouteParts: 3,
    gasLimit: 1_000_000,
    connectorTokens: [localnet.tokens.WETH],
  }
  const quote = await api.quote(trade(), options)
  const swap = await api.swap(trade(), {
    ...options,
    from: from(),
    origin: from(),
    leastReturn: quote.returns,
    receiver: localnet.accounts[1]!.address,
    referrer: localnet.accounts[2]!.address,
    allowPartialFill: false,
    compatibility: false,
    disableEstimate: false,
    usePermit2: false,
    forceApprove: true,
    createAccessList: true,
  })
  expect(swap.returns).toBe(quote.returns)
})

it('quotes and swaps the same with the URL that public services have', async () => {
  const elsewhere = v6(createHttp({ baseUrl: `${service.url}/swap`, key: 'key' }), 31337)
  const { returns, route } = await elsewhere.quote(trade())
  expect({ returns, route }).toEqual({ returns: (await api.quote(trade())).returns, route })
  expect(route[0]).toMatchObject({ token: nativeTokenAddress })
  const swap = await elsewhere.swap(trade(), { from: from(), origin: from(), slippageBps: 33 })
  expect(swap).toMatchObject({ to: localnet.config.router, returns, route })
  expect(await elsewhere.tokens()).toEqual(await api.tokens())
})

it('reads the spender, the sources and the tokens', async () => {
  expect(await api.spender()).toBe(localnet.config.router)
  expect((await api.sources()).map(({ id }) => id)).toContain('UNISWAP_V3')
  const tokens = await api.tokens()
  expect(tokens.find(({ address }) => address === localnet.tokens.USDC)).toMatchObject({
    symbol: 'USDC',
    eip2612: true,
  })
  expect(tokens.find(({ address }) => address === localnet.tokens.DTT)).toMatchObject({ taxed: true })
})

it('maps errors of the service to error codes of the wallet', async () => {
  const refused = (change: object, options = {}) =>
    api.swap({ ...trade(), ...change }, { from: from(), origin: from(), slippageBps: 50, ...options })
  const { USDC, DAI, DTT, WETH, BROOK } = localnet.tokens
  await expect(refused({ amount: 10n ** 30n })).rejects.toMatchObject({ code: 'not-enough-balance' })
  await expect(refused({ sell: DAI })).rejects.toMatchObject({ code: 'not-enough-allowance' })
  await expect(refused({ buy: DTT, amount: 10n ** 15n })).rejects.toMatchObject({ code: 'estimation-failed' })
  await expect(refused({ buy: `0x${'99'.repeat(20)}` })).rejects.toMatchObject({ code: 'unknown-token' })
  await expect(refused({ buy: localnet.config.multicall })).rejects.toMatchObject({ code: 'unknown-token' })
  await expect(refused({ buy: BROOK }, { complexityLevel: 0 })).rejects.toMatchObject({ code: 'no-route' })
  await expect(refused({ sell: USDC, buy: WETH }, { protocols: ['NOPE'] })).rejects.toMatchObject({
    code: 'refused-request',
  })
  const keyless = v6(createHttp({ baseUrl: service.url }), 31337)
  await expect(keyless.tokens()).rejects.toMatchObject({ code: 'service-forbidden' })
})
