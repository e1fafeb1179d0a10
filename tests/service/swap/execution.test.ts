import fc from 'fast-check'
import { erc20Abi, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import type { Engine } from '../../../service/engine.ts'
import type { SettledRoute } from '../../../service/routing/gasParts.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'
import { estimateGas } from '../../../service/swap/quote.ts'
import { createCalls } from '../../contracts/fuzz/calls.ts'
import { runs } from '../../helpers/runs.ts'
import { readWord, writeWord } from '../../helpers/service/lyingService.ts'
import { type Coin, tradeOf } from '../../helpers/service/requests.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const sources = [
  'UNISWAP_V2',
  'SUSHI',
  'UNISWAP_V3',
  'BALANCER_V2_WEIGHTED',
  'BALANCER_V2_STABLE',
  'AERODROME_V2',
  'CURVE',
  'CURVE_V1_FACTORY',
  'CURVE_STABLE_NG',
  'PANCAKESWAP_STABLE',
  'UNISWAP_V4',
  'ALGEBRA',
  'BALANCER_V3_WEIGHTED',
  'BALANCER_V3_STABLE',
  'AERODROME_SLIPSTREAM',
  'BALANCER_V2_COMPOSABLE_STABLE',
] as const

const coins: readonly Coin[] = ['ETH', 'WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'LINK', 'BROOK']

const rounds = runs(13, 14)

let running: Running
let localnet: Localnet
let engine: Engine
let calls: ReturnType<typeof createCalls>

beforeAll(async () => {
  running = await startRunning()
  localnet = running.localnet
  engine = running.engine
  calls = createCalls(localnet.client)
  for (const coin of coins) if (coin !== 'ETH') await approve(localnet.tokens[coin])
  await localnet.client.setBalance({ address: deployer, value: 10n ** 27n })
  await localnet.client.writeContractSync({
    address: localnet.tokens.WETH,
    abi: [{ type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' }],
    functionName: 'deposit',
    value: 10n ** 26n,
  })
  await engine.refresh()
})

afterAll(() => running.stop())

const receiver: Address = '0x00000000000000000000000000000000000c0ffe'
const referrer: Address = `0x${'fee5'.padEnd(40, '0')}`

/** Swaps whose pool pays at most 100/121 of its price at the end: a tenth of a constant product pool. */
const seen = { executed: 0, beyondTenth: 0 }

describe('route execution', () => {
  it('delivers exactly the stated amount and refuses one more, for every pair', async () => {
    const pairs = coins.flatMap((sell) => coins.filter((buy) => buy !== sell).map((buy) => ({ sell, buy })))
    const draws = fc.sample(
      fc.record({
        usd: fc.oneof(dollars(-3, 6.5), dollars(-3, 6.5), dollars(5.5, 6.5)),
        gasPrice: fc.constantFrom(0n, 10n ** 9n, 100n * 10n ** 9n),
        complexityLevel: fc.constantFrom(0, 1, 2, 2, 2),
        feePpm: fc.constantFrom(0, 0, 3_000, 30_000),
        apart: fc.boolean(),
        source: fc.constantFrom(...sources.map(() => null), ...sources),
      }),
      { numRuns: pairs.length * rounds, seed: 1 },
    )
    const executed = { calls: 0, answers: 0, bySource: new Map<string, number>(), inBranches: 0 }
    for (const [i, draw] of draws.entries()) {
      const { sell, buy } = pairs[i % pairs.length]!
      const { usd, feePpm, source, ...limits } = draw
      const only = source === null ? {} : { sources: new Set(['WETH', source]) }
      const whole = tradeOf(localnet, sell, buy, usd, { ...limits, ...only })
      const amount = whole.amount - (whole.amount * BigInt(feePpm)) / 1_000_000n
      const route = await engine.route({ ...whole, amount })
      if (!route) continue
      for (const { pool } of route.edges) {
        executed.bySource.set(pool.source, (executed.bySource.get(pool.source) ?? 0) + 1)
      }
      if (route.branches.length > 1) executed.inBranches++
      const text = `${sell} to ${buy}, ${JSON.stringify({ ...draw, gasPrice: `${draw.gasPrice}` })}`
      // Every third sends the service's answer unchanged.
      if (i % 3 === 0) {
        const { status, body } = await ask(whole, feePpm)
        expect(status, text).toBe(200)
        await expectRefusal(body.tx, BigInt(body.dstAmount), text)
        expect(await received(whole.buy, () => running.chain.execute(body.tx)), text).toBe(
          BigInt(body.dstAmount),
        )
        executed.answers++
      } else {
        let gasUsed = 0n
        const work = async () => {
          gasUsed = await execute(whole, route, feePpm)
        }
        expect(await received(whole.buy, work), text).toBe(route.returns)
        const quoted = estimateGas({ feePpm }, route)
        // First swaps of a pool fill empty slots (gas.test.ts holds for later ones).
        expect((quoted * 17n) / 10n, text).toBeGreaterThan(gasUsed)
        expect(quoted, text).toBeLessThan((gasUsed * 17n) / 10n)
        executed.calls++
      }
    }
    console.log('Executed swaps:', executed)
    expect(executed.answers).toBeGreaterThan(10 * rounds)
    expect(executed.answers + executed.calls).toBeGreaterThanOrEqual(32 * rounds)
    expect(executed.inBranches).toBeGreaterThan(rounds / 2)
    for (const source of [...sources, 'WETH'])
      expect(executed.bySource.get(source), source).toBeGreaterThan(rounds / 2)
  }, 600_000)
})

describe('route execution over at least three connector tokens', () => {
  it('delivers exactly the stated amount and refuses one more', async () => {
    const draws = fc.sample(
      fc.record({
        pair: fc.constantFrom(
          ...coins.flatMap((sell) => coins.filter((buy) => buy !== sell).map((buy) => [sell, buy] as const)),
        ),
        usd: dollars(5, 7.5),
        feePpm: fc.constantFrom(0, 10_000),
      }),
      { numRuns: runs(400, 800), seed: 3 },
    )
    const executed = { trades: 0, connectors: new Map<number, number>(), longest: 0 }
    for (const { pair, usd, feePpm } of draws) {
      const [sell, buy] = pair
      const whole = tradeOf(localnet, sell, buy, usd)
      const amount = whole.amount - (whole.amount * BigInt(feePpm)) / 1_000_000n
      const route = await engine.route({ ...whole, amount })
      const ends = Number(sell === 'ETH') + Number(buy === 'ETH')
      const connectors = (route?.tokens.length ?? 0) - 2 - ends
      if (!route || connectors < 3) continue
      const arrived = await received(whole.buy, () => execute(whole, route, feePpm))
      expect(arrived, `${sell} to ${buy}, ${usd}`).toBe(route.returns)
      executed.trades++
      executed.connectors.set(connectors, (executed.connectors.get(connectors) ?? 0) + 1)
      executed.longest = Math.max(executed.longest, longestWay(route) - ends)
      if (executed.trades === enough) break
    }
    console.log('Routes over several connectors:', executed)
    expect(executed.trades).toBeGreaterThanOrEqual(60)
    expect(executed.longest).toBeGreaterThan(3)
  }, 300_000)
})

describe('route execution through pools that trade two pairs', () => {
  it('delivers exactly the stated amount, and answers of the service as well', async () => {
    const pairs = [
      ['DAI', 'WETH'],
      ['DAI', 'USDC'],
      ['DAI', 'USDT'],
      ['WBTC', 'USDC'],
      ['WBTC', 'LINK'],
      ['WETH', 'DAI'],
      ['BROOK', 'WBTC'],
    ] as const
    const draws = fc.sample(
      fc.record({
        pair: fc.constantFrom(...pairs),
        usd: dollars(3, 6),
        gasPrice: fc.constantFrom(0n, 10n ** 8n),
      }),
      { numRuns: runs(150, 400), seed: 5 },
    )
    const executed = { calls: 0, answers: 0 }
    for (const [i, { pair, usd, gasPrice }] of draws.entries()) {
      const [sell, buy] = pair
      const whole = tradeOf(localnet, sell, buy, usd, { gasPrice })
      const route = await engine.route(whole)
      const hops = route?.edges.map(({ pool }) => pool.address) ?? []
      if (!route || new Set(hops).size === hops.length) continue
      const text = `${sell} to ${buy}, ${usd}`
      if (i % 2 === 0) {
        expect(await received(whole.buy, () => execute(whole, route, 0)), text).toBe(route.returns)
        executed.calls++
      } else {
        const { status, body } = await ask(whole, 0)
        expect(status, text).toBe(200)
        expect(await received(whole.buy, () => running.chain.execute(body.tx)), text).toBe(
          BigInt(body.dstAmount),
        )
        await engine.refresh()
        executed.answers++
      }
    }
    expect(executed.calls).toBeGreaterThanOrEqual(6)
    expect(executed.answers).toBeGreaterThanOrEqual(6)
  }, 300_000)
})

describe('all executed swaps', () => {
  it('are at least 500, many of them beyond a tenth of a pool', () => {
    console.log('All executed swaps:', seen)
    expect(seen.executed).toBeGreaterThanOrEqual(500)
    expect(seen.beyondTenth).toBeGreaterThan(50)
  })
})

const enough = runs(70, 200)

function longestWay({ tokens, edges }: SettledRoute): number {
  const hops = tokens.map(() => 0)
  for (const { from, to } of edges) hops[to] = Math.max(hops[to]!, hops[from]! + 1)
  return hops.at(-1)!
}

function dollars(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true }).map((exponent) => 10 ** exponent)
}

/** The API takes no gas price of 0. */
function ask({ sell, buy, amount, limits }: RouteRequest, feePpm: number) {
  return running.ask('swap', {
    ...{
      src: sell,
      dst: buy,
      amount: String(amount),
      from: deployer,
      origin: deployer,
      receiver,
      slippage: '0',
    },
    gasPrice: String(limits.gasPrice || 1n),
    complexityLevel: String(limits.complexityLevel),
    allowPartialFill: String(limits.apart),
    protocols: [...limits.sources].join(','),
    ...(feePpm > 0 ? { fee: String(feePpm / 10_000), referrer } : {}),
  })
}

async function received(token: Address, work: () => Promise<unknown>): Promise<bigint> {
  const before = await running.chain.balance(token, receiver)
  await work()
  return (await running.chain.balance(token, receiver)) - before
}

async function execute(
  { sell, buy, amount, limits }: RouteRequest,
  route: SettledRoute,
  feePpm: number,
): Promise<bigint> {
  const call = encodeSwap({
    config: localnet.config,
    route,
    sell,
    buy,
    amount,
    receiver,
    minReturn: route.returns,
    deadline: 2n ** 40n,
    feePpm,
    referrer: feePpm > 0 ? referrer : undefined,
    permit: undefined,
    flags: limits.apart ? 1n : 0n,
  })
  await expectRefusal({ from: deployer, ...call }, route.returns, `${sell} to ${buy}`)
  const { gasUsed } = await localnet.client.execute({ ...call, gas: 12_000_000n })
  await engine.refresh()
  if (isBeyondTenth(route)) seen.beyondTenth++
  return gasUsed
}

/** Expects that `returns` is the minimum of the call, and that the router refuses a wei more. */
async function expectRefusal(
  { from, to, data, value }: { from: Address; to: Address; data: Hex; value: bigint | string },
  returns: bigint,
  text: string,
): Promise<void> {
  seen.executed++
  expect(readWord(data, 'floor'), text).toBe(returns)
  const call = {
    from,
    to,
    value: BigInt(value),
    data: writeWord(data, 'floor', returns + 1n),
    gas: 12_000_000n,
  }
  const [name, ...numbers] = await calls.refusalOf(call)
  expect(name, text).toMatch(/^(ReturnTooLow|FillTooLow)$/)
  expect(numbers[0], text).toBe(returns)
}

function isBeyondTenth({ edges, tokens }: SettledRoute): boolean {
  return edges.some(({ pool, from, to, sold }) => {
    if (pool.source === 'WETH') return false
    const curve = pool.curve(tokens[from]!, tokens[to]!)
    return curve.slope(Number(sold)) * 1.21 < curve.slope(0)
  })
}

async function approve(token: Address): Promise<void> {
  await localnet.client.writeContractSync({
    address: token,
    abi: erc20Abi,
    functionName: 'approve',
    args: [localnet.config.router, maxUint256],
  })
}
