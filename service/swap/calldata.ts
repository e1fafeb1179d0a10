import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import type { SettledRoute } from '../routing/gasParts.ts'
import type { Edge } from '../routing/route.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'

export type SwapCall = {
  config: ChainConfig
  route: SettledRoute
  sell: Address
  buy: Address
  /** Includes the partner fee, unlike the route's amount. */
  amount: bigint
  receiver: Address
  minReturn: bigint
  /** Millionths of `amount`. */
  feePpm: number
  referrer: Address | undefined
  /** Last block timestamp, Unix seconds. */
  deadline: bigint
  /** EIP-2612 or DAI arguments, without selector. */
  permit: Hex | undefined
  /** Router flags: 1 partial fill, 4 Permit2. */
  flags?: bigint
}

/** Encodes the router call of a route (contracts/ISwapRouter.sol). */
export function encodeSwap(call: SwapCall): { to: Address; data: Hex; value: bigint } {
  const { config, route, sell, buy, amount, receiver, minReturn, deadline, permit, flags = 0n } = call
  const { feePpm, referrer } = call
  const data = encodeAbiParameters(routeParameters, [
    {
      tokens: route.tokens,
      branches: route.branches.map(({ weight, edges }) => ({ weight, hops: encodeHops(route, edges) })),
      feePpm: BigInt(feePpm),
      referrer: referrer ?? zeroAddress,
      deadline,
      permit: permit ?? '0x',
    },
  ])
  const description = {
    srcToken: sell,
    dstToken: buy,
    srcReceiver: config.router,
    dstReceiver: receiver,
    amount,
    minReturnAmount: minReturn,
    flags,
  }
  return {
    to: config.router,
    data: encodeFunctionData({ abi, functionName: 'swap', args: [config.router, description, data] }),
    value: sell === nativeTokenAddress ? amount : 0n,
  }
}

function encodeHops({ tokens }: SettledRoute, edges: readonly Edge[]) {
  return edges.map(({ pool, from, to, weight }) => {
    const { kind, fee, aux = zeroHash } = pool.encode(tokens[from] as Address)
    return { kind, from, to, fee, pool: pool.address, weight, aux }
  })
}

const abi = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])

const routeParameters = parseAbiParameters([
  'Route route',
  'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; address referrer; uint256 deadline; bytes permit; }',
  'struct Branch { uint32 weight; Hop[] hops; }',
  'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
])
