import { type Address, encodeFunctionData, maxUint256, parseAbi, parseEther } from 'viem'
import type { Localnet } from '../../dev/localnet.ts'
import { solidlyPoolAddress, solidlyPools } from '../../dev/pools/solidlyPools.ts'
import type { TokenSymbol } from '../../dev/pools/tokens.ts'
import { type Calls, lower } from './fuzz/calls.ts'

const positionsAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])

const solidlyAbi = parseAbi(['function getAmountOut(uint256, address) view returns (uint256)'])

export function createPools({ client, contracts }: Localnet, { read, send, write }: Calls) {
  const owner = client.account.address

  const pair = async (a: Address, b: Address): Promise<Address> =>
    lower(await read(contracts.v2Factory, 'getPair', [a, b]))

  const pool = async (a: Address, b: Address, fee: number): Promise<Address> =>
    lower(await read(contracts.v3Factory, 'getPool', [a, b, fee]))

  return {
    pair,
    pool,

    solidlyPool(a: TokenSymbol, b: TokenSymbol): Address {
      const plan = solidlyPools.find(({ pair }) => pair[0] === a && pair[1] === b)
      if (plan === undefined) throw new Error(`The localnet has no Solidly pool of ${a} and ${b}.`)
      return solidlyPoolAddress(plan)
    },

    quoteSolidly: (pool: Address, sell: Address, amount: bigint): Promise<bigint> =>
      client.readContract({
        address: pool,
        abi: solidlyAbi,
        functionName: 'getAmountOut',
        args: [amount, sell],
      }),

    async quoteV2(sell: Address, buy: Address, amount: bigint): Promise<bigint> {
      const [reserve0, reserve1] = await read<[bigint, bigint]>(await pair(sell, buy), 'getReserves', [])
      const reserves = sell < buy ? [reserve0, reserve1] : [reserve1, reserve0]
      return read(contracts.v2Router, 'getAmountOut', [amount, ...reserves])
    },

    async quoteV3(sell: Address, buy: Address, fee: number, amount: bigint): Promise<bigint> {
      const params = { tokenIn: sell, tokenOut: buy, amountIn: amount, fee, sqrtPriceLimitX96: 0n }
      return read(contracts.quoter, 'quoteExactInputSingle', [params])
    },

    async openPair(a: Address, amountA: bigint, b: Address, amountB: bigint): Promise<Address> {
      await write(contracts.v2Factory, 'createPair', [a, b], owner)
      const created = await pair(a, b)
      await write(a, 'transfer', [created, amountA], owner)
      await write(b, 'transfer', [created, amountB], owner)
      await write(created, 'mint', [owner], owner)
      return created
    },

    /** A 0.3% v3 pool at price 1 with 100 of each token in one narrow range. */
    async openNarrowPool(a: Address, b: Address): Promise<Address> {
      const [token0, token1] = a < b ? [a, b] : [b, a]
      const { positions } = contracts
      const args = [token0, token1, 3_000, 2n ** 96n]
      await write(positions, 'createAndInitializePoolIfNecessary', args, owner)
      const range = { token0, token1, fee: 3_000, tickLower: -60, tickUpper: 60 }
      const desired = { amount0Desired: parseEther('100'), amount1Desired: parseEther('100') }
      const limits = { amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
      const params = { ...range, ...desired, ...limits, recipient: owner }
      const data = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [params] })
      await send({ from: owner, to: positions, data })
      return pool(a, b, 3_000)
    },
  }
}
