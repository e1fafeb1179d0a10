import fc from 'fast-check'
import { type Address, encodeFunctionData, maxUint160, maxUint256, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'
import { byV2, byV3, byVault, type Way } from '../market.ts'
import { deployRouter, openStage, patience, type Stage } from '../stage.ts'
import { type Ask, type Hop, native, partialFill, unwrap, usePermit2, wrap } from './ask.ts'

slow('A chain runs.')

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

let stage: Stage
let custody: Address
let ways: readonly [Address, Address, Way][]

beforeAll(async () => {
  stage = await openStage()
  const { contracts, tokens, seller } = stage
  custody = await deployRouter(stage, 'CustodyRouter')
  for (const token of Object.values(tokens)) {
    await stage.write(token, 'approve', [custody, maxUint256], seller)
    await stage.write(token, 'approve', [contracts.permit2, maxUint256], seller)
    for (const router of [stage.router, custody]) await allowPermit2(token, router)
    // Idle balances must not change a payment.
    for (const router of [stage.router, custody])
      await stage.write(token, 'transfer', [router, 12_345n], seller)
  }
  ways = await openWays()
}, patience)
afterAll(() => stage.stop())

describe('a path', () => {
  it('takes and pays to the wei the same directly as through custody, idle balances or not', async () => {
    const seen = { done: 0, hops: new Set<number>(), kinds: new Set<number>(), permit2: 0 }
    const choices = fc.record({
      walk: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      start: fc.nat(),
      wraps: fc.boolean(),
      size: fc.bigInt(1n, 10n ** 6n),
      flags: fc.constantFrom(0n, 0n, partialFill, usePermit2),
      feePpm: fc.constantFrom(0, 0, 30_000),
      to: fc.constantFrom(stage.seller, stage.stranger, stage.referrer),
    })
    await fc.assert(
      fc.asyncProperty(choices, async ({ walk, start, wraps, size, flags, feePpm, to }) => {
        const path = walkAlong(walk, start, wraps)
        fc.pre(path.hops.length > 0)
        const unit = parseEther('1') / 10n ** 6n
        const amount = isSmall(path.tokens[0]!) ? size : size * unit
        const ask: Ask = { ...path, amount, flags, feePpm, referrer: stage.referrer, to }
        const [direct, held] = await Promise.all([outcome(ask), outcome({ ...ask, router: custody })])
        expect(direct).toEqual(held)
        if (direct === 'reverted') return
        seen.done++
        seen.hops.add(path.hops.length)
        for (const { kind } of path.hops) seen.kinds.add(kind)
        if (flags === usePermit2) seen.permit2++
      }),
      { numRuns: runs(300, 2_000), seed: 7 },
    )
    expect(seen.done).toBeGreaterThan(150)
    expect(seen.hops.size).toBeGreaterThanOrEqual(4)
    expect([...seen.kinds].sort()).toEqual([0, 1, 2, 3, 4])
    expect(seen.permit2).toBeGreaterThan(10)
  }, 300_000)
})

async function outcome(ask: Ask) {
  return stage.simulate(ask).catch(() => 'reverted' as const)
}

/** Each number chooses the next pool of the token reached, without a token twice. */
function walkAlong(
  walk: readonly number[],
  start: number,
  wraps: boolean,
): { tokens: Address[]; hops: Hop[] } {
  const { WETH } = stage.tokens
  const first = ways[start % ways.length]![start % 2 === 0 ? 0 : 1]
  const tokens = [first]
  const hops: Hop[] = []
  for (const number of walk) {
    const from = tokens.at(-1)!
    const onward = ways.flatMap(([a, b, way]) => {
      const to = a === from ? b : b === from ? a : undefined
      return to === undefined || tokens.includes(to) ? [] : [{ to, way }]
    })
    if (onward.length === 0) break
    const { to, way } = onward[number % onward.length]!
    hops.push({ ...way, from: tokens.length - 1, to: tokens.length })
    tokens.push(to)
  }
  if (wraps && first === WETH) {
    const moved = hops.map((hop) => ({ ...hop, from: hop.from + 1, to: hop.to + 1 }))
    return { tokens: [native, ...tokens], hops: [{ kind: wrap, from: 0, to: 1 }, ...moved] }
  }
  if (wraps && tokens.at(-1) === WETH) {
    const last = tokens.length - 1
    return { tokens: [...tokens, native], hops: [...hops, { kind: unwrap, from: last, to: last + 1 }] }
  }
  return { tokens, hops }
}

/** A tax is paid once per transfer, so taxed tokens differ. */
async function openWays(): Promise<[Address, Address, Way][]> {
  const { WETH, USDC, USDT, DAI, LINK } = stage.tokens
  const weighted = await stage.openWeighted(
    new Map([
      [WETH, parseEther('100')],
      [USDC, 300_000_000_000n],
      [LINK, parseEther('20000')],
    ]),
  )
  return [
    [WETH, USDC, byV2(await stage.pair(WETH, USDC))],
    [WETH, USDC, byV3(await stage.pool(WETH, USDC, 500))],
    [WETH, USDC, byVault(weighted)],
    [USDC, LINK, byVault(weighted)],
    [WETH, USDT, byV2(await stage.pair(WETH, USDT))],
    [WETH, USDT, byV3(await stage.pool(WETH, USDT, 500))],
    [WETH, DAI, byV2(await stage.pair(WETH, DAI))],
    [WETH, LINK, byV2(await stage.pair(WETH, LINK))],
    [USDC, USDT, byV3(await stage.pool(USDC, USDT, 100))],
    [USDC, DAI, byV3(await stage.pool(USDC, DAI, 500))],
    [LINK, DAI, byV3(await stage.openNarrowPool(LINK, DAI))],
  ]
}

function isSmall(token: Address): boolean {
  return token === stage.tokens.USDC || token === stage.tokens.USDT
}

async function allowPermit2(token: Address, router: Address) {
  const args = [token, router, maxUint160, 2 ** 47] as const
  const data = encodeFunctionData({ abi: permit2Abi, functionName: 'approve', args })
  await stage.send({ from: stage.seller, to: stage.contracts.permit2, data })
}
