import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  parseEther as ether,
  maxUint256,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuild } from '../../dev/artifacts.ts'
import { type Ask, native, unwrap, v2, v3, wrap } from './ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, patience)
afterAll(() => stage.stop())

const swapRouter = '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'
const directAbi = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96))',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
])

/** The bounds are the project's own targets; the rest keeps a hop from growing unnoticed. */
describe('the gas of swap', () => {
  const used: Record<string, number> = {}
  afterAll(() => console.table(used))

  it("stays within 160,000 for one v3 pool, and 45,000 above Uniswap's own router", async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    const ours = await measure('v3', [WETH, USDC], [{ kind: v3, from: 0, to: 1, pool }])
    const direct = await measureDirect('v3, directly', await deployDirect(), {
      functionName: 'exactInputSingle',
      args: [
        {
          ...{ tokenIn: WETH, tokenOut: USDC, fee: 500, recipient: stage.seller, deadline: maxUint256 },
          ...{ amountIn: ether('1'), amountOutMinimum: 1n, sqrtPriceLimitX96: 0n },
        },
      ],
    })
    expect(ours).toBeLessThanOrEqual(160_000)
    expect(ours - direct).toBeLessThanOrEqual(45_000)
  })

  it("stays within 45,000 above Uniswap's own router for one v2 pair", async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pair(WETH, USDC)
    const ours = await measure('v2', [WETH, USDC], [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }])
    const direct = await measureDirect('v2, directly', stage.contracts.v2Router, {
      functionName: 'swapExactTokensForTokens',
      args: [ether('1'), 1n, [WETH, USDC], stage.seller, maxUint256],
    })
    expect(ours - direct).toBeLessThanOrEqual(45_000)
  })

  it('stays within 100,000 for a second pool of a split', async () => {
    const { WETH, USDC } = stage.tokens
    const [pair, pool] = [await stage.pair(WETH, USDC), await stage.pool(WETH, USDC, 500)]
    const one = { kind: v3, from: 0, to: 1, pool }
    const other = { kind: v2, from: 0, to: 1, pool: pair, fee: 3_000, weight: 500_000 }
    const alone = await measure('v3', [WETH, USDC], [one])
    const both = await measure('v2 + v3', [WETH, USDC], [other, one])
    expect(both - alone).toBeLessThanOrEqual(100_000)
  })

  it('stays within 20,000 for wrapping before and unwrapping after a pool', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    const hop = { kind: v3, from: 0, to: 1, pool }
    const sold = await measure('v3', [WETH, USDC], [hop])
    const wrapped = [
      { kind: wrap, from: 0, to: 1 },
      { ...hop, from: 1, to: 2 },
    ]
    expect((await measure('wrap, v3', [native, WETH, USDC], wrapped)) - sold).toBeLessThanOrEqual(20_000)

    const amount = 3_000_000_000n
    const bought = await measure('v3 back', [USDC, WETH], [hop], amount)
    const unwrapped = [hop, { kind: unwrap, from: 1, to: 2 }]
    expect(
      (await measure('v3, unwrap', [USDC, WETH, native], unwrapped, amount)) - bought,
    ).toBeLessThanOrEqual(20_000)
  })

  async function measure(name: string, tokens: Address[], hops: Ask['hops'], amount = ether('1')) {
    const { gas } = await stage.rehearse(() => stage.swap({ tokens, hops, amount }))
    used[name] = Number(gas)
    return Number(gas)
  }

  type DirectCall = { functionName: string; args: unknown[] }
  async function measureDirect(name: string, router: Address, call: DirectCall): Promise<number> {
    const data = encodeFunctionData({ abi: directAbi, ...call } as never)
    const receipt = await stage.rehearse(async () => {
      await stage.write(stage.tokens.WETH, 'approve', [router, maxUint256], stage.seller)
      return stage.send({ from: stage.seller, to: router, data })
    })
    expect(receipt.status).toBe('success')
    used[name] = Number(receipt.gasUsed)
    return Number(receipt.gasUsed)
  }

  async function deployDirect(): Promise<Address> {
    const args = [stage.contracts.v3Factory, stage.tokens.WETH]
    const data = encodeDeployData({ ...readBuild(swapRouter), args })
    const { contractAddress } = await stage.send({ from: stage.stranger, data })
    return contractAddress!
  }
})
