import { beforeEach, describe, expect, it } from 'vitest'
import { getServicePrices } from '../../../src/api/prices.ts'
import { createServicePrices } from '../../../src/background/prices/servicePrices.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { local } from '../../helpers/state/fakes.ts'

const network: Network = { ...local, serviceUrl: 'https://service.example/', serviceKey: 'secret-key' }
const [one, other]: Address[] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]

let asked: { url: string; headers: Record<string, string> }[]
let answer: () => Response | Promise<Response>
let clock: number
let hasToken: boolean
let session: ReturnType<typeof memoryArea>

beforeEach(() => {
  asked = []
  clock = 1_000_000
  hasToken = true
  session = memoryArea()
  answer = () => Response.json({ [one as string]: '2.5' })
})

function open() {
  return createServicePrices({
    session,
    now: () => clock,
    limit: { tryTake: () => hasToken },
    fetchPrices: (network) =>
      getServicePrices(network, {
        async fetch(url, init) {
          asked.push({ url: String(url), headers: init?.headers as Record<string, string> })
          return answer()
        },
      }),
  })
}

async function read(body: unknown) {
  answer = () => (typeof body === 'string' ? new Response(body) : Response.json(body))
  return (await open()(network)).prices
}

describe('request for the prices of a service', () => {
  it('names the chain and dollars, and no token', async () => {
    expect(await open()(network)).toEqual({ at: clock, prices: { [one as string]: '2.5' } })
    const { url, headers } = asked[0] ?? {}
    expect(url).toBe(`https://service.example/price/v1.1/${network.chainId}?currency=USD`)
    expect(headers).toMatchObject({ authorization: 'Bearer secret-key' })
  })

  it('is beside a swap API under /swap', async () => {
    await open()({ ...network, serviceUrl: 'https://service.example/swap' })
    expect(asked[0]?.url).toBe(`https://service.example/price/v1.1/${network.chainId}?currency=USD`)
  })

  it('is not made without a service, or of one of version 3.0', async () => {
    expect(await open()({ ...network, serviceUrl: '' })).toEqual({ at: 0, prices: {} })
    expect(await open()({ ...network, serviceVersion: '3.0' })).toEqual({ at: 0, prices: {} })
    expect(asked).toEqual([])
  })

  it('is made once a minute, whoever asks and even after a restart of the worker', async () => {
    const list = open()
    await Promise.all([list(network), list(network)])
    await open()(network)
    clock += 59_000
    expect((await open()(network)).prices).toEqual({ [one as string]: '2.5' })
    expect(asked).toHaveLength(1)
    clock += 2_000
    await open()(network)
    expect(asked).toHaveLength(2)
  })

  it('is made again for another service of the chain', async () => {
    await open()(network)
    await open()({ ...network, serviceUrl: 'https://other.example' })
    expect(asked).toHaveLength(2)
  })

  it('is not repeated after a failure, and after a minute is made again', async () => {
    answer = () => new Response('', { status: 500 })
    expect((await open()(network)).prices).toEqual({})
    await open()(network)
    expect(asked).toHaveLength(1)
    clock += 61_000
    answer = () => Response.json({ [one as string]: '3' })
    expect((await open()(network)).prices).toEqual({ [one as string]: '3' })
  })

  it('waits for as long as the service says after a 429', async () => {
    answer = () => new Response('', { status: 429, headers: { 'retry-after': '60' } })
    await open()(network)
    clock += 59_900
    await open()(network)
    expect(asked).toHaveLength(1)
    clock += 200
    await open()(network)
    expect(asked).toHaveLength(2)
  })

  it('is not made while quotes need the service’s rate limit, and soon afterwards', async () => {
    hasToken = false
    expect((await open()(network)).prices).toEqual({})
    expect(asked).toEqual([])
    hasToken = true
    expect((await open()(network)).prices).toEqual({ [one as string]: '2.5' })
  })

  it.each([
    ['404', () => new Response('Not found', { status: 404 })],
    ['a page', () => new Response('<html>')],
  ])('is not made for an hour after %s', async (_what, reply) => {
    answer = reply
    await open()(network)
    clock += 3_500_000
    expect((await open()(network)).prices).toEqual({})
    expect(asked).toHaveLength(1)
    clock += 200_000
    await open()(network)
    expect(asked).toHaveLength(2)
  })

  it('keeps the older list for ten minutes when the service fails', async () => {
    await open()(network)
    answer = () => Promise.reject(new TypeError('offline'))
    clock += 590_000
    expect((await open()(network)).prices).toEqual({ [one as string]: '2.5' })
    clock += 20_000
    expect((await open()(network)).prices).toEqual({})
  })
})

describe('answer with the prices of a service', () => {
  it('may hold decimal strings and numbers, and addresses in any case', async () => {
    const mixed = `0x${'aB'.repeat(20)}`
    expect(
      await read({ [one as string]: '0.000000000000000000123', [other as string]: 1e-7, [mixed]: 60_000 }),
    ).toEqual({
      [one as string]: '0.000000000000000000123',
      [other as string]: '0.00000010000000000000',
      [mixed.toLowerCase()]: '60000.00000000000000000000',
    })
  })

  it.each([
    ['zero', '0'],
    ['zero with decimals', '0.000'],
    ['negative', '-1'],
    ['not a number', 'NaN'],
    ['infinite', 'Infinity'],
    ['huge', '99999999999'],
    ['a huge number', 1e300],
    ['a negative number', -5],
    ['zero as a number', 0],
    ['an exponent', '1e9'],
    ['hex', '0x10'],
    ['empty', ''],
    ['null', null],
    ['an object', { usd: '1' }],
    ['a list', ['1']],
    ['a boolean', true],
    ['digits without end', '1'.repeat(500)],
  ])('omits a price that is %s, and keeps the others', async (_what, price) => {
    expect(await read({ [one as string]: price, [other as string]: '1' })).toEqual({ [other as string]: '1' })
  })

  it('omits keys that are no address', async () => {
    expect(await read('{"__proto__": "1", "constructor": "2", "0x12": "3", "toString": "4"}')).toEqual({})
  })

  it.each([
    ['a list', '["1"]'],
    ['text', '"1"'],
    ['null', 'null'],
    ['a number', '5'],
    ['no JSON', '{'],
    ['over 1 MB', `{"a": "${'1'.repeat(1_100_000)}"}`],
  ])('is ignored when it is %s', async (_what, body) => {
    expect(await read(body)).toEqual({})
  })
})
