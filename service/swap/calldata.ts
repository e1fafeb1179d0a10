import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi, size, slice, zeroAddress } from 'viem'
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

/** Encodes the router call of a route (contracts/ISwapRouter.sol). Throws if a number is too large. */
export function encodeSwap(call: SwapCall): { to: Address; data: Hex; value: bigint } {
  const { config, sell, buy, amount, receiver, minReturn, flags = 0n } = call
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
    data: encodeFunctionData({
      abi,
      functionName: 'swap',
      args: [config.router, description, encodeRoute(call)],
    }),
    value: sell === nativeTokenAddress ? amount : 0n,
  }
}

/** Words of contracts/Route.sol. */
function encodeRoute({ route, feePpm, referrer = zeroAddress, deadline, permit = '0x' }: SwapCall): Hex {
  const connectors = route.tokens.slice(1, -1)
  const furtherBranches = route.branches.slice(0, -1)
  const header = concat([
    referrer,
    numberToHex(deadline, { size: 6 }),
    numberToHex(feePpm, { size: 3 }),
    ...[connectors.length, furtherBranches.length, size(permit) / word].map((count) =>
      numberToHex(count, { size: 1 }),
    ),
  ])
  return concat([
    header,
    ...connectors.map((token) => numberToHex(BigInt(token), { size: word })),
    ...furtherBranches.map(({ weight, edges }) =>
      concat([numberToHex(edges.length, { size: word - 3 }), numberToHex(weight, { size: 3 })]),
    ),
    permit,
    ...route.branches.flatMap(({ edges }) => edges.map((edge) => encodeHop(route, edge))),
  ])
}

function encodeHop({ tokens }: SettledRoute, { pool, from, to, weight }: Edge): Hex {
  const encoded = pool.encode(tokens[from] as Address, tokens[to] as Address)
  const { kind, fee, aux, detail = fee, target = pool.address } = encoded
  return concat([
    target,
    aux === undefined ? numberToHex(detail, { size: 6 }) : idSuffix(aux),
    ...[kind, from, to].map((field) => numberToHex(field, { size: 1 })),
    numberToHex(weight, { size: 3 }),
  ])
}

/** Specialization and nonce of a Balancer pool's id, after the pool's address. */
function idSuffix(poolId: Hex): Hex {
  const nonce = BigInt(slice(poolId, 22))
  return concat([slice(poolId, 20, 22), numberToHex(nonce, { size: 4 })])
}

const word = 32

const abi = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])
