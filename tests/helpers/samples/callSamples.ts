import { type Abi, encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters, toHex } from 'viem'
import type { DecodedCall } from '../../../src/domain/calldata/decodedCall.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { encodeRouteWords } from '../routeWords.ts'

export const account: Address = '0xa11ce00000000000000000000000000000000001'
export const thief: Address = '0xbad0000000000000000000000000000000000002'
export const ours: Address = '0x0aa1000000000000000000000000000000000003'
export const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
export const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const zero: Address = '0x0000000000000000000000000000000000000000'
export const one: Address = '0x0000000000000000000000000000000000000001'
export const two: Address = '0x0000000000000000000000000000000000000002'
export const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
export const v6: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
export const v2: Address = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
export const v3: Address = '0xe592427a0aece92de3edee1f18e0157c05861564'
export const v3b: Address = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45'
export const most = 2n ** 256n - 1n
export const bytes32 = toHex(7, { size: 32 })

/** `ours` is a known router. */
export const words = (to: Address | undefined, data: Hex, value = 0n): DecodedCall =>
  describeCall({ ...(to && { to }), data, value }, { account, chainId: 1, routers: [ours], wrapped: [weth] })

export function encode(signature: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]) as Abi, args })
}

type Description = {
  srcToken?: Address
  dstToken?: Address
  dstReceiver?: Address
  amount?: bigint
  minReturnAmount?: bigint
  flags?: bigint
}

export function aggregated(changes: Description = {}, executor: Address = thief, data: Hex = '0x0102'): Hex {
  const desc = {
    srcToken: dai,
    dstToken: weth,
    srcReceiver: executor,
    dstReceiver: account,
    amount: 100n,
    minReturnAmount: 9n,
    flags: 0n,
    ...changes,
  }
  const abi = parseAbi([
    'struct D { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
    'function swap(address executor, D desc, bytes data)',
  ])
  return encodeFunctionData({ abi, functionName: 'swap', args: [executor, desc, data] })
}

export function route(feePpm: bigint, referrer: Address): Hex {
  const hop = { kind: 2, from: 0, to: 1, detail: 3_000, pool: thief, weight: 0 }
  return encodeRouteWords({
    ...{ connectors: [], branches: [{ weight: 0, hops: [hop] }], deadline: 0n, permit: '0x' },
    ...{ feePpm: Number(feePpm), referrer },
  })
}

export function values(types: string, ...args: unknown[]): Hex {
  return encodeAbiParameters(parseAbiParameters(types as 'uint256'), args as never)
}
