import fc from 'fast-check'
import { parseEther as ether, type Hex, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { through } from './balancer.ts'
import { type Hop, native, unwrap, v2, v3, wrap } from './fuzz/ask.ts'
import { lower } from './fuzz/calls.ts'
import { cues } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
beforeAll(async () => {
  stage = await openStage()
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('swap', () => {
  it('sells through a v3 pool at the quoter’s amount, in both directions', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    for (const [sell, buy, amount] of [
      [WETH, USDC, ether('3')] as const,
      [USDC, WETH, 9_000_000_001n] as const,
    ]) {
      const quoted = await stage.quoteV3(sell, buy, 500, amount)
      const done = await stage.swap({
        tokens: [sell, buy],
        hops: [{ kind: v3, from: 0, to: 1, pool }],
        amount,
        least: quoted,
      })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it("sells through a v2 pair at the amount of Uniswap's library, in both directions", async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pair(WETH, USDC)
    for (const [sell, buy, amount] of [
      [WETH, USDC, ether('3')] as const,
      [USDC, WETH, 9_000_000_001n] as const,
    ]) {
      const quoted = await stage.quoteV2(sell, buy, amount)
      const done = await stage.swap({
        tokens: [sell, buy],
        hops: [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }],
        amount,
        least: quoted,
      })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it('matches Uniswap’s v2 library to the wei for amounts of any size', async () => {
    const { WETH, DAI } = stage.tokens
    const pool = await stage.pair(WETH, DAI)
    const hops = [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }]
    const amounts = fc.tuple(fc.boolean(), fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 5n * 10n ** 9n))
    await fc.assert(
      fc.asyncProperty(amounts, async ([selling, one, other]) => {
        const [sell, buy] = selling ? [WETH, DAI] : [DAI, WETH]
        const amount = one * other
        const quoted = await stage.quoteV2(sell, buy, amount)
        fc.pre(quoted > 0n)
        const answer = await stage.simulate({ tokens: [sell, buy], hops, amount, least: quoted })
        expect(answer).toEqual({ returned: quoted, spent: amount })
      }),
      { numRuns: 40, seed: 1 },
    )
  })

  it('requests less output from a v2 pool with a higher fee', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pair(WETH, USDC)
    const swap = (fee: number) =>
      stage.simulate({
        tokens: [WETH, USDC],
        hops: [{ kind: v2, from: 0, to: 1, pool, fee }],
        amount: ether('1'),
      })
    const [usual, dearer] = [await swap(3_000), await swap(10_000)]
    expect(dearer.returned).toBeGreaterThan((usual.returned * 992n) / 1000n)
    expect(dearer.returned).toBeLessThan((usual.returned * 994n) / 1000n)
  })

  it('wraps native tokens and sells them', async () => {
    const { WETH, USDC } = stage.tokens
    const quoted = await stage.quoteV2(WETH, USDC, ether('2'))
    const done = await stage.swap({
      tokens: [native, WETH, USDC],
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { kind: v2, from: 1, to: 2, pool: await stage.pair(WETH, USDC), fee: 3_000 },
      ],
      amount: ether('2'),
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: ether('2'), paid: ether('2') })
  })

  it('buys wrapped native tokens and unwraps them', async () => {
    const { WETH, USDC } = stage.tokens
    const quoted = await stage.quoteV3(USDC, WETH, 3_000, 5_000_000_000n)
    const done = await stage.swap({
      tokens: [USDC, WETH, native],
      hops: [
        { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 3_000) },
        { kind: unwrap, from: 1, to: 2 },
      ],
      amount: 5_000_000_000n,
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted })
  })

  it('wraps and unwraps 1:1 without a pool', async () => {
    const { WETH } = stage.tokens
    const amount = ether('1.5')
    const wrapped = await stage.swap({
      tokens: [native, WETH],
      hops: [{ kind: wrap, from: 0, to: 1 }],
      amount,
    })
    const unwrapped = await stage.swap({
      tokens: [WETH, native],
      hops: [{ kind: unwrap, from: 0, to: 1 }],
      amount,
    })
    for (const done of [wrapped, unwrapped]) {
      expect(done).toMatchObject({ returned: amount, arrived: amount, spent: amount, paid: amount })
    }
  })

  it('splits by weight, rounds shares down and gives the last hop the rest', async () => {
    const { WETH, USDC } = stage.tokens
    const amount = ether('4') + 7n
    const shares = [(amount * 333_333n) / 1_000_000n, (amount * 166_667n) / 1_000_000n]
    const rest = amount - shares[0]! - shares[1]!
    const quoted =
      (await stage.quoteV2(WETH, USDC, shares[0]!)) +
      (await stage.quoteV3(WETH, USDC, 3_000, shares[1]!)) +
      (await stage.quoteV3(WETH, USDC, 500, rest))
    const done = await stage.swap({
      tokens: [WETH, USDC],
      hops: [
        { kind: v2, from: 0, to: 1, weight: 333_333, pool: await stage.pair(WETH, USDC), fee: 3_000 },
        { kind: v3, from: 0, to: 1, weight: 166_667, pool: await stage.pool(WETH, USDC, 3_000) },
        { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) },
      ],
      amount,
      least: quoted,
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted, paid: amount })
  })

  it('splits and joins a route over several tokens, starting from the native token', async () => {
    const { WETH, USDC, USDT, DAI } = stage.tokens
    const amount = ether('5')
    const toUsdt = (amount * 400_000n) / 1_000_000n
    const usdt = await stage.quoteV2(WETH, USDT, toUsdt)
    const usdc =
      (await stage.quoteV3(WETH, USDC, 500, amount - toUsdt)) + (await stage.quoteV3(USDT, USDC, 100, usdt))
    const dai = await stage.quoteV3(USDC, DAI, 500, usdc)
    const done = await stage.swap({
      tokens: [native, WETH, USDT, USDC, DAI],
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { kind: v2, from: 1, to: 2, weight: 400_000, pool: await stage.pair(WETH, USDT), fee: 3_000 },
        { kind: v3, from: 1, to: 3, pool: await stage.pool(WETH, USDC, 500) },
        { kind: v3, from: 2, to: 3, pool: await stage.pool(USDC, USDT, 100) },
        { kind: v3, from: 3, to: 4, pool: await stage.pool(USDC, DAI, 500) },
      ],
      amount,
      least: dai,
    })
    expect(done).toMatchObject({ returned: dai, arrived: dai, paid: amount })
  })

  it('sells a token whose transfers return nothing', async () => {
    const { USDT, WETH } = stage.tokens
    const quoted = await stage.quoteV2(USDT, WETH, 700_000_000n)
    const done = await stage.swap({
      tokens: [USDT, WETH],
      hops: [{ kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDT), fee: 3_000 }],
      amount: 700_000_000n,
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted })
  })

  it('buys a token whose transfers return nothing', async () => {
    const { USDT, WETH } = stage.tokens
    const quoted = await stage.quoteV3(WETH, USDT, 500, ether('1'))
    const done = await stage.swap({
      tokens: [WETH, USDT],
      hops: [{ kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDT, 500) }],
      amount: ether('1'),
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted })
  })

  it('sells the amount of a fee-on-transfer token that arrived', async () => {
    const { DTT, WETH } = stage.tokens
    const amount = ether('100')
    const quoted = await stage.quoteV2(DTT, WETH, afterTax(amount))
    const done = await stage.swap({ ...(await dttForWeth()), amount, least: quoted })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
  })

  it('returns the amount of a fee-on-transfer token that the recipient received', async () => {
    const { DTT, WETH } = stage.tokens
    const bought = await stage.quoteV2(WETH, DTT, ether('0.1'))
    const expected = afterTax(bought)
    const done = await stage.swap({
      tokens: [WETH, DTT],
      hops: [{ kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, DTT), fee: 3_000 }],
      amount: ether('0.1'),
      least: expected,
    })
    expect(done).toMatchObject({ returned: expected, arrived: expected })
  })

  it('routes through a fee-on-transfer token', async () => {
    const { DTT, WETH, DAI } = stage.tokens
    await stage.openPair(DTT, ether('10000'), DAI, ether('20000'))
    const dtt = afterTax(await stage.quoteV2(WETH, DTT, ether('0.1')))
    const quoted = await stage.quoteV2(DTT, DAI, dtt)
    const done = await stage.swap({
      tokens: [WETH, DTT, DAI],
      hops: [
        { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, DTT), fee: 3_000 },
        { kind: v2, from: 1, to: 2, pool: await stage.pair(DTT, DAI), fee: 3_000 },
      ],
      amount: ether('0.1'),
    })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted })
  })

  it('sends the bought tokens to a recipient other than the sender', async () => {
    const to = '0x00000000000000000000000000000000000beef0'
    const done = await stage.swap({ ...(await wethForUsdc()), to })
    expect(done.arrived).toBe(done.returned)
    expect(await stage.balance(stage.tokens.USDC, to)).toBe(done.returned)
  })

  it('pays the referrer fee from the source token and sells the rest', async () => {
    const { WETH, USDC } = stage.tokens
    const amount = ether('1') + 33n
    const fee = (amount * 12_345n) / 1_000_000n
    const quoted = await stage.quoteV3(WETH, USDC, 500, amount - fee)
    const { referrer } = stage
    const done = await stage.swap({ ...(await wethForUsdc()), amount, feePpm: 12_345, referrer })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    expect(await stage.balance(WETH, referrer)).toBe(fee)
  })

  it('pays the referrer a fee of 3 % in native tokens', async () => {
    const { WETH } = stage.tokens
    const { referrer } = stage
    const done = await stage.swap({
      tokens: [native, WETH],
      hops: [{ kind: wrap, from: 0, to: 1 }],
      amount: ether('1'),
      feePpm: 30_000,
      referrer,
    })
    expect(done).toMatchObject({ returned: ether('0.97'), paid: ether('1') })
    expect(await stage.balance(native, referrer)).toBe(ether('0.03'))
  })

  it('takes the referrer fee from the amount of a fee-on-transfer token', async () => {
    const { DTT, WETH } = stage.tokens
    const { referrer } = stage
    const fee = ether('1')
    const quoted = await stage.quoteV2(DTT, WETH, afterTax(ether('99')))
    const ask = { ...(await dttForWeth()), amount: ether('100'), feePpm: 10_000, referrer }
    expect(await stage.swap(ask)).toMatchObject({ returned: quoted, arrived: quoted, paid: ether('100') })
    expect(await stage.balance(DTT, referrer)).toBe(afterTax(fee))
  })

  it('refunds source tokens that the pool does not take', async () => {
    const { LINK, DAI } = stage.tokens
    const pool = await stage.openNarrowPool(LINK, DAI)
    const done = await stage.swap({
      tokens: [LINK, DAI],
      hops: [{ kind: v3, from: 0, to: 1, pool }],
      amount: ether('500'),
    })
    expect(done.paid).toBeGreaterThan(0n)
    expect(done.paid).toBeLessThan(ether('500'))
    expect(done.spent).toBe(done.paid)
    expect(done.arrived).toBe(done.returned)
  })

  it('passes input that an earlier hop left to the last hop', async () => {
    const { LINK, DAI } = stage.tokens
    const pool = await stage.openNarrowPool(LINK, DAI)
    await stage.openPair(LINK, ether('10000'), DAI, ether('150000'))
    const done = await stage.swap({
      tokens: [LINK, DAI],
      hops: [
        { kind: v3, from: 0, to: 1, pool, weight: 900_000 },
        { kind: v2, from: 0, to: 1, pool: await stage.pair(LINK, DAI), fee: 3_000 },
      ],
      amount: ether('500'),
    })
    expect(done).toMatchObject({ spent: ether('500'), paid: ether('500'), arrived: done.returned })
  })

  it('neither sells nor pays out idle balances of the router', async () => {
    const { WETH, USDC } = stage.tokens
    const ask = {
      tokens: [native, WETH, USDC],
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { kind: v2, from: 1, to: 2, weight: 300_000, pool: await stage.pair(WETH, USDC), fee: 3_000 },
        { kind: v3, from: 1, to: 2, pool: await stage.pool(WETH, USDC, 500) },
      ],
      amount: ether('1'),
    }
    const clean = await stage.simulate(ask)
    await stage.write(WETH, 'transfer', [stage.router, ether('0.7')], stage.stranger)
    await stage.write(USDC, 'transfer', [stage.router, 5_000_000n], stage.stranger)
    await stage.client.setBalance({ address: stage.router, value: ether('3') })

    const done = await stage.swap(ask)
    expect(done).toMatchObject(clean)
    expect(done).toMatchObject({ arrived: clean.returned, paid: ether('1') })
    expect(await stage.balance(WETH, stage.router)).toBe(ether('0.7'))
    expect(await stage.balance(USDC, stage.router)).toBe(5_000_000n)
    expect(await stage.balance(native, stage.router)).toBe(ether('3'))
  })

  it('credits the sender with a surplus above the reserves of a v2 pair', async () => {
    const { WETH, USDC } = stage.tokens
    const pair = await stage.pair(WETH, USDC)
    await stage.write(WETH, 'transfer', [pair, ether('0.5')], stage.stranger)
    const quoted = await stage.quoteV2(WETH, USDC, ether('1.5'))
    const done = await stage.swap({
      tokens: [WETH, USDC],
      hops: [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }],
      amount: ether('1'),
    })
    expect(done).toMatchObject({ returned: quoted, paid: ether('1') })
  })

  it('spends the whole amount and pays out the whole return on any route', async () => {
    const { WETH, USDT, USDC, DAI } = stage.tokens
    const tokens = [WETH, USDT, USDC, DAI]
    const weighted = await stage.openWeighted(
      new Map([
        [WETH, ether('1000')],
        [USDC, 3_000_000_000_000n],
        [DAI, ether('3000000')],
      ]),
    )
    const edges = [
      { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDT), fee: 3_000 },
      { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDT, 500) },
      { kind: v2, from: 0, to: 2, pool: await stage.pair(WETH, USDC), fee: 3_000 },
      { kind: v3, from: 0, to: 2, pool: await stage.pool(WETH, USDC, 500) },
      { kind: v2, from: 0, to: 3, pool: await stage.pair(WETH, DAI), fee: 3_000 },
      through(weighted, 0, 2),
      through(weighted, 0, 3),
      { kind: v3, from: 1, to: 2, pool: await stage.pool(USDC, USDT, 100) },
      { kind: v2, from: 2, to: 3, pool: await stage.pair(USDC, DAI), fee: 3_000 },
      { kind: v3, from: 2, to: 3, pool: await stage.pool(USDC, DAI, 500) },
      through(weighted, 2, 3),
    ]
    // Relative weights; 0 omits the edge.
    const shares = fc.array(fc.nat(9), { minLength: edges.length, maxLength: edges.length })
    await fc.assert(
      fc.asyncProperty(shares, fc.bigInt(10n ** 13n, ether('4')), async (ofEdges, amount) => {
        const hops = routeAlong(edges, ofEdges)
        fc.pre(hops.some(({ to }) => to === 3))
        const done = await stage.rehearse(() => stage.swap({ tokens, hops, amount }))
        expect(done).toMatchObject({ paid: amount, spent: amount, arrived: done.returned })
      }),
      { numRuns: 25, seed: 2 },
    )
  })

  it('runs twice in one transaction', async () => {
    const { WETH, USDC } = stage.tokens
    const account = await stage.deploy('Puppet')
    await stage.write(WETH, 'transfer', [account, ether('2')], stage.seller)
    const ask = await wethForUsdc()
    const swap = { target: stage.router, data: stage.toCall(ask).data! }
    await stage.teach(account, cues.coin, [
      { target: WETH, data: stage.encode('approve', [stage.router, ether('2')]) },
      swap,
      swap,
    ])
    await stage.send({ from: stage.stranger, to: account })
    expect(await stage.outcomes(account)).toEqual([undefined, undefined, undefined])
    expect(await stage.balance(WETH, account)).toBe(0n)
    expect(await stage.balance(USDC, account)).toBeGreaterThan(0n)
  })

  it('emits one Swapped event with the sender and both amounts', async () => {
    const ask = await wethForUsdc()
    const to = '0x00000000000000000000000000000000000beef0'
    const done = await stage.swap({ ...ask, to })
    const [event, ...others] = parseEventLogs({
      abi: readArtifact('SwapRouter').abi,
      logs: done.logs.filter(({ address }) => address === stage.router),
    })
    expect(others).toEqual([])
    expect(event).toMatchObject({ eventName: 'Swapped' })
    expect(lowered(event!)).toEqual({
      ...{ sender: stage.seller, spentAmount: ask.amount, returnAmount: done.returned },
    })
  })

  async function wethForUsdc() {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    return { tokens: [WETH, USDC], hops: [{ kind: v3, from: 0, to: 1, pool }], amount: ether('1') }
  }

  async function dttForWeth() {
    const { DTT, WETH } = stage.tokens
    const pool = await stage.pair(WETH, DTT)
    return { tokens: [DTT, WETH], hops: [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }] }
  }
})

describe('WETH', () => {
  it('returns the wrapped native token of the constructor', async () => {
    const { abi } = readArtifact('SwapRouter')
    const address = await stage.client.readContract({ address: stage.router, abi, functionName: 'WETH' })
    expect(lower(address)).toBe(stage.tokens.WETH)
  })
})

/** A token whose edges have no share uses its last edge. */
function routeAlong(edges: readonly Hop[], shares: readonly number[]): Hop[] {
  const reached = new Set([0])
  return [0, 1, 2].flatMap((from) => {
    if (!reached.has(from)) return []
    const own = edges.flatMap((edge, index) => (edge.from === from ? { edge, share: shares[index]! } : []))
    const chosen = own.some(({ share }) => share > 0) ? own.filter(({ share }) => share > 0) : own.slice(-1)
    const total = chosen.reduce((sum, { share }) => sum + share, 0)
    for (const { edge } of chosen) reached.add(edge.to)
    return chosen.map(({ edge, share }, index) => {
      const last = index === chosen.length - 1
      return { ...edge, weight: last ? 0 : Math.floor((share * 1_000_000) / total) }
    })
  })
}

/** DTT burns 1%. */
function afterTax(amount: bigint): bigint {
  return amount - amount / 100n
}

function lowered({ args }: { args: unknown }) {
  return Object.fromEntries(Object.entries(args as object).map(([name, value]) => [name, lower(value)]))
}
