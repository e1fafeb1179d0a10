import fc from 'fast-check'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approval as approvalOperation, swap as swapOperation } from '../../service/api/v3Operations.ts'
import type { Address } from '../../service/config.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { withoutDeadline } from '../helpers/service/deadline.ts'
import { type Answer, type Query, type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let running: Running
let tokens: Running['localnet']['tokens']
let owner: Address

beforeAll(async () => {
  running = await startRunning()
  tokens = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
})
afterAll(() => running.stop())

const nobody = `0x${'99'.repeat(20)}` as const
const ether = 10n ** 18n
const trade = (): Query => ({
  fromTokenAddress: nativeTokenAddress,
  toTokenAddress: tokens.USDC,
  amount: String(ether),
})
const logoOf = (token: Address) => `http://service/v3.0/31337/tokens/${token}.svg`
const swap = (): Query => ({ ...trade(), fromAddress: owner, slippage: '1' })

async function ask(operation: string, query: Query = {}, init: RequestInit = {}): Promise<Answer> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return running.request(`/v3.0/31337/${operation}?${new URLSearchParams(given)}`, init)
}

describe('quote', () => {
  it('returns the quote of version 6.1 with the field names of version 3.0', async () => {
    const { status, body } = await ask('quote', trade())
    expect(status).toBe(200)
    const modern = await running.ask('quote', {
      src: nativeTokenAddress,
      dst: tokens.USDC,
      amount: String(ether),
      includeGas: 'true',
    })
    expect(body).toMatchObject({
      fromToken: {
        symbol: 'ETH',
        name: 'Ether',
        address: nativeTokenAddress,
        decimals: 18,
        logoURI: logoOf(nativeTokenAddress),
      },
      toToken: {
        ...{ symbol: 'USDC', name: 'USD Coin', address: tokens.USDC, decimals: 6 },
        logoURI: logoOf(tokens.USDC),
      },
      fromTokenAmount: String(ether),
      toTokenAmount: modern.body.dstAmount,
      estimatedGas: modern.body.gas,
    })
    const sale = {
      name: 'UNISWAP_V4',
      part: 100,
      fromTokenAddress: nativeTokenAddress,
      toTokenAddress: tokens.USDC,
    }
    expect(body.protocols[0][0]).toEqual([sale])
  })

  it('sends the upper bound of the return in x-route-bound, and exposes it to web pages', async () => {
    const { headers } = await ask('quote', trade())
    expect(headers.get('x-route-bound')).toMatch(/^upper="\d+", gap-bps=\d+\.\d\d, over=market$/)
    expect(headers.get('access-control-expose-headers')?.split(',')).toContain('x-route-bound')
  })

  it('nests the route as main routes, steps and pieces that sum to 100', async () => {
    const { body } = await ask('quote', { ...trade(), amount: String(2_000n * ether), gasPrice: '0' })
    expect(body.protocols.length).toBeGreaterThan(1)
    for (const steps of body.protocols) {
      expect(steps[0][0].fromTokenAddress).toBe(nativeTokenAddress)
      expect(steps.at(-1)[0].toTokenAddress).toBe(tokens.USDC)
      let holds = nativeTokenAddress
      for (const pieces of steps) {
        expect(sum(pieces)).toBe(100)
        const { toTokenAddress } = pieces[0]
        for (const piece of pieces) expect(piece).toMatchObject({ fromTokenAddress: holds, toTokenAddress })
        holds = toTokenAddress
      }
    }
  })

  it('includes the fee in fromTokenAmount', async () => {
    const { body } = await ask('quote', { ...trade(), fee: '2.5' })
    const without = await ask('quote', { ...trade(), amount: String((ether * 975n) / 1000n) })
    expect(body.fromTokenAmount).toBe(String(ether))
    expect(body.toTokenAmount).toBe(without.body.toTokenAmount)
  })

  it('respects protocols, connectorTokens, complexityLevel, parts and gasLimit', async () => {
    const only = await ask('quote', { ...trade(), protocols: 'UNISWAP_V2' })
    expect(names(only.body)).toEqual(['UNISWAP_V2', 'WETH'])

    const brook = { fromTokenAddress: tokens.BROOK, toTokenAddress: tokens.USDC, amount: String(ether) }
    const refusal = { status: 400, body: { code: 'INSUFFICIENT_LIQUIDITY' } }
    expect(await ask('quote', { ...brook, complexityLevel: '0' })).toMatchObject(refusal)
    expect(await ask('quote', { ...brook, complexityLevel: '1' })).toMatchObject({ status: 200 })
    expect(await ask('quote', { ...brook, connectorTokens: tokens.DAI })).toMatchObject({ status: 200 })
    expect(await ask('quote', { ...brook, connectorTokens: tokens.LINK })).toMatchObject(refusal)
    expect(await ask('quote', { ...brook, gasLimit: '100000' })).toMatchObject(refusal)

    const large = { ...trade(), amount: String(2_000n * ether), gasPrice: '0' }
    const whole = await ask('quote', large)
    const single = await ask('quote', { ...large, parts: '1', mainRouteParts: '1' })
    expect(single.body.protocols).toHaveLength(1)
    expect(BigInt(single.body.toTokenAmount)).toBeLessThan(BigInt(whole.body.toTokenAmount))
    // For older clients; without effect here.
    const most = { parts: '100', mainRouteParts: '50' }
    expect((await ask('quote', { ...large, ...most })).body).toEqual(whole.body)
  })

  it('limits the connector tokens of the whole route, to two by default', async () => {
    const { WETH, USDT, DAI, WBTC } = tokens
    for (const [amount, modernConnectors] of [
      [300n, 2],
      [20_000n, 3],
    ] as const) {
      const protocols =
        'WETH,UNISWAP_V2,SUSHI,UNISWAP_V3,BALANCER_V2_WEIGHTED,BALANCER_V2_STABLE,AERODROME_V2'
      const large = { ...trade(), amount: String(amount * ether), gasPrice: '0', protocols }
      const modern = await running.ask('quote', {
        ...{ src: nativeTokenAddress, dst: tokens.USDC, amount: large.amount, gasPrice: '0' },
        ...{ includeProtocols: 'true', protocols },
      })
      // Wrapping is no connector.
      const passed = modern.body.protocols.map(({ token }: { token: Address }) => token)
      const between = passed.filter((token: Address) => token !== nativeTokenAddress && token !== WETH)
      expect(between).toHaveLength(modernConnectors)
      for (const [query, most] of [
        [{}, 2],
        [{ complexityLevel: '0' }, 0],
        [{ complexityLevel: '1' }, 1],
        [{ complexityLevel: '2' }, 2],
        [{ complexityLevel: '3' }, 3],
        [{ connectorTokens: USDT }, 1],
        [{ connectorTokens: [USDT, DAI, WBTC].join(',') }, 2],
        [{ connectorTokens: [USDT, DAI, WBTC].join(','), complexityLevel: '3' }, 3],
        [{ connectorTokens: [USDT, DAI, WBTC].join(','), complexityLevel: '1' }, 1],
      ] as const) {
        const { status, body } = await ask('quote', { ...large, ...query })
        expect(status).toBe(200)
        expect(connectorsOf(body).size, JSON.stringify(query)).toBeLessThanOrEqual(most)
      }
      const sold = await ask('swap', { ...swap(), amount: large.amount, disableEstimate: 'true' })
      expect(connectorsOf(sold.body).size).toBeLessThanOrEqual(2)
    }

    function connectorsOf({ protocols }: Answer['body']): Set<Address> {
      const pieces: { fromTokenAddress: Address; toTokenAddress: Address }[] = protocols.flat(2)
      const passed = new Set(pieces.flatMap((piece) => [piece.fromTokenAddress, piece.toTokenAddress]))
      for (const end of [nativeTokenAddress, WETH, tokens.USDC]) passed.delete(end)
      return passed
    }
  })

  it.each([
    [{ fromTokenAddress: undefined }, 'REQUIRED_FIELD_MISSING', 'fromTokenAddress is not set'],
    [{ toTokenAddress: 'x' }, 'VALIDATION_FAILED', 'toTokenAddress is not an address'],
    [{ amount: '1e18' }, 'INVALID_NUMBER', 'amount is not a decimal integer'],
    [{ amount: '0' }, 'VALIDATION_FAILED', 'amount must be above 0'],
    [{ fee: '3.1' }, 'VALIDATION_FAILED', 'fee must not be above 3'],
    [{ complexityLevel: '4' }, 'VALIDATION_FAILED', 'complexityLevel must be from 0 to 3'],
    [{ complexityLevel: 'two' }, 'INVALID_NUMBER', 'complexityLevel is not a whole number'],
    [{ connectorTokens: '2' }, 'VALIDATION_FAILED', 'connectorTokens is not one to five addresses'],
    [{ parts: '101' }, 'VALIDATION_FAILED', 'parts must be from 0 to 100'],
    [{ mainRouteParts: '51' }, 'VALIDATION_FAILED', 'mainRouteParts must be from 0 to 50'],
    [{ gasLimit: '11500001' }, 'VALIDATION_FAILED', 'gasLimit must be from 100000 to 11500000'],
    [{ gasPrice: '10000000000001' }, 'GAS_PRICE_NOT_ALLOWED', /^gas price not allowed/],
    [{ protocols: 'NOPE' }, 'VALIDATION_FAILED', 'unknown protocol NOPE'],
    [{ toTokenAddress: nobody }, 'UNKNOWN_TOKEN', `unknown token ${nobody}`],
    [{ toTokenAddress: nativeTokenAddress }, 'VALIDATION_FAILED', 'src and dst should be different'],
  ])('rejects a quote with %j', async (fault: Query, code, description) => {
    const { status, body } = await ask('quote', { ...trade(), ...fault })
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect(body.description).toMatch(description)
  })

  it('ignores parameters of version 6.1', async () => {
    const { status } = await ask('quote', { ...trade(), includeGas: 'maybe', connectorTokens: undefined })
    expect(status).toBe(200)
    const { body } = await ask('quote', { src: nativeTokenAddress, dst: tokens.USDC, amount: '1' })
    expect(body).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', description: 'fromTokenAddress is not set' })
  })
})

describe('swap', () => {
  it('pays the stated amount to the recipient and the fee to the referrer', async () => {
    const [, , , receiver, referrer] = running.localnet.accounts.map(({ address }) => address)
    const { body } = await ask('swap', {
      ...swap(),
      destReceiver: receiver!,
      referrerAddress: referrer!,
      fee: '1',
      burnChi: 'true',
    })
    expect(body.fromTokenAmount).toBe(String(ether))
    expect(body.tx).toMatchObject({ from: owner, to: running.config.router, value: String(ether) })

    const before = await running.chain.balance(tokens.USDC, receiver!)
    const earned = await running.chain.balance(nativeTokenAddress, referrer!)
    await running.chain.execute(body.tx)
    expect(await running.chain.balance(tokens.USDC, receiver!)).toBe(before + BigInt(body.toTokenAmount))
    expect(await running.chain.balance(nativeTokenAddress, referrer!)).toBe(earned + ether / 100n)
  })

  it('builds the same transaction as version 6.1 for the same trade', async () => {
    const { body } = await ask('swap', { ...swap(), slippage: '0.3333' })
    const modern = await running.ask('swap', {
      src: nativeTokenAddress,
      dst: tokens.USDC,
      amount: String(ether),
      from: owner,
      origin: owner,
      slippage: '0.3333',
    })
    expect(withoutDeadline(body).tx).toEqual(withoutDeadline(modern.body).tx)
    expect(body.toTokenAmount).toBe(modern.body.dstAmount)
  })

  it('reads flags in any form, and empty optional values as absent', async () => {
    const plain = await ask('swap', { ...swap(), disableEstimate: 'true' })
    const empty = { destReceiver: '', referrerAddress: '', protocols: '', burnChi: '', gasPrice: '', fee: '' }
    const given = await ask('swap', { ...swap(), ...empty, disableEstimate: '1', allowPartialFill: 'FALSE' })
    expect(given.status).toBe(200)
    expect(withoutDeadline(given.body)).toEqual(withoutDeadline(plain.body))
    const refused = await ask('swap', { ...swap(), fromAddress: nobody, disableEstimate: '' })
    expect(refused.body.code).toBe('NOT_ENOUGH_BALANCE')
  })

  it.each([
    [{ fromAddress: undefined }, 'REQUIRED_FIELD_MISSING', 'fromAddress is not set'],
    [{ slippage: undefined }, 'REQUIRED_FIELD_MISSING', 'slippage is not set'],
    [{ slippage: 'some' }, 'INVALID_NUMBER', 'slippage is not a number'],
    [{ slippage: '50.01' }, 'SLIPPAGE_TOO_HIGH', 'slippage must not be above 50'],
    [{ destReceiver: `0x${'00'.repeat(20)}` }, 'VALIDATION_FAILED', 'destReceiver is the zero address'],
    [{ referrerAddress: 'x' }, 'VALIDATION_FAILED', 'referrerAddress is not an address'],
    [{ burnChi: 'yes' }, 'VALIDATION_FAILED', 'burnChi is not true or false'],
    [{ allowPartialFill: '2' }, 'VALIDATION_FAILED', 'allowPartialFill is not true or false'],
    [{ disableEstimate: 'on' }, 'VALIDATION_FAILED', 'disableEstimate is not true or false'],
    [{ fromAddress: '' }, 'REQUIRED_FIELD_MISSING', 'fromAddress is not set'],
    [{ slippage: '' }, 'INVALID_NUMBER', 'slippage is not a number'],
    [{ fee: '1' }, 'FEE_WITHOUT_REFERRER', /referrer/],
    [{ gasPrice: '0' }, 'GAS_PRICE_NOT_ALLOWED', /^gas price not allowed/],
    [{ fromAddress: nobody }, 'NOT_ENOUGH_BALANCE', /^Not enough balance/],
  ])('rejects a swap with %j', async (fault: Query, code, description) => {
    const { status, body } = await ask('swap', { ...swap(), ...fault })
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect(body.description).toMatch(description)
  })

  it('accepts the minimum and the maximum slippage', async () => {
    for (const slippage of ['0', '50']) expect((await ask('swap', { ...swap(), slippage })).status).toBe(200)
  })

  it('requires an allowance, except with disableEstimate', async () => {
    const query = { ...swap(), fromTokenAddress: tokens.LINK, fromAddress: owner }
    const { body } = await ask('swap', query)
    expect(body).toMatchObject({ code: 'NOT_ENOUGH_ALLOWANCE' })
    expect(await ask('swap', { ...query, disableEstimate: 'true' })).toMatchObject({ status: 200 })
  })

  it('reports a fee-on-transfer token in the error', async () => {
    await running.chain.approve(tokens.DTT, owner)
    const taxed = { ...swap(), fromTokenAddress: tokens.DTT, toTokenAddress: tokens.WETH }
    const { body } = await ask('swap', { ...taxed, amount: String(10n * ether) })
    expect(body.code).toBe('ESTIMATION_FAILED')
    expect(body.description).toContain(`${tokens.DTT} charges a fee on transfer`)
  })
})

describe('approvals', () => {
  const calldata = (amount: bigint) =>
    `0x095ea7b3${running.config.router.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

  it('returns the router as spender', async () => {
    expect((await ask('approve/spender')).body).toEqual({ address: running.config.router })
  })

  it.each([
    [{ amount: '1000' }, 1_000n],
    [{ amount: '0' }, 0n],
    [{ infinity: 'true' }, maxUint256],
  ])('builds calldata for %j', async (query: Query, amount) => {
    const { body } = await ask('approve/calldata', { tokenAddress: tokens.USDC, ...query })
    const gasPrice = String(running.engine.gasPrice())
    expect(body).toEqual({ to: tokens.USDC, data: calldata(amount), gasPrice, value: '0' })
  })

  it.each([{}, { infinity: 'false' }, { amount: '1', infinity: 'true' }, { amount: '1', infinity: 'false' }])(
    'rejects %j, since exactly one of amount and infinity is required',
    async (query: Query) => {
      const { status, body } = await ask('approve/calldata', { tokenAddress: tokens.USDC, ...query })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'VALIDATION_FAILED',
        description: 'exactly one of amount and infinity=true must be set',
      })
    },
  )

  it.each([
    [{ amount: '1' }, 'REQUIRED_FIELD_MISSING'],
    [{ tokenAddress: nativeTokenAddress, amount: '1' }, 'VALIDATION_FAILED'],
    [{ tokenAddress: nobody, amount: '1' }, 'UNKNOWN_TOKEN'],
    [{ tokenAddress: nobody, amount: '0x1' }, 'INVALID_NUMBER'],
    [{ tokenAddress: nobody, infinity: 'yes' }, 'VALIDATION_FAILED'],
  ])('rejects an approval with %j', async (query: Query, code) => {
    expect((await ask('approve/calldata', query)).body).toMatchObject({ statusCode: 400, code })
  })
})

describe('protocols', () => {
  it('lists the ids of the sources of version 6.1', async () => {
    const { body } = await ask('protocols')
    const modern = await running.ask('liquidity-sources')
    expect(body.protocols).toEqual(modern.body.protocols.map(({ id }: { id: string }) => id))
    expect(body.protocols).toContain('UNISWAP_V2')
  })

  it('returns titles and images of all protocols or of one', async () => {
    const { body } = await ask('protocols/images')
    const ids = body.protocols.map(({ id }: { id: string }) => id)
    expect(ids).toEqual((await ask('protocols')).body.protocols)
    const one = await ask('protocols/images/UNISWAP_V3')
    expect(one.body.protocols).toEqual([body.protocols[ids.indexOf('UNISWAP_V3')]])
    expect(one.body.protocols[0]).toMatchObject({ title: 'Uniswap V3', img: expect.stringMatching(/^data:/) })
  })

  it.each(['NOPE', 'uniswap_v3', '%ff', 'UNISWAP_V3/'])(
    'answers NOT_FOUND for the image of %s',
    async (id) => {
      expect(await ask(`protocols/images/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    },
  )
})

describe('headers', () => {
  it.each([
    ['quote', 3],
    ['swap', 3],
    ['approve/calldata', 300],
    ['approve/spender', 300],
    ['protocols', 300],
    ['protocols/images', 300],
    ['protocols/images/WETH', 300],
  ])('allows any origin to read %s, and caches to keep it for %i seconds', async (operation, seconds) => {
    const approval = { tokenAddress: tokens.USDC, infinity: 'true' }
    const query = operation.startsWith('approve') ? approval : swap()
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(operation, query, { method })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe(`public, max-age=${seconds}, s-maxage=${seconds}`)
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it.each([
    ['/v3.0/31337/quote', 'GET', 400],
    ['/v3.0/31337/nothing', 'GET', 404],
    ['/v3.0/1/quote', 'GET', 404],
    ['/v3.0', 'GET', 404],
    ['/v3.0/31337/quote', 'POST', 405],
  ])(
    'allows any origin to read the errors of %s, and no cache to keep them',
    async (path, method, status) => {
      const answer = await running.request(path, { method, headers: { 'request-id': 'mine' } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.body).toMatchObject({ statusCode: status, requestId: 'mine', meta: null })
    },
  )

  it('answers a CORS preflight for authorization and request-id', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,request-id',
    }
    const answer = await running.request('/v3.0/31337/quote', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD')
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,request-id,content-type')
    // Without `--cors`, for version 3.0 only.
    const modern = await running.request('/v6.1/31337/quote', { method: 'OPTIONS', headers })
    expect(modern.status).toBe(405)
    expect(modern.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('varies cached responses by authorization and request id', async () => {
    expect((await ask('protocols')).headers.get('vary')).toBe('authorization, request-id')
  })
})

it('answers random queries with status 200 or 400', async () => {
  const value = fc.oneof(
    fc.constantFrom(...Object.values(tokens), nativeTokenAddress, nobody, owner, `0x${'00'.repeat(20)}`),
    fc.constantFrom('0', '1', '3', '50', '100000', '1e18', '-1', '0.5', 'true', 'false', '', 'UNISWAP_V2'),
    fc.bigInt(0n, 2n ** 257n).map(String),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const names = Object.keys({ ...swapOperation.query.shape, ...approvalOperation.query.shape })
  const operation = fc.constantFrom('quote', 'swap', 'approve/calldata', 'protocols', 'protocols/images')
  // A valid base lets many reach the router.
  const fault = fc.dictionary(fc.constantFrom(...names), fc.option(value, { nil: undefined }), { maxKeys: 4 })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(operation, fault, async (name, change) => {
      const { status } = await ask(name, { ...swap(), ...change })
      statuses.add(status)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: 300, seed: 1 },
  )
  expect(statuses).toEqual(new Set([200, 400]))
})

function sum(pieces: { part: number }[]): number {
  return pieces.reduce((total, { part }) => total + part, 0)
}

function names({ protocols }: { protocols: { name: string }[][][] }): string[] {
  return [...new Set(protocols.flat(2).map(({ name }) => name))].sort()
}
