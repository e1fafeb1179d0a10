import type { Address, Hex } from '../token/token.ts'
import { readAbiItem } from './abi.ts'
import { toFunctionSelector } from './abiCalls.ts'
import { readBytes, readItems, readOffset, readSize, readWord } from './calldata.ts'
import type { On } from './callReader.ts'
import { universalSteps, v4Steps } from './recipientSteps.ts'

// Recipients of payouts, also within multicalls, read for a warning alone: a call is put in words, and
// believed, only where its bytes encode back to themselves.

type Place = Pick<On, 'to' | 'account'>

export type Recipients = {
  /** Names of the functions that are known by their selectors, outermost first. */
  names: string[]
  /** Other than the account and the called contract; each once. */
  foreign: Address[]
  /** False where there is more than the wallet reads. */
  isComplete: boolean
}

/** Returns the recipients that `data`, a call of `to`, names. Never throws. */
export function readRecipients(data: Hex, { to, account }: Place): Recipients {
  const own: ReadonlySet<string> = new Set([to, account])
  const names = new Set<string>()
  const foreign = new Set<Address>()
  let left = mostBytes

  function visit(hex: string): void {
    left -= hex.length / 2 + 32
    if (left < 0) throw new TooMuch()
    const known = knownFunctions().get(hex.slice(0, 8))
    if (known === undefined) return
    names.add(known.name)
    const rest = hex.slice(8)
    ignoreUnreadable(() => known.read(rest, { call: visit, recipient: add, steps }))
  }

  /** Steps of Universal Router or of Uniswap V4: one byte each, with an input of its own. */
  function steps(kind: 'universal' | 'v4', hex: string): void {
    const codes = readBytes(hex, readOffset(hex, 0)).match(/../g) ?? []
    const list = readOffset(hex, 32)
    const items = readItems(hex, list)
    // Both contracts read beyond the end of an input that is too short.
    const inputs = items.map((item) => hex.slice((item + 32) * 2))
    left -= items.reduce((sum, item) => sum + readSize(hex, item) + 32, 0)
    if (left < 0) throw new TooMuch()
    const read = kind === 'v4' ? v4Steps : universalSteps
    codes.forEach((code, index) => {
      ignoreUnreadable(() =>
        read({ codes, inputs, index, code: Number(`0x${code}`) }, { call: visit, recipient: add, steps }),
      )
    })
  }

  function add(word: bigint): void {
    const address: Address = `0x${(word & addressMask).toString(16).padStart(40, '0')}`
    // Small numbers stand for the sender or the contract itself.
    if (BigInt(address) > 2n && !own.has(address)) foreign.add(address)
  }

  try {
    visit(data.slice(2).toLowerCase())
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return { names: [...names], foreign: [...foreign].slice(0, mostForeign), isComplete: false }
  }
  const isComplete = foreign.size <= mostForeign
  return { names: [...names], foreign: [...foreign].slice(0, mostForeign), isComplete }
}

/** Reads the arguments of one function. */
export type Visitor = {
  call(hex: string): void
  recipient(word: bigint): void
  steps(kind: 'universal' | 'v4', hex: string): void
}

type KnownFunction = { name: string; read(args: string, visitor: Visitor): void }

/**
 * Bytes of all nested calls together. A request has 256 KiB, but offsets may point to the same bytes
 * again.
 */
const mostBytes = 4_000_000
const mostForeign = 10
const addressMask = 2n ** 160n - 1n

class TooMuch extends Error {}

/** A contract cannot read them either. */
function ignoreUnreadable(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof TooMuch) throw error
  }
}

let functions: Map<string, KnownFunction> | undefined

/** By selectors without 0x. Made when the first call is read. */
function knownFunctions(): Map<string, KnownFunction> {
  functions ??= new Map(
    [
      ...payouts.map(([signature, index]) =>
        known(signature, (args, { recipient }) => recipient(readWord(args, index * 32))),
      ),
      ...alongPaths.map((signature) =>
        known(signature, (args, { recipient }) => recipient(readWord(args, readOffset(args, 0) + 32))),
      ),
      ...plain.map((signature) => known(signature, () => undefined)),
      known('multicall(bytes[] data)', (args, { call }) => readCalls(args, 0, call)),
      known('multicall(uint256 deadline, bytes[] data)', (args, { call }) => readCalls(args, 32, call)),
      known('multicall(bytes32 previousBlockhash, bytes[] data)', (args, { call }) =>
        readCalls(args, 32, call),
      ),
      known('execute(bytes commands, bytes[] inputs)', (args, { steps }) => steps('universal', args)),
      known('execute(bytes commands, bytes[] inputs, uint256 deadline)', (args, { steps }) =>
        steps('universal', args),
      ),
      known('modifyLiquidities(bytes unlockData, uint256 deadline)', (args, { steps }) =>
        steps('v4', readBytes(args, readOffset(args, 0))),
      ),
      known('modifyLiquiditiesWithoutUnlock(bytes actions, bytes[] params)', (args, { steps }) =>
        steps('v4', args),
      ),
    ].map(({ selector, ...rest }) => [selector, rest]),
  )
  return functions
}

function known(signature: string, read: KnownFunction['read']): KnownFunction & { selector: string } {
  const item = readAbiItem(`function ${signature}` as 'function burn(uint256 tokenId)')
  return { selector: toFunctionSelector(item).slice(2), name: item.name, read }
}

function readCalls(args: string, at: number, call: Visitor['call']): void {
  for (const item of readItems(args, readOffset(args, at))) call(readBytes(args, item))
}

/** Functions with the word of their arguments that holds the recipient. */
const payouts: readonly (readonly [signature: string, word: number])[] = [
  // Positions of Uniswap V3 (NonfungiblePositionManager).
  ['collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)', 1],
  [
    'mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)',
    9,
  ],
  // Payments of Uniswap's V3 contracts.
  ['unwrapWETH9(uint256 amountMinimum, address recipient)', 1],
  ['unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient)', 1],
  ['sweepToken(address token, uint256 amountMinimum, address recipient)', 2],
  [
    'sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient)',
    2,
  ],
  // Swaps on Uniswap V3, of SwapRouter and of SwapRouter02.
  [
    'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
    3,
  ],
  [
    'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
    3,
  ],
  [
    'exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)',
    3,
  ],
  [
    'exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)',
    3,
  ],
  // Swaps on Uniswap V2 and its copies.
  ...[
    'swapExactTokensForTokens',
    'swapExactTokensForTokensSupportingFeeOnTransferTokens',
    'swapExactTokensForETH',
    'swapExactTokensForETHSupportingFeeOnTransferTokens',
    'swapTokensForExactTokens',
    'swapTokensForExactETH',
  ].map(
    (name) =>
      [`${name}(uint256 amount, uint256 limit, address[] path, address to, uint256 deadline)`, 3] as const,
  ),
  ['swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)', 3],
  ['swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to)', 3],
  ...[
    'swapExactETHForTokens',
    'swapExactETHForTokensSupportingFeeOnTransferTokens',
    'swapETHForExactTokens',
  ].map((name) => [`${name}(uint256 amount, address[] path, address to, uint256 deadline)`, 2] as const),
  // Liquidity of Uniswap V2.
  [
    'addLiquidity(address tokenA, address tokenB, uint256 desiredA, uint256 desiredB, uint256 minA, uint256 minB, address to, uint256 deadline)',
    6,
  ],
  [
    'addLiquidityETH(address token, uint256 desired, uint256 minToken, uint256 minETH, address to, uint256 deadline)',
    4,
  ],
  [
    'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 minA, uint256 minB, address to, uint256 deadline)',
    5,
  ],
  [
    'removeLiquidityWithPermit(address tokenA, address tokenB, uint256 liquidity, uint256 minA, uint256 minB, address to, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s)',
    5,
  ],
  ...['removeLiquidityETH', 'removeLiquidityETHSupportingFeeOnTransferTokens'].map(
    (name) =>
      [
        `${name}(address token, uint256 liquidity, uint256 minToken, uint256 minETH, address to, uint256 deadline)`,
        4,
      ] as const,
  ),
  ...['removeLiquidityETHWithPermit', 'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens'].map(
    (name) =>
      [
        `${name}(address token, uint256 liquidity, uint256 minToken, uint256 minETH, address to, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s)`,
        4,
      ] as const,
  ),
  // The public aggregation router.
  [
    'swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data)',
    4,
  ],
  // Vaults (ERC-4626) and Aave's pool.
  ['withdraw(uint256 assets, address receiver, address owner)', 1],
  ['redeem(uint256 shares, address receiver, address owner)', 1],
  ['withdraw(address asset, uint256 amount, address to)', 2],
]

/** The recipient stands behind the offset of a path. */
const alongPaths: readonly string[] = [
  'exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)',
  'exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)',
  'exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params)',
  'exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params)',
]

/** Known by name, without a recipient. */
const plain: readonly string[] = [
  'increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)',
  'decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)',
  'burn(uint256 tokenId)',
]
