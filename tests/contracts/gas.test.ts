import { type Address, encodeFunctionData, parseEther as ether, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { through, type VaultPool } from './balancer.ts'
import { type Ask, native, partialFill, solidly, unwrap, v2, v3, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let weighted: VaultPool
let stable: VaultPool
beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC, DAI } = stage.tokens
  weighted = await stage.openWeighted(
    new Map([
      [WETH, ether('1000')],
      [USDC, 3_000_000_000_000n],
    ]),
  )
  stable = await stage.openStable(
    new Map([
      [USDC, 1_000_000_000_000n],
      [DAI, ether('1000000')],
    ]),
  )
}, patience)
afterAll(() => stage.stop())

const directAbi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable',
  'function swapExactTokensForTokens(uint256, uint256, address[], address)',
  'function deposit() payable',
  'function withdraw(uint256)',
])

/** Limits catch regressions. Pools were swapped before, and the seller holds both tokens. */
describe('gas of swap', () => {
  const used: Record<string, { ours: number; direct?: number; above?: number }> = {}
  beforeAll(async () => {
    await stage.client.increaseTime({ seconds: 60 })
    // By the clock some blocks would share a second, in which v2 pools write no price sums.
    await stage.client.setBlockTimestampInterval({ interval: 12 })
    await warmUp()
  }, patience)
  afterAll(() => console.table(used))

  it("stays within 2,000 above SwapRouter02's multicall for one v3 pool", async () => {
    const { WETH, USDC } = stage.tokens
    const hops = [{ kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) }]
    const params = {
      ...{ tokenIn: WETH, tokenOut: USDC, fee: 500, recipient: stage.seller },
      ...{ amountIn: ether('1'), amountOutMinimum: 1n, sqrtPriceLimitX96: 0n },
    }
    const data = encode('multicall', [2n ** 40n, [encode('exactInputSingle', [params])]])
    const { swapRouter } = stage.contracts
    const [ours, above] = await compare('v3', swapOf([WETH, USDC], { hops }), swapRouter, data)
    expect(ours).toBeLessThanOrEqual(105_000)
    expect(above).toBeLessThanOrEqual(2_000)
  })

  it('stays within 4,000 above SwapRouter02 for one v2 pair and for two', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const first = { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDC), fee: 3_000 }
    const second = { kind: v2, from: 1, to: 2, pool: await stage.pair(WETH, DAI), fee: 3_000 }
    const { swapRouter } = stage.contracts
    const [, above] = await compare(
      'v2',
      swapOf([WETH, USDC], { hops: [first] }),
      swapRouter,
      encode('swapExactTokensForTokens', [ether('1'), 1n, [WETH, USDC], stage.seller]),
    )
    expect(above).toBeLessThanOrEqual(4_000)
    const amount = 100_000_000n
    const tokens = [USDC, WETH, DAI]
    const [ours, aboveTwo] = await compare(
      'v2, v2',
      swapOf(tokens, { hops: [first, second], amount }),
      swapRouter,
      encode('swapExactTokensForTokens', [amount, 1n, tokens, stage.seller]),
    )
    expect(ours).toBeLessThanOrEqual(165_000)
    expect(aboveTwo).toBeLessThanOrEqual(4_000)
  })

  it('stays within 80,000 above a direct swap in the vault with a standing allowance', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    for (const [name, pool, sold, bought, amount] of [
      ['weighted', weighted, WETH, USDC, ether('1')],
      ['stable', stable, DAI, USDC, ether('100')],
    ] as const) {
      const data = stage.vaultSwap(pool, sold, bought, amount, stage.seller)
      const ask = swapOf([sold, bought], { hops: [through(pool)], amount })
      const [, above] = await compare(name, ask, stage.contracts.vault, data)
      expect(above).toBeLessThanOrEqual(80_000)
    }
  })

  it('takes at most 165,000 for a volatile Solidly pool and 185,000 for a stable one', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    for (const [name, pool, sold, bought, amount, limit] of [
      ['solidly volatile', stage.solidlyPool('WETH', 'USDC'), WETH, USDC, ether('1'), 165_000],
      ['solidly stable', stage.solidlyPool('USDC', 'DAI'), DAI, USDC, ether('100'), 185_000],
    ] as const) {
      const ask = swapOf([sold, bought], { hops: [{ kind: solidly, from: 0, to: 1, pool }], amount })
      expect(await measure(name, ask), name).toBeLessThanOrEqual(limit)
    }
  })

  it('stays within 50,000 above a direct deposit to or withdrawal from WETH', async () => {
    const { WETH } = stage.tokens
    const hop = { from: 0, to: 1 }
    const wrapping = swapOf([native, WETH], { hops: [{ ...hop, kind: wrap }] })
    const unwrapping = swapOf([WETH, native], { hops: [{ ...hop, kind: unwrap }] })
    const [, wrapped] = await compare('wrap', wrapping, WETH, encode('deposit', []), ether('1'))
    const [, unwrapped] = await compare('unwrap', unwrapping, WETH, encode('withdraw', [ether('1')]))
    expect(wrapped).toBeLessThanOrEqual(50_000)
    expect(unwrapped).toBeLessThanOrEqual(50_000)
  })

  it('adds at most 20,000 for wrapping before or unwrapping after a pool', async () => {
    const { WETH, USDC } = stage.tokens
    const hop = { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) }
    const wrapped = [
      { kind: wrap, from: 0, to: 1 },
      { ...hop, from: 1, to: 2 },
    ]
    const sold = await measure('v3', swapOf([WETH, USDC], { hops: [hop] }))
    const before = await measure('wrap, v3', swapOf([native, WETH, USDC], { hops: wrapped }))
    expect(before - sold).toBeLessThanOrEqual(20_000)

    const amount = 3_000_000_000n
    const unwrapped = [hop, { kind: unwrap, from: 1, to: 2 }]
    const bought = await measure('v3 back', swapOf([USDC, WETH], { hops: [hop], amount }))
    expect(bought).toBeLessThanOrEqual(105_000)
    const after = await measure('v3 back, unwrap', swapOf([USDC, WETH, native], { hops: unwrapped, amount }))
    expect(after - bought).toBeLessThanOrEqual(20_000)
  })

  it('adds at most 100,000 for a second pool, 5,000 as a branch and 15,000 with partial fill', async () => {
    const { WETH, USDC } = stage.tokens
    const tokens = [WETH, USDC]
    const one = { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) }
    const other = { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDC), fee: 3_000 }
    const weight = 500_000
    const branches = [{ weight, hops: [other] }, { hops: [one] }]
    const alone = await measure('v3', swapOf(tokens, { hops: [one] }))
    const both = await measure('v2 + v3', swapOf(tokens, { hops: [{ ...other, weight }, one] }))
    const branched = await measure('v2 + v3 in branches', swapOf(tokens, { branches }))
    const partly = await measure(
      'v2 + v3 in branches that may fail',
      swapOf(tokens, { branches, flags: partialFill }),
    )
    expect(both - alone).toBeLessThanOrEqual(100_000)
    expect(branched - both).toBeLessThanOrEqual(5_000)
    expect(partly - branched).toBeLessThanOrEqual(15_000)
  })

  function swapOf(tokens: Address[], rest: Partial<Ask>): Ask {
    return { tokens, amount: ether('1'), ...rest }
  }

  async function measure(name: string, ask: Ask): Promise<number> {
    const { gas } = await stage.rehearse(() => stage.swap(ask))
    used[name] = { ...used[name], ours: Number(gas) }
    return Number(gas)
  }

  /** Gas of a swap, and its excess over a direct call of `to`. */
  async function compare(
    name: string,
    ask: Ask,
    to: Address,
    data: Hex,
    value = 0n,
  ): Promise<[ours: number, above: number]> {
    const ours = await measure(name, ask)
    const receipt = await stage.rehearse(async () => {
      const [sold] = ask.tokens as [Address]
      if (sold !== native) await stage.write(sold, 'approve', [to, maxUint256], stage.seller)
      return stage.send({ from: stage.seller, to, data, value })
    })
    expect(receipt.status).toBe('success')
    const direct = Number(receipt.gasUsed)
    used[name] = { ours, direct, above: ours - direct }
    return [ours, ours - direct]
  }

  function encode(functionName: string, args: unknown[]): Hex {
    return encodeFunctionData({ abi: directAbi, functionName, args } as never)
  }

  /** A pool's first swap fills empty slots, and a recipient's first balance another. */
  async function warmUp() {
    const { WETH, USDC, DAI } = stage.tokens
    const [usdc, dai] = [500_000_000n, ether('500')]
    const pairs = [
      [WETH, USDC, usdc],
      [WETH, DAI, dai],
    ] as const
    for (const [one, other, back] of pairs) {
      const hops = [{ kind: v2, from: 0, to: 1, pool: await stage.pair(one, other), fee: 3_000 }]
      await stage.swap({ tokens: [one, other], hops, amount: ether('0.5') })
      await stage.swap({ tokens: [other, one], hops, amount: back })
    }
    for (const [pool, one, other, amount, back] of [
      [stage.solidlyPool('WETH', 'USDC'), WETH, USDC, ether('0.5'), usdc],
      [stage.solidlyPool('USDC', 'DAI'), USDC, DAI, usdc, dai],
    ] as const) {
      const hops = [{ kind: solidly, from: 0, to: 1, pool }]
      await stage.swap({ tokens: [one, other], hops, amount })
      await stage.swap({ tokens: [other, one], hops, amount: back })
    }
    const hops = [{ kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) }]
    await stage.swap({ tokens: [WETH, USDC], hops, amount: ether('0.5') })
    await stage.swap({ tokens: [USDC, WETH], hops, amount: usdc })
  }
})
