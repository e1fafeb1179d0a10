import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import type { Market } from '../market.ts'
import type { Stage } from '../stage.ts'
import { type Ask, encodeHops, native, partialFill, unwrap, v2, wrap } from './ask.ts'

export type Move = { target: Address; value: bigint; data: Hex }
type Victims = { seller: Address; thief: Address; accomplice: Address; feeder: Address; minted: Address[] }

const abi = parseAbi([
  'function mint(address, uint256)',
  'function transfer(address, uint256)',
  'function transferFrom(address, address, uint256)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'function feed(address) payable',
  'function skim(address)',
  'function sync()',
  'function flash(address recipient, uint256, uint256, bytes)',
  'function flashLoan(address recipient, address[] tokens, uint256[] amounts, bytes)',
  'function uniswapV3SwapCallback(int256, int256, bytes)',
  'function pancakeV3SwapCallback(int256, int256, bytes)',
  'function algebraSwapCallback(int256, int256, bytes)',
  'function unlockCallback(bytes)',
  'function sellBranch(uint256 source, address holder, uint256 before, address[] tokens, bytes hops, uint256 amount, uint256 firstHop)',
  'struct Operation { uint8 kind; address asset; uint256 amount; address sender; address recipient; }',
  'function manageUserBalance(Operation[] operations) payable',
])

/** Every attack we know during a swap. */
export function repertoire(stage: Stage, { weighted, pairs, pools }: Market, victims: Victims): Move[] {
  const { router, bystander, contracts } = stage
  const { vault, permit2 } = contracts
  const { WETH, USDC, USDT, DAI } = stage.tokens
  const { seller, thief, accomplice, feeder, minted } = victims
  const hops = encodeHops([{ kind: v2, from: 0, to: 1, pool: pairs.wethUsdc, fee: 3_000 }])
  const branch = (token: Address) => call('sellBranch', [0n, thief, 0n, [token, USDC], hops, 10n ** 9n, 0n])
  const parameters = parseAbiParameters('uint256, address, address, uint256, uint256, address')
  // From the caller of the running swap.
  const unlocked = encodeAbiParameters(parameters, [7n << 40n, WETH, USDC, 10n ** 9n, 0n, thief])
  const withdrawal = { kind: 1, asset: WETH, amount: 1n, sender: router, recipient: thief }
  return [
    ...innerSwaps(stage, pairs.wethUsdc),
    ...[...callbacks(), call('unlockCallback', [unlocked]), branch(WETH), branch(native)].map((data) =>
      move(router, data),
    ),
    move(router, '0x', 1n),
    ...[router, bystander, seller].map((from) => move(WETH, call('transferFrom', [from, thief, 1n]))),
    ...[router, bystander].map((from) => move(permit2, call('transferFrom', [from, thief, 1n, WETH]))),
    ...[router, bystander].map((from) => move(vault, stage.vaultSwap(weighted, WETH, USDC, 10n ** 9n, from))),
    move(vault, call('flashLoan', [router, [WETH], [10n], '0x'])),
    move(vault, call('manageUserBalance', [[withdrawal]])),
    move(pools.wethUsdc, call('flash', [router, 10n, 10n, '0x'])),
    move(pairs.wethUsdc, call('skim', [router])),
    move(pairs.wethUsdc, call('sync', [])),
    ...[WETH, USDC, DAI, USDT].map((token) => move(token, call('transfer', [router, 5n]))),
    ...minted.map((token) => move(token, call('mint', [router, 9n]))),
    move(feeder, call('feed', [router]), 11n),
    move(accomplice, '0x', 1n),
  ]
}

function innerSwaps(stage: Stage, pool: Address): Move[] {
  const { WETH, USDC } = stage.tokens
  const hop = { kind: v2, from: 0, to: 1, pool, fee: 3_000 }
  const fromCoin = [
    { kind: wrap, from: 0, to: 1 },
    { ...hop, from: 1, to: 2 },
  ]
  const toCoin = [hop, { kind: unwrap, from: 1, to: 2 }]
  const branches = [{ weight: 500_000, hops: [hop] }, { hops: [hop] }]
  const asks: Ask[] = [
    { tokens: [WETH, USDC], hops: [hop], amount: 10n ** 12n },
    { tokens: [WETH, USDC], branches, amount: 10n ** 12n, flags: partialFill },
    { tokens: [native, WETH, USDC], hops: fromCoin, amount: 10n ** 12n },
    { tokens: [USDC, WETH, native], hops: toCoin, amount: 1_000_000n },
  ]
  return asks.map((ask) => {
    const { to, data, value } = stage.toCall(ask)
    return move(to, data ?? '0x', value)
  })
}

function callbacks(): Hex[] {
  return ['uniswapV3SwapCallback', 'pancakeV3SwapCallback', 'algebraSwapCallback'].flatMap((name) =>
    [1n, 10n ** 15n, -1n].flatMap((amount) => [
      call(name, [amount, 0n, '0x']),
      call(name, [0n, amount, '0x']),
      call(name, [amount, amount, '0x']),
    ]),
  )
}

function call(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args } as never)
}

function move(target: Address, data: Hex, value = 0n): Move {
  return { target, value, data }
}
