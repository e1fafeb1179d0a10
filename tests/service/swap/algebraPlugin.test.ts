import { concatHex, numberToHex, parseAbi, parseEventLogs, slice } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import type { Address } from '../../../service/config.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import { estimateGas } from '../../../service/swap/quote.ts'
import { type AlgebraPool, createAlgebraStage } from '../../helpers/node/algebraStage.ts'
import { tradeOf } from '../../helpers/service/requests.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const poolAbi = parseAbi([
  'event SwapFee(address indexed sender, uint24 overrideFee, uint24 pluginFee)',
  'function fee() view returns (uint16)',
])
const receiver: Address = '0x00000000000000000000000000000000000c0ffe'

let running: Running
let stage: Awaited<ReturnType<typeof createAlgebraStage>>
let pool: AlgebraPool

beforeAll(async () => {
  running = await startRunning()
  stage = await createAlgebraStage(running.localnet)
  const { WBTC, USDC } = running.localnet.tokens
  for (const token of [WBTC, USDC]) {
    await stage.approve(token)
    await running.chain.approve(token, deployer)
  }
  const tokens = WBTC < USDC ? ([WBTC, USDC] as const) : ([USDC, WBTC] as const)
  pool = await stage.createPool(true, tokens)
  // 60,000 USDC of 6 decimals for a WBTC of 8.
  const tick = Math.round(Math.log(tokens[0] === WBTC ? 600 : 1 / 600) / Math.log(1.0001))
  await stage.initialize(pool, sqrtPriceAtTick(tick))
  const middle = Math.round(tick / 60) * 60
  for (const width of [600, 6_000, 60_000]) {
    await stage.mint(pool, { bottom: middle - width, top: middle + width, liquidity: 10n ** 12n })
  }
  await running.engine.refresh()
})
afterAll(() => running.stop())

it('executes swaps through a pool with a dynamic fee as promised, with gas for its observation', async () => {
  const { localnet, engine, chain } = running
  const fees = new Set<number>()
  const read = { address: pool.address, abi: poolAbi } as const
  const seen = { exact: 0, moved: 0, measured: 0, least: Number.POSITIVE_INFINITY, most: 0 }
  for (let i = 0; i < 24; i++) {
    const [sell, buy] = i % 3 === 0 ? (['USDC', 'WBTC'] as const) : (['WBTC', 'USDC'] as const)
    await localnet.client.increaseTime({ seconds: 100 * i })
    await localnet.client.mine({ blocks: 1 })
    await engine.refresh()
    const sources = new Set(['ALGEBRA'])
    const trade = tradeOf(localnet, sell, buy, 30_000 * (i + 1), { sources, complexityLevel: 0 })
    const route = (await engine.route(trade))!
    expect(route.edges.map(({ pool }) => pool.address)).toEqual([pool.address])
    const { status, body } = await running.ask('swap', {
      ...{ src: trade.sell, dst: trade.buy, amount: String(trade.amount), slippage: '1' },
      ...{ from: deployer, origin: deployer, receiver, protocols: 'ALGEBRA', complexityLevel: '0' },
    })
    expect(status).toBe(200)
    const promised = BigInt(body.dstAmount)
    const fee = await localnet.client.readContract({ ...read, functionName: 'fee' })
    const before = await chain.balance(trade.buy, receiver)
    const { gasUsed, logs } = await chain.send(body.tx)
    const received = (await chain.balance(trade.buy, receiver)) - before
    const { overrideFee } = parseEventLogs({ abi: poolAbi, logs })[0]!.args
    fees.add(fee)
    // The fee at execution, or in the simulation, is that of a later second.
    const off = Math.abs(Number(received) / Number(promised) - 1)
    expect(off).toBeLessThan((Math.abs(overrideFee - fee) + 10) / 9e5)
    expect(received).toBeGreaterThanOrEqual((promised * 99n) / 100n)
    seen[received === promised ? 'exact' : 'moved']++
    await engine.refresh()
    // The first ones, and the first across a tick, fill empty slots.
    if (i < 2 || route.edges[0]!.pool.steps!(trade.sell, trade.amount).crossed.length > 0) continue
    seen.measured++
    const ratio = Number(estimateGas({ feePpm: 0 }, route, false)) / Number(gasUsed)
    seen.least = Math.min(seen.least, ratio)
    seen.most = Math.max(seen.most, ratio)
  }
  console.log('Swaps with a dynamic fee:', seen, [...fees])
  expect(fees.size).toBeGreaterThan(2)
  expect(seen.exact).toBeGreaterThan(12)
  expect(seen.measured).toBeGreaterThan(12)
  expect(seen.least).toBeGreaterThanOrEqual(1)
  expect(seen.most).toBeLessThanOrEqual(1.15)
})

it.each([
  ['one simulation where the fee has moved by millionths', 5n, 1],
  ['more where a pool pays less by more than a fee moves', 3_000n, 2],
] as const)('answers what arrives after %s', async (_, millionths, least) => {
  const { WBTC, USDC } = running.localnet.tokens
  const { node } = running
  const simulate = node.simulateBlocks
  const paid: bigint[] = []
  const asked = vi.spyOn(node, 'simulateBlocks').mockImplementation(async (given) => {
    const blocks = await simulate(given)
    const call = blocks[0]!.calls.at(-1)!
    if (paid.length > 0 || call.status !== 'success') return blocks
    // The router returns first what the recipient got.
    const received = (BigInt(slice(call.data, 0, 32)) * (1_000_000n - millionths)) / 1_000_000n
    paid.push(received)
    call.data = concatHex([numberToHex(received, { size: 32 }), slice(call.data, 32)])
    return blocks
  })
  const { status, body } = await running.ask('swap', {
    ...{ src: WBTC, dst: USDC, amount: '100000000', slippage: '1', from: deployer, origin: deployer },
    ...{ receiver, protocols: 'ALGEBRA', complexityLevel: '0' },
  })
  const count = asked.mock.calls.length
  asked.mockRestore()
  expect(status).toBe(200)
  if (least > 1) {
    expect(count).toBeGreaterThanOrEqual(least)
  } else {
    expect(count).toBe(1)
    expect(body.dstAmount).toBe(String(paid[0]))
  }
})
