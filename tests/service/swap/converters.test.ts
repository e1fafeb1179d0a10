import { erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { openV2Pair } from '../../../dev/pools/openPools.ts'
import { computePoolAddress, type Side } from '../../../dev/pools/pools.ts'
import type { Address } from '../../../service/config.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'
import { createCalls } from '../../contracts/fuzz/calls.ts'
import { createConverterStage } from '../../helpers/node/converterStage.ts'
import { freely } from '../../helpers/service/requests.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const receiver: Address = '0x00000000000000000000000000000000000c0ffe'
const sources = ['SAVINGS_DAI', 'LIDO_WSTETH', 'MAKER_PSM'] as const

let running: Running
let calls: ReturnType<typeof createCalls>
let stage: ReturnType<typeof createConverterStage>
/** Whole tokens of a trade, by token. */
let sizes: Map<Address, bigint>

beforeAll(async () => {
  // Converters of three tokens that connect others, with pools of their own.
  running = await startRunning((config) => {
    const shares = config.factories.flatMap(({ form, address }) => (form === 'psm' || !form ? [] : [address]))
    const described = shares.map((address) => ({
      ...{ address, symbol: 'SHARE', name: 'Share', decimals: 18, logoURI: '', tags: [] },
    }))
    return {
      ...config,
      connectors: [...config.connectors, ...shares],
      tokens: [...config.tokens, ...described],
    }
  })
  const { localnet } = running
  calls = createCalls(localnet.client)
  stage = createConverterStage(localnet)
  const { savingsVault: savings, pooledShares: pooled, wrappedShares: wrapped } = localnet.contracts
  const { WETH, USDC, DAI } = localnet.tokens
  const ether = 10n ** 18n
  await localnet.client.setBalance({ address: deployer, value: 10n ** 24n })
  await openPair({ token: savings, amount: 200_000n * ether }, { token: USDC, amount: 210_000_000_000n })
  await openPair({ token: wrapped, amount: 80n * ether }, { token: WETH, amount: 95n * ether })
  sizes = new Map([
    [savings, 20_000n * ether],
    [pooled, 5n * ether],
    [wrapped, 5n * ether],
    [USDC, 30_000_000_000n],
    [DAI, 30_000n * ether],
    [WETH, 9n * ether],
  ])
  for (const token of sizes.keys()) {
    await stage.run(stage.step(token, 'approve', [localnet.config.router, maxUint256]))
  }
  await running.engine.refresh()
})
afterAll(() => running.stop())

async function openPair(one: Side, other: Side): Promise<void> {
  const sides: [Side, Side] = one.token < other.token ? [one, other] : [other, one]
  const factory = running.localnet.contracts.v2Factory
  const pair = computePoolAddress(factory, sides, undefined)
  await openV2Pair(running.localnet.client, { factory, pair, sides, owner: deployer })
}

describe('routes through converters', () => {
  it('deliver exactly the stated amount and refuse one more, in both directions and mixed with pools', async () => {
    const random = createRandom(61)
    const { localnet, engine } = running
    const tokens = [...sizes.keys()]
    const seen = { trades: 0, mixed: 0, hops: new Map<string, number>() }
    for (let i = 0; i < 700; i++) {
      const only = random.chance(0.4) ? [random.pick(sources)] : [...freely.sources]
      const traded = only[0] === 'MAKER_PSM' ? [localnet.tokens.USDC, localnet.tokens.DAI] : tokens
      const sell = random.pick(traded)
      const buy = random.pick(traded.filter((token) => token !== sell))
      const amount = BigInt(Math.floor(Number(sizes.get(sell)) * 10 ** random.between(-7, 0)))
      const limits = {
        ...freely,
        sources: new Set(['WETH', ...only]),
        gasPrice: random.pick([0n, 10n ** 9n]),
      }
      const route = await engine.route({ sell, buy, amount, limits })
      const converters = route?.edges.filter(({ pool }) => isConverter(pool.source)) ?? []
      if (!route || converters.length === 0) continue

      const text = `${sell} to ${buy}, ${amount}: ${route.edges.map(({ pool }) => pool.source)}`
      const call = (minReturn: bigint) => ({
        gas: 9_000_000n,
        ...encodeSwap({
          ...{ config: running.config, route, sell, buy, amount, receiver, minReturn },
          ...{ deadline: 2n ** 40n, feePpm: 0, referrer: undefined, permit: undefined },
        }),
      })
      // A recipient of stETH, and a router, that hold none.
      const snapshot = await localnet.client.snapshot()
      const before = await balanceOf(buy)
      const [name, returned] = await calls.refusalOf({ from: deployer, ...call(route.returns + 1n) })
      expect([name, returned], text).toEqual(['ReturnTooLow', route.returns])
      await localnet.client.execute(call(route.returns))
      expect((await balanceOf(buy)) - before, text).toBe(route.returns)
      if (text.includes('LIDO')) await localnet.client.revert({ id: snapshot })
      await engine.refresh()
      seen.trades++
      if (converters.length < route.edges.length) seen.mixed++
      for (const { pool, from } of converters) {
        const hop = `${pool.source} ${pool.tokens.indexOf(route.tokens[from]!)}`
        seen.hops.set(hop, (seen.hops.get(hop) ?? 0) + 1)
      }
    }
    console.log('Routes through converters:', seen)
    expect(seen.trades).toBeGreaterThanOrEqual(200)
    expect(seen.mixed).toBeGreaterThan(60)
    for (const source of sources) {
      for (const side of [0, 1]) expect(seen.hops.get(`${source} ${side}`), source).toBeGreaterThan(20)
    }
  }, 300_000)

  it('are answered by swap, and keep their promise while stETH stays in the router', async () => {
    const { savingsVault: savings, pooledShares: pooled, wrappedShares: wrapped } = running.localnet.contracts
    const { DAI, USDC } = running.localnet.tokens
    for (const [src, dst] of [
      [DAI, savings],
      [savings, DAI],
      [pooled, wrapped],
      [wrapped, pooled],
      [pooled, wrapped],
      [wrapped, pooled],
      [USDC, savings],
    ] as const) {
      const amount = String((sizes.get(src) ?? 0n) / 7n + 1n)
      const { status, body } = await running.ask('swap', {
        ...{ src, dst, amount, from: deployer, origin: deployer, receiver, slippage: '0.1' },
        gasPrice: '1',
      })
      expect(status, JSON.stringify(body)).toBe(200)
      const before = await balanceOf(dst)
      await running.chain.execute(body.tx)
      const off = (await balanceOf(dst)) - before - BigInt(body.dstAmount)
      const isExact = dst !== pooled && src !== pooled
      expect(off >= (isExact ? 0n : -2n) && off <= (isExact ? 0n : 2n), `${src} to ${dst}: ${off}`).toBe(true)
    }
  })
})

const isConverter = (source: string) => sources.some((one) => one === source)

function balanceOf(token: Address): Promise<bigint> {
  const call = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [receiver] } as const
  return running.localnet.client.readContract(call)
}
