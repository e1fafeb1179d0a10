import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { deployer } from '../../../dev/chain/client.ts'
import type { Address } from '../../../service/config.ts'
import type { SettledRoute } from '../../../service/routing/gasParts.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'
import { estimateGas } from '../../../service/swap/quote.ts'
import { nativeTokenAddress as native } from '../../../service/tokens/registry.ts'
import { createCalls } from '../../contracts/fuzz/calls.ts'
import { createNativeStableSwaps } from '../../helpers/node/nativeStableSwaps.ts'
import { freely } from '../../helpers/service/requests.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const receiver: Address = '0x00000000000000000000000000000000000c0ffe'
const ether = 10n ** 18n

let running: Running
let calls: ReturnType<typeof createCalls>
let stage: ReturnType<typeof createNativeStableSwaps>
let pools: readonly Address[]
/** Whole amount of a trade, by token. */
let sizes: Map<Address, bigint>
beforeAll(async () => {
  running = await startRunning()
  const { localnet, engine } = running
  calls = createCalls(localnet.client)
  stage = createNativeStableSwaps(localnet)
  const [one, other] = [await stage.createToken('ONE'), await stage.createToken('OTHER')]
  const { WETH, USDC } = localnet.tokens
  pools = [
    await stage.createPool([native, one], 1_000n * ether),
    await stage.registerPool([other, native, one], 800n * ether),
    await stage.registerPool([other, native], 500n * ether),
  ]
  sizes = new Map([
    [native, 300n * ether],
    [WETH, 10n * ether],
    [one, 300n * ether],
    [other, 200n * ether],
    [USDC, 20_000n * 10n ** 6n],
  ])
  for (const token of sizes.keys()) if (token !== native) await running.chain.approve(token, deployer)
  await engine.refresh()
})
afterAll(() => running.stop())

const isOurs = (address: Address) => pools.includes(address)

function describeRoute({ tokens, edges }: SettledRoute) {
  const named = edges.map(({ pool, from, to }) => ({ pool, sell: tokens[from]!, buy: tokens[to]! }))
  return {
    sold: named.some(({ pool, sell }) => isOurs(pool.address) && sell === native),
    bought: named.some(({ pool, buy }) => isOurs(pool.address) && buy === native),
    wrapped: named.some(({ pool, sell }) => pool.source === 'WETH' && sell === native),
    unwrapped: named.some(({ pool, buy }) => pool.source === 'WETH' && buy === native),
    connected: named.some(({ buy }) => buy === native && named.some(({ sell }) => sell === native)),
    split: edges.some(({ weight }) => weight > 0),
  }
}

describe('StableSwap pools of the native token', () => {
  it('deliver exactly the stated amount, for at most the quoted gas, and refuse one more', async () => {
    const random = createRandom(91)
    const { localnet, engine, config } = running
    const seen = { trades: 0, sold: 0, bought: 0, wrapped: 0, unwrapped: 0, connected: 0, split: 0 }
    const gas = { least: Number.POSITIVE_INFINITY, most: 0 }
    const filled = new Set<string>()
    for (let i = 0; i < 260; i++) {
      const sell = random.pick([...sizes.keys()])
      const buy = random.pick([...sizes.keys()].filter((token) => token !== sell))
      const amount = BigInt(Math.floor(Number(sizes.get(sell)) * 10 ** random.between(-8, 0))) + 1n
      const sources = random.chance(0.3) ? [random.pick(['CURVE', 'CURVE_V1_FACTORY'])] : [...freely.sources]
      const gasPrice = random.pick([0n, 10n ** 9n])
      const limits = { ...freely, sources: new Set(['WETH', ...sources]), gasPrice }
      const route = await engine.route({ sell, buy, amount, limits })
      if (!route?.edges.some(({ pool }) => isOurs(pool.address))) continue

      const text = `${sell} to ${buy}, ${amount}: ${route.edges.map(({ pool }) => pool.source)}`
      const call = (minReturn: bigint) => ({
        gas: 9_000_000n,
        ...encodeSwap({
          ...{ config, route, sell, buy, amount, receiver, minReturn, deadline: 2n ** 40n },
          ...{ feePpm: 0, referrer: undefined, permit: undefined },
        }),
      })
      const before = await running.chain.balance(buy, receiver)
      const [name, returned] = await calls.refusalOf({ from: deployer, ...call(route.returns + 1n) })
      expect([name, returned], text).toEqual(['ReturnTooLow', route.returns])
      const { gasUsed } = await localnet.client.execute(call(route.returns))
      expect((await running.chain.balance(buy, receiver)) - before, text).toBe(route.returns)
      await engine.refresh()

      const facts = describeRoute(route)
      for (const [fact, holds] of Object.entries(facts)) if (holds) seen[fact as keyof typeof facts]++
      seen.trades++
      const slots = route.edges.map(({ pool, from }) => `${pool.address} ${route.tokens[from]}`)
      const ticks = route.edges.some(
        ({ pool, from, sold }) => pool.steps?.(route.tokens[from]!, sold).crossed.length,
      )
      if (!ticks && before > 0n && slots.every((slot) => filled.has(slot))) {
        const ratio = Number(estimateGas({ feePpm: 0 }, route, false)) / Number(gasUsed)
        gas.least = Math.min(gas.least, ratio)
        // A pool that is used again costs less the second time.
        const isOnce = new Set(slots.map((slot) => slot.slice(0, 42))).size === slots.length
        if (isOnce) gas.most = Math.max(gas.most, ratio)
      }
      for (const slot of slots) filled.add(slot)
    }
    console.log('Through StableSwap pools of the native token:', seen, gas)
    expect(seen.trades).toBeGreaterThanOrEqual(150)
    for (const [fact, count] of Object.entries(seen)) expect(count, fact).toBeGreaterThan(10)
    expect(gas.least).toBeGreaterThanOrEqual(1)
    expect(gas.most).toBeLessThanOrEqual(1.15)
  }, 300_000)

  it('are the only pools of a route for the native token when wrapping is excluded', async () => {
    const { localnet, engine } = running
    const [one] = [...sizes.keys()].slice(2)
    const limits = { ...freely, sources: new Set(['WETH', 'CURVE', 'CURVE_V1_FACTORY']) }
    const ask = { amount: ether, limits }
    expect(await engine.route({ ...ask, sell: native, buy: localnet.tokens.LINK })).toBeUndefined()
    const { status, body } = await running.ask('quote', {
      ...{ src: native, dst: one, amount: String(ether), protocols: 'CURVE_V1_FACTORY' },
    })
    expect(status).toBe(200)
    const alone = await engine.route({ ...ask, sell: native, buy: one!, limits: excluding(limits) })
    expect(alone?.edges.map(({ pool }) => isOurs(pool.address))).not.toContain(false)
    expect(alone!.returns).toBeGreaterThanOrEqual(BigInt(body.dstAmount))
  })

  it('pay what swap answers in stETH, which moves in whole shares', async () => {
    const { localnet, engine } = running
    const { WETH, USDC } = localnet.tokens
    const shares = localnet.contracts.pooledShares
    await stage.registerPool([native, shares], 100n * ether)
    await running.chain.approve(shares, deployer)
    await engine.refresh()
    for (let i = 1n; i <= 3n; i++) {
      for (const [src, dst, whole] of [
        [native, shares, ether],
        [shares, native, ether],
        [WETH, shares, ether],
        [shares, WETH, ether],
        [USDC, shares, 10n ** 9n],
        [shares, USDC, ether],
      ] as const) {
        const amount = String((whole * i * 12_345_677n) / 100_000_003n)
        const { status, body } = await running.ask('swap', {
          ...{ src, dst, amount, from: deployer, origin: deployer, receiver, slippage: '0.1' },
          gasPrice: '1',
        })
        expect(status, JSON.stringify(body)).toBe(200)
        const before = await running.chain.balance(dst, receiver)
        await running.chain.execute(body.tx)
        const arrived = (await running.chain.balance(dst, receiver)) - before
        expect(arrived, `${src} to ${dst}`).toBe(BigInt(body.dstAmount))
      }
    }
    const { tokens } = (await engine.route({ sell: native, buy: shares, amount: ether, limits: freely }))!
    expect(tokens).toEqual([native, shares])
  })
})

describe('wrapping for a recipient', () => {
  it('costs at most the quoted gas', async () => {
    const { localnet, engine, config } = running
    const { WETH } = localnet.tokens
    for (const [sell, buy] of [
      [native, WETH],
      [WETH, native],
    ] as const) {
      const route = (await engine.route({ sell, buy, amount: ether, limits: freely }))!
      const minReturn = route.returns
      const call = encodeSwap({
        ...{ config, route, sell, buy, amount: ether, receiver, minReturn, deadline: 2n ** 40n },
        ...{ feePpm: 0, referrer: undefined, permit: undefined },
      })
      const isNewHolder = (await running.chain.balance(buy, receiver)) === 0n
      const { gasUsed } = await localnet.client.execute({ gas: 1_000_000n, ...call })
      const ratio = Number(estimateGas({ feePpm: 0 }, route, isNewHolder)) / Number(gasUsed)
      expect(ratio, `${sell}`).toBeGreaterThanOrEqual(1)
      expect(ratio, `${sell}`).toBeLessThanOrEqual(1.15)
    }
  })
})

function excluding(limits: typeof freely) {
  return {
    ...limits,
    sources: new Set([...limits.sources].filter((id) => id !== 'WETH')),
    excludesWrapping: true,
  }
}
