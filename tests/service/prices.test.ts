import { afterAll, beforeAll, expect, it } from 'vitest'
import { tokens as localTokens } from '../../dev/pools/tokens.ts'
import { formatPrice } from '../../service/api/serialize.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { getServicePrices } from '../../src/api/prices.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.stop())

const path = '/price/v1.1/31337'

it('answers dollars of the whole list, the native coin like the wrapped one', async () => {
  const { status, body } = await running.request(`${path}?currency=USD`)
  expect(status).toBe(200)
  const { tokens } = running.localnet
  for (const { symbol, cents } of localTokens) {
    expect(Number(body[tokens[symbol]]) / (Number(cents) / 100), symbol).toBeCloseTo(1, 2)
  }
  expect(body[nativeTokenAddress]).toBe(body[tokens.WETH])
  expect(Object.keys(body)).toHaveLength(localTokens.length + 1)
})

it('answers the same at the same block, and follows the pools', async () => {
  const { tokens, accounts } = running.localnet
  const ask = async () => (await running.request(`${path}?currency=usd`)).body
  const before = await ask()
  expect(await ask()).toEqual(before)
  const owner = accounts[0]!.address
  const query = { src: tokens.BROOK, dst: tokens.DAI, amount: String(10_000n * 10n ** 18n) }
  await running.chain.approve(tokens.BROOK, owner)
  const swap = await running.ask('swap', { ...query, from: owner, origin: owner, slippage: '50' })
  await running.chain.execute(swap.body.tx)
  const after = await ask()
  expect(Number(after[tokens.BROOK])).toBeLessThan(Number(before[tokens.BROOK]))
  expect(after[tokens.WBTC]).toBe(before[tokens.WBTC])
})

it('requires the currency, of which there is one', async () => {
  for (const query of ['', '?currency=']) {
    const { status, body } = await running.request(path + query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', description: 'currency is not set' })
  }
  for (const currency of ['EUR', 'USDC', 'wei']) {
    const { body } = await running.request(`${path}?currency=${currency}`)
    expect(body.code).toBe('VALIDATION_FAILED')
    expect(body.description).toBe('currency is not USD, the only currency there is')
  }
})

it.each(['http://service', 'http://service/swap'])(
  'answers the wallet with the service URL %s',
  async (serviceUrl) => {
    const network = { chainId: 31337, serviceUrl } as Network
    const fetcher = async (input: string | URL | Request, init?: RequestInit) =>
      running.handler(new Request(input, init))
    const prices = await getServicePrices(network, { fetch: fetcher })
    const { body } = await running.request(`${path}?currency=USD`)
    expect(prices).toEqual(body)
  },
)

it.each([
  [1, '1'],
  [0.1, '0.1'],
  [2998.785_291_3, '2998.7853'],
  [59_989.995_03, '59989.995'],
  [123_456_789, '123456789'],
  [100, '100'],
  [0.000_015_000_000_4, '0.000015'],
  [1.234_567_891e-9, '0.0000000012345679'],
  [9.999_999_999, '10'],
])('writes %d with eight digits and without an exponent', (price, text) => {
  expect(formatPrice(price)).toBe(text)
})
