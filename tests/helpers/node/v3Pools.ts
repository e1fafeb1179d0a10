import { maxUint256, parseAbi } from 'viem'
import { deployer } from '../../../dev/chain/client.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function getPool(address, address, uint24) view returns (address)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)',
])

/** Full range of tick spacing 60. */
const lastTick = 887_220

/**
 * Opens a v3 pool (0.3 %) that holds `amount` of each of two tokens of the deployer, one unit for one.
 * Returns its address.
 */
export async function openV3Pool(
  { client, contracts }: Localnet,
  tokens: [Address, Address],
  amount: bigint,
): Promise<Address> {
  const [token0, token1] = tokens.toSorted() as [Address, Address]
  const { positions, v3Factory } = contracts
  const send = (address: Address, functionName: string, args: readonly unknown[]) =>
    client.writeContractSync({ account: deployer, address, abi, functionName, args } as never)
  for (const token of tokens) await send(token, 'approve', [positions, maxUint256])
  await send(positions, 'createAndInitializePoolIfNecessary', [token0, token1, 3_000, 2n ** 96n])
  await send(positions, 'mint', [
    {
      token0,
      token1,
      fee: 3_000,
      tickLower: -lastTick,
      tickUpper: lastTick,
      amount0Desired: amount,
      amount1Desired: amount,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: deployer,
      deadline: maxUint256,
    },
  ])
  const args = [token0, token1, 3_000] as const
  const pool = await client.readContract({ address: v3Factory, abi, functionName: 'getPool', args })
  return pool.toLowerCase() as Address
}
