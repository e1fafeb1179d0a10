import { type Address, encodeFunctionData, parseEther as ether, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuild } from '../../dev/artifacts.ts'
import { type Ask, native, v2, v3, wrap } from './ask.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.stop())

describe('the gas of swap', () => {
  const used: Record<string, bigint> = {}
  afterAll(() =>
    console.table(Object.fromEntries(Object.entries(used).map(([name, gas]) => [name, Number(gas)]))),
  )

  it('stays within its target for one v3 pool, alone and beside a router of that pool only', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    const ask: Ask = { tokens: [WETH, USDC], hops: [{ kind: v3, from: 0, to: 1, pool }], amount: ether('1') }
    const ours = await measure('v3', ask)
    const direct = await measureDirect(WETH, USDC)
    used['v3, direct router'] = direct
    expect(ours).toBeLessThanOrEqual(160_000n)
    expect(ours - direct).toBeLessThanOrEqual(45_000n)
  })

  it('v2', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pair(WETH, USDC)
    await measure('v2', {
      tokens: [WETH, USDC],
      hops: [{ kind: v2, from: 0, to: 1, pool, fee: 3000 }],
      amount: ether('1'),
    })
    await measure('eth v2', {
      tokens: [native, WETH, USDC],
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { kind: v2, from: 1, to: 2, pool, fee: 3000 },
      ],
      amount: ether('1'),
    })
    await measure('v2+v3', {
      tokens: [WETH, USDC],
      hops: [
        { kind: v2, from: 0, to: 1, pool, fee: 3000, weight: 500_000 },
        { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) },
      ],
      amount: ether('1'),
    })
  })

  async function measure(name: string, ask: Ask): Promise<bigint> {
    let gas = 0n
    await stage.rehearse(async () => {
      gas = (await stage.swap(ask)).gas
    })
    used[name] = gas
    return gas
  }

  async function measureDirect(sell: Address, buy: Address): Promise<bigint> {
    const { bytecode, abi } = readBuild(
      '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
    )
    const router = await stage.client.deployContract({
      abi,
      bytecode,
      args: [stage.contracts.v3Factory, stage.tokens.WETH],
      account: stage.stranger,
      gas: 8_000_000n,
    })
    const { contractAddress } = await stage.client.waitForTransactionReceipt({ hash: router })
    await stage.write(sell, 'approve', [contractAddress!, maxUint256], stage.seller)
    const data = encodeFunctionData({
      abi: parseAbi([
        'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256)',
      ]),
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn: sell,
          tokenOut: buy,
          fee: 500,
          recipient: stage.seller,
          deadline: maxUint256,
          amountIn: ether('1'),
          amountOutMinimum: 1n,
          sqrtPriceLimitX96: 0n,
        },
      ],
    })
    const receipt = await stage.send({ from: stage.seller, to: contractAddress!, data })
    expect(receipt.status).toBe('success')
    return receipt.gasUsed
  }
})
