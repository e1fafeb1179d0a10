import { erc20Abi, type Hex, maxUint256, parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTradeDraw, fundDeployer, slotsOf } from '../../../bench/gasSamples.ts'
import { createRandom } from '../../../bench/random.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { openV3Pool } from '../../../dev/pools/openPools.ts'
import type { Side } from '../../../dev/pools/pools.ts'
import type { Address } from '../../../service/config.ts'
import type { Edge } from '../../../service/routing/route.ts'
import { percentUnit, type SwapRequest } from '../../../service/swap/request.ts'
import { type Swap, swap } from '../../../service/swap/swap.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { createPermits } from '../../helpers/service/permits.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
  await fundDeployer(running.localnet)
  // By the clock some blocks would share a second, in which pools write no price sums.
  await running.localnet.client.setBlockTimestampInterval({ interval: 1 })
  await running.engine.refresh()
})
afterAll(() => running.stop())

const branchFailed = toEventSelector('BranchFailed(uint256)')

/** Sends with `tx.gas`, after an `eth_call` with nine tenths of it. */
async function execute({ transaction: { from, to, data, value }, gas }: Swap, text: string): Promise<number> {
  const { client } = running.localnet
  const call = { account: from, to, data, value }
  const whole = await client.call(call)
  expect(await client.call({ ...call, gas: (gas * 9n) / 10n }).catch(() => text)).toEqual(whole)
  await client.impersonateAccount({ address: from })
  const { gasUsed, logs } = await client.execute({ ...call, gas })
  expect(
    logs.filter(({ topics }) => topics[0] === branchFailed),
    text,
  ).toEqual([])
  await running.engine.refresh()
  return Number(gasUsed)
}

const untried = (trade: Pick<SwapRequest, 'sell' | 'buy' | 'amount'>): SwapRequest => ({
  ...trade,
  ...{ feePpm: 0, gasPrice: 10n ** 9n, complexityLevel: 2, parts: 50, mainRouteParts: 10 },
  ...{ gasLimit: 11_500_000n, from: deployer, origin: deployer, receiver: deployer },
  ...{ minReturnRule: { slippage: percentUnit }, usePermit2: false, allowPartialFill: false },
  ...{ compatibility: false, disableEstimate: true, forceApprove: false, createAccessList: false },
})

/** Holds no tokens. */
let strangers = 0
const stranger = (): Address => `0x${(0xfee10000 + ++strangers).toString(16).padStart(40, '0')}`

function service() {
  const { config, node, tokens, engine } = running
  return { config, node, tokens, engine: () => engine }
}

it('expects within 25 % the gas of random untried swaps of all kinds, whose limit leaves a tenth', async () => {
  const { localnet, engine } = running
  const random = createRandom(26)
  const draw = createTradeDraw(localnet, engine, random)
  const filled = new Set<string>()
  const seen = { count: 0, least: Number.POSITIVE_INFINITY, most: 0, new: 0, kinds: new Set<string>() }
  for (let i = 0; i < 700; i++) {
    const { limits, ...trade } = draw()
    const request: SwapRequest = {
      ...untried(trade),
      ...{ gasPrice: limits.gasPrice || 1n, sources: [...limits.sources], allowPartialFill: limits.apart },
      complexityLevel: limits.complexityLevel,
      receiver: random.chance(0.5) ? stranger() : deployer,
      ...(random.chance(0.1) ? { feePpm: 10_000, referrer: stranger() } : {}),
    }
    const found = await swap(service(), request).catch((error) => {
      expect(error.code).toBe('INSUFFICIENT_LIQUIDITY')
    })
    if (!found) continue
    const { route } = found.plan
    const text = `${trade.sell} to ${trade.buy}, ${trade.amount}: ${route.edges.map(({ pool }) => pool.source)}`
    const used = await execute(found, text)
    const slots = slotsOf(route)
    const isKnown = slots.every((slot) => filled.has(slot))
    for (const slot of slots) filled.add(slot)
    if (!isKnown) {
      seen.new++
      continue
    }
    const ratio = Number(found.expectedGas) / used
    expect(Math.abs(ratio - 1), text).toBeLessThanOrEqual(0.25)
    seen.least = Math.min(seen.least, ratio)
    seen.most = Math.max(seen.most, ratio)
    for (const { pool } of route.edges) seen.kinds.add(pool.source)
    if (route.branches.length > 1) seen.kinds.add('branches')
    if (request.feePpm > 0) seen.kinds.add('fee')
    if (trade.buy === nativeTokenAddress) seen.kinds.add('native')
    seen.count++
  }
  console.log('Expected gas of untried swaps as a part of what is used:', seen)
  expect(seen.count).toBeGreaterThanOrEqual(200)
  expect(seen.new).toBeGreaterThan(50)
  const kinds = new Set([...running.config.factories.map(({ source }) => source), 'WETH'])
  // Its pools are those of CURVE.
  kinds.delete('CURVE_V1_FACTORY')
  for (const kind of [...kinds, 'branches', 'fee', 'native']) expect(seen.kinds).toContain(kind)
}, 300_000)

it('allows enough gas to cross many ticks that were never crossed, in a pool with fees of both tokens', async () => {
  const { localnet, engine } = running
  const { positions } = localnet.contracts
  const [one, other] = [localnet.tokens.WBTC, localnet.tokens.LINK].toSorted() as [Address, Address]
  const amountOf = (token: Address) =>
    token === localnet.tokens.LINK ? 40_000n * 10n ** 18n : 10n * 10n ** 8n
  const sides = [one, other].map((token) => ({ token, amount: amountOf(token) }))
  for (const token of [one, other]) {
    await localnet.client.writeContractSync({
      ...{ address: token, abi: erc20Abi, functionName: 'approve', args: [positions, maxUint256] },
    })
  }
  const ranges = Array.from({ length: 40 }, (_, i) => ({ below: 10 * (i + 1), above: 10 * (i + 1) }))
  const opening = { positions, fee: 500, ranges, owner: deployer, sides: sides as [Side, Side] }
  await openV3Pool(localnet.client, opening)
  await engine.refresh()
  const only = { sources: ['UNISWAP_V3'], complexityLevel: 0, parts: 1, mainRouteParts: 1 }
  const [pay, charge] = [
    { ...untried({ sell: one, buy: other, amount: amountOf(one) / 1_000n }), ...only },
    { ...untried({ sell: other, buy: one, amount: amountOf(other) / 1_000n }), ...only },
  ]
  for (const request of [pay, charge]) await execute(await swap(service(), request), 'first fees')
  for (const request of [pay, charge]) {
    const snapshot = await localnet.client.snapshot()
    const found = await swap(service(), { ...request, amount: request.amount * 700n })
    const [{ pool, from, sold }] = found.plan.route.edges as [Edge]
    const { crossed } = pool.steps!(found.plan.route.tokens[from]!, sold)
    expect(crossed.length).toBeGreaterThan(10)
    const used = await execute(found, `${crossed.length} ticks`)
    // Ticks that were crossed before take half of it.
    expect(used / Number(found.expectedGas)).toBeGreaterThan(1.5)
    await localnet.client.revert({ id: snapshot })
    await engine.refresh()
  }
})

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

it('expects within 25 % the gas of untried swaps with permits and through Permit2', async () => {
  const { localnet, config } = running
  const { USDC, DAI, WETH } = localnet.tokens
  const [{ address: from, privateKey }, { address: held }] = localnet.accounts as [
    Running['localnet']['accounts'][number],
    Running['localnet']['accounts'][number],
  ]
  const permits = createPermits(localnet, privateKey)
  for (const account of [from, held]) await localnet.fund(account)
  const amount = 100_000_000n
  const ratios: Record<string, number> = {}

  async function sell(name: string, sold: Address, more: Partial<SwapRequest>) {
    for (const receiver of [held, stranger()]) {
      for (const source of ['UNISWAP_V2', 'UNISWAP_V3', 'BALANCER_V3_STABLE']) {
        const snapshot = await localnet.client.snapshot()
        const buy = source === 'BALANCER_V3_STABLE' ? (sold === USDC ? DAI : USDC) : WETH
        const trade = { sell: sold, buy, amount: sold === USDC ? amount : amount * 10n ** 12n }
        const own = { sources: [source], from, origin: from, receiver, complexityLevel: 0, ...more }
        const found = await swap(service(), { ...untried(trade), ...own }).catch(() => undefined)
        if (found === undefined) continue
        const used = await execute(found, name)
        ratios[`${name} ${source} ${receiver === held}`] = Number(found.expectedGas) / used
        await localnet.client.revert({ id: snapshot })
        await running.engine.refresh()
      }
    }
  }

  async function send(account: Address, address: Address, abi: unknown, args: unknown[]): Promise<void> {
    await localnet.client.impersonateAccount({ address: account })
    const call = { account, address, abi, functionName: 'approve', args }
    await localnet.client.writeContractSync(call as never)
  }

  const permitted = async (name: string, permit: Hex, sold = USDC) => sell(name, sold, { permit })
  // Pools that were swapped in each direction.
  for (const [sold, bought] of [
    [USDC, WETH],
    [USDC, DAI],
    [DAI, WETH],
    [DAI, USDC],
  ] as const) {
    for (const source of ['UNISWAP_V2', 'UNISWAP_V3', 'BALANCER_V3_STABLE']) {
      const trade = { sell: sold, buy: bought, amount: sold === USDC ? amount : amount * 10n ** 12n }
      const own = { sources: [source], complexityLevel: 0, receiver: held }
      const found = await swap(service(), { ...untried(trade), ...own }).catch(() => undefined)
      if (found !== undefined) await execute(found, source)
    }
  }
  await permitted('first permit of the amount', await permits.usdc({ value: amount }))
  await permitted('first permit of more', await permits.usdc({ value: maxUint256 }))
  await permitted('first DAI permit', await permits.dai(), DAI)
  await send(from, USDC, erc20Abi, [config.permit2, maxUint256])
  const first = { usePermit2: true, permit: await permits.permit2({ value: amount }) }
  await sell('first permit of Permit2', USDC, first)
  await send(from, config.permit2, permit2Abi, [USDC, config.router, 2n ** 159n, 2 ** 48 - 1])
  await sell('allowance of Permit2', USDC, { usePermit2: true })
  await send(from, USDC, erc20Abi, [config.router, amount])
  await sell('allowance of the amount', USDC, {})
  await send(from, USDC, erc20Abi, [config.router, 2n * amount])
  await sell('allowance of more', USDC, {})
  console.log('Expected gas with permits as a part of what is used:', ratios)
  expect(Object.keys(ratios).length).toBeGreaterThan(30)
  for (const [name, ratio] of Object.entries(ratios)) {
    expect(Math.abs(ratio - 1), name).toBeLessThanOrEqual(0.25)
  }
}, 120_000)
