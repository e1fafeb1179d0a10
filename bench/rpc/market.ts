import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, pad, parseAbi } from 'viem'
import { deployer, send } from '../../dev/chain/client.ts'
import type { Localnet } from '../../dev/localnet.ts'

const tokenAbi = parseAbi(['function approve(address, uint256)'])
const v2FactoryAbi = parseAbi(['function createPair(address, address)'])
const v3FactoryAbi = parseAbi(['function createPool(address, address, uint24)'])
const poolAbi = parseAbi(['function initialize(uint160)'])
const v2RouterAbi = parseAbi([
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
])
const v3RouterAbi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single single) payable returns (uint256)',
])
const positionsAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])

/** v3 pools per fee: a tenth of them has spacing 1, with 6,932 bitmap words. */
const fees = [500, 3_000, 10_000] as const

/** Creates empty v2 pairs and initialized v3 pools of tokens without code. */
export async function createPools(localnet: Localnet, pairs: number, pools: number): Promise<void> {
  const { client, contracts } = localnet
  const token = (i: number): Address => pad(numberToHex(0xabc_0000 + i), { size: 20 })
  for (let i = 0; i < pairs; i++) {
    const args = [token(2 * i), token(2 * i + 1)] as const
    const data = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'createPair', args })
    await send(client, { to: contracts.v2Factory, data })
  }
  for (let i = 0; i < pools; i++) {
    const fee = i % 10 === 0 ? 100 : fees[i % fees.length]!
    const args = [token(2 * i), token(2 * i + 1), fee] as const
    const data = encodeFunctionData({ abi: v3FactoryAbi, functionName: 'createPool', args })
    const { logs } = await send(client, { to: contracts.v3Factory, data })
    const pool: Address = `0x${logs[0]!.data.slice(-40)}`
    const start = encodeFunctionData({ abi: poolAbi, functionName: 'initialize', args: [2n ** 96n] })
    await send(client, { to: pool, data: start })
  }
}

export type Change = 'a v2 swap' | 'a v3 swap' | 'a changed position'

/** Returns functions that send a transaction each; they need no receipt. */
export async function createTraffic({ client, contracts, tokens }: Localnet) {
  const { USDC, WETH } = tokens
  const { v2Router, swapRouter, positions } = contracts
  for (const token of [USDC, WETH]) {
    for (const spender of [v2Router, swapRouter, positions]) {
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: 'approve',
        args: [spender, maxUint256],
      })
      await send(client, { to: token, data })
    }
  }
  const sendLater = (to: Address, data: Hex) =>
    client.sendTransaction({ account: deployer, to, data, gas: 2_000_000n })
  const [token0, token1] = USDC < WETH ? [USDC, WETH] : [WETH, USDC]
  let next = 0

  return {
    'a v2 swap': () => {
      const args = [1_000_000n, 0n, [USDC, WETH], deployer, maxUint256] as const
      const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'swapExactTokensForTokens', args })
      return sendLater(v2Router, data)
    },
    'a v3 swap': () => {
      const single = {
        ...{ tokenIn: USDC, tokenOut: WETH, fee: 3_000, recipient: deployer },
        ...{ amountIn: 1_000_000n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
      }
      const data = encodeFunctionData({ abi: v3RouterAbi, functionName: 'exactInputSingle', args: [single] })
      return sendLater(swapRouter, data)
    },
    'a changed position': () => {
      // Off the price one token suffices.
      const tickLower = (token0 === WETH ? -1 : 1) * 60 * (4_000 + (next++ % 2_000))
      const position = {
        ...{ token0, token1, fee: 3_000, tickLower, tickUpper: tickLower + 600 },
        ...{ amount0Desired: 10n ** 12n, amount1Desired: 10n ** 12n, amount0Min: 0n, amount1Min: 0n },
        ...{ recipient: deployer, deadline: maxUint256 },
      }
      const data = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [position] })
      return sendLater(positions, data)
    },
  } satisfies Record<Change, () => Promise<Hex>>
}
