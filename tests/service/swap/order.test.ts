import { afterAll, beforeAll, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

let running: Running
beforeAll(async () => {
  running = await startRunning()
  // Has no storage slot for allowances.
  await running.localnet.client.setCode({ address: stubborn, bytecode: '0x60075f5260205ff3' })
  await running.chain.approve(running.localnet.tokens.BROOK, running.localnet.accounts[0]!.address)
})
afterAll(() => running.stop())

const nobody = `0x${'99'.repeat(20)}`
const stubborn = `0x${'57'.repeat(20)}` as const
const huge = String(10n ** 30n)

function good(): Query {
  const { localnet } = running
  const from = localnet.accounts[0]!.address
  const trade = { src: localnet.tokens.BROOK, dst: localnet.tokens.USDC, amount: String(10n ** 18n) }
  return { ...trade, from, origin: from, slippage: '1' }
}

type Fault = { name: string; code: string; description?: string; add(query: Query): Query }

/** In the order of the checks. */
const faults: Fault[] = [
  {
    name: 'a missing field',
    code: 'REQUIRED_FIELD_MISSING',
    add: ({ origin: _, ...query }) => query,
  },
  {
    name: 'a malformed number',
    code: 'INVALID_NUMBER',
    add: (query) => ({ ...query, mainRouteParts: 'x' }),
  },
  {
    name: 'a number out of range',
    code: 'VALIDATION_FAILED',
    description: 'parts must be from 0 to 50',
    add: (query) => ({ ...query, parts: '51' }),
  },
  {
    name: 'slippage and minReturn',
    code: 'VALIDATION_FAILED',
    description: 'exactly one of slippage and minReturn must be set',
    add: (query) => ({ ...query, minReturn: '1' }),
  },
  {
    name: 'an unknown token',
    code: 'UNKNOWN_TOKEN',
    add: (query) => ({ ...query, dst: nobody }),
  },
  {
    name: 'one token twice',
    code: 'VALIDATION_FAILED',
    description: 'src and dst should be different',
    add: (query) => ({ ...query, src: query.dst }),
  },
  {
    name: 'a fee for nobody',
    code: 'FEE_WITHOUT_REFERRER',
    add: (query) => ({ ...query, fee: '1' }),
  },
  {
    name: 'a permit of the coin',
    code: 'PERMIT_NOT_ALLOWED_FOR_NATIVE',
    add: (query) => ({ ...sell(query, nativeTokenAddress), permit: `0x${'00'.repeat(224)}` }),
  },
  {
    name: 'an allowance that cannot be forced',
    code: 'FORCE_APPROVE_NOT_SUPPORTED',
    add: (query) => ({ ...sell(query, stubborn), forceApprove: 'true' }),
  },
  {
    name: 'an absurd gas price',
    code: 'GAS_PRICE_NOT_ALLOWED',
    add: (query) => ({ ...query, gasPrice: '10000000000001' }),
  },
  {
    name: 'no protocols',
    code: 'NO_PROTOCOLS',
    add: (query) => ({ ...query, excludedProtocols: running.engine.sources.map(({ id }) => id).join() }),
  },
  {
    name: 'no liquidity',
    code: 'INSUFFICIENT_LIQUIDITY',
    add: (query) => ({ ...query, complexityLevel: '0' }),
  },
  {
    name: 'a small balance',
    code: 'NOT_ENOUGH_BALANCE',
    add: (query) => ({ ...query, amount: huge }),
  },
  {
    name: 'no allowance',
    code: 'NOT_ENOUGH_ALLOWANCE',
    add: (query) => ({ ...query, from: running.localnet.accounts[1]!.address }),
  },
  {
    name: 'a simulation that fails',
    code: 'ESTIMATION_FAILED',
    add: (query) => ({ ...query, receiver: running.config.router }),
  },
  {
    name: 'a minimum out of reach',
    code: 'INSUFFICIENT_RETURN',
    add: ({ slippage, ...query }) =>
      query.minReturn === undefined ? { ...query, minReturn: huge } : { ...query, slippage, minReturn: huge },
  },
]

function sell(query: Query, token: string): Query {
  return { ...query, src: token, dst: query.src === query.dst ? token : query.dst }
}

it('accepts a valid swap', async () => {
  expect((await running.ask('swap', good())).status).toBe(200)
})

it.each(faults)('answers $code to $name', async ({ code, description, add }) => {
  const { status, body } = await running.ask('swap', add(good()))
  expect(status).toBe(400)
  expect(body).toMatchObject(description === undefined ? { code } : { code, description })
})

const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => ({ first, second })))
// The native token has no allowance.
const possible = pairs.filter(
  ({ first, second }) =>
    first.code !== 'PERMIT_NOT_ALLOWED_FOR_NATIVE' || second.code !== 'FORCE_APPROVE_NOT_SUPPORTED',
)

it.each(possible)('reports $first.name before $second.name', async ({ first, second }) => {
  const { body } = await running.ask('swap', second.add(first.add(good())))
  const { code, description } = first
  expect(body).toMatchObject(description === undefined ? { code } : { code, description })
})

it('reports UNKNOWN_TOKEN before other errors when the tokens are to be described', async () => {
  const src = running.localnet.contracts.v2Factory
  const query = { src, dst: running.localnet.tokens.USDC, amount: '1' }
  expect((await running.ask('quote', query)).body.code).toBe('INSUFFICIENT_LIQUIDITY')
  const swapped = { ...good(), src, includeTokensInfo: 'true' }
  expect((await running.ask('quote', { ...query, includeTokensInfo: 'true' })).body.code).toBe(
    'UNKNOWN_TOKEN',
  )
  expect((await running.ask('swap', swapped)).body.code).toBe('UNKNOWN_TOKEN')
  const legacy = `fromTokenAddress=${src}&toTokenAddress=${query.dst}&amount=1`
  const { body } = await running.request(`/v3.0/31337/quote?${legacy}`)
  expect(body.code).toBe('UNKNOWN_TOKEN')
})
