import { type Address, nativeTokenAddress } from '../../token/token.ts'
import { readBytes, readOffset, readWord, toAddress } from '../calldata.ts'
import { type Constants, defineKnownFunction, type KnownFunction } from '../knownFunction.ts'
import { nativeOr, pathEnds, readV2Path } from './routerTerms.ts'

type Known = KnownFunction & { selector: string }

/** Returns lenient readers of swap functions. */
export function swapFunctions(): Known[] {
  return [...onV2(), ...onV3(), ...stableSwaps(), ...aggregations(), ...byPools()]
}

/** Uniswap V2 and forks; SwapRouter02 has two without a deadline. */
function onV2(): Known[] {
  const swap = (name: string, signature: string, path: number, min: number, constants: Constants = 'none') =>
    defineKnownFunction(`${name}(${signature})`, (args, visitor) => {
      const recipient = readWord(args, path * 32 + 32)
      visitor.recipient(recipient, constants)
      const { first, last } = readV2Path(args, path * 32)
      visitor.swap({
        sell: /^swap(Exact)?ETH/.test(name) ? nativeTokenAddress : first,
        buy: /For(Exact)?ETH/.test(name) ? nativeTokenAddress : last,
        min: readWord(args, min * 32),
        recipient,
        constants,
      })
    })
  const amounts = 'uint256 a, uint256 b, address[] path, address to'
  return [
    ...['', 'SupportingFeeOnTransferTokens'].flatMap((suffix) => [
      swap(`swapExactTokensForTokens${suffix}`, `${amounts}, uint256 deadline`, 2, 1),
      swap(`swapExactTokensForETH${suffix}`, `${amounts}, uint256 deadline`, 2, 1),
      swap(`swapExactETHForTokens${suffix}`, 'uint256 a, address[] path, address to, uint256 deadline', 1, 0),
    ]),
    swap('swapETHForExactTokens', 'uint256 a, address[] path, address to, uint256 deadline', 1, 0),
    swap('swapTokensForExactTokens', `${amounts}, uint256 deadline`, 2, 0),
    swap('swapTokensForExactETH', `${amounts}, uint256 deadline`, 2, 0),
    swap('swapExactTokensForTokens', amounts, 2, 1, 'numbered'),
    swap('swapTokensForExactTokens', amounts, 2, 0, 'numbered'),
  ]
}

/** SwapRouter has a deadline, SwapRouter02 none. */
function onV3(): Known[] {
  const routers = [
    ['uint256 deadline, ', 'zero'],
    ['', 'numbered'],
  ] as const
  return routers.flatMap(([deadline, constants]) => {
    const amountsAt = deadline === '' ? 32 : 64
    return (['exactInput', 'exactOutput'] as const).flatMap((name) => {
      // Exact out: the bought amount, and a path's bought token, come first.
      const isOut = name === 'exactOutput'
      return [
        defineKnownFunction(
          `${name}Single((address tokenIn, address tokenOut, uint24 fee, address recipient, ${deadline}uint256 a, uint256 b, uint160 limit) params)`,
          (args, visitor) =>
            visitor.swap({
              sell: toAddress(readWord(args, 0)),
              buy: toAddress(readWord(args, 32)),
              min: readWord(args, 96 + amountsAt + (isOut ? 0 : 32)),
              recipient: readWord(args, 96),
              constants,
            }),
        ),
        defineKnownFunction(
          `${name}((bytes path, address recipient, ${deadline}uint256 a, uint256 b) params)`,
          (args, visitor) => {
            const at = readOffset(args, 0)
            visitor.recipient(readWord(args, at + 32), constants)
            const { tokenIn, tokenOut } = pathEnds(readBytes(args, readOffset(args, at, at)))
            visitor.swap({
              sell: isOut ? tokenOut : tokenIn,
              buy: isOut ? tokenIn : tokenOut,
              min: readWord(args, at + 32 + amountsAt + (isOut ? 0 : 32)),
              recipient: readWord(args, at + 32),
              constants,
            })
          },
        ),
      ]
    })
  })
}

function stableSwaps(): Known[] {
  return ['exactInputStableSwap', 'exactOutputStableSwap'].map((name, isOut) =>
    defineKnownFunction(
      `${name}(address[] path, uint256[] flag, uint256 a, uint256 b, address to)`,
      (args, visitor) => {
        const { first, last } = readV2Path(args, 0)
        visitor.swap({
          sell: first,
          buy: last,
          min: readWord(args, isOut === 1 ? 64 : 96),
          recipient: readWord(args, 128),
          constants: 'numbered',
        })
      },
    ),
  )
}

/** Public aggregation router, its predecessor, and ours. */
function aggregations(): Known[] {
  return ['bytes data', 'bytes permit, bytes data'].map((rest) =>
    defineKnownFunction(
      `swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 min, uint256 flags) desc, ${rest})`,
      (args, visitor) =>
        visitor.swap({
          sell: nativeOr(toAddress(readWord(args, 32))),
          buy: nativeOr(toAddress(readWord(args, 64))),
          min: readWord(args, 192),
          recipient: readWord(args, 128),
          constants: 'zero',
        }),
    ),
  )
}

function byPools(): Known[] {
  const swap = (signature: string, words: { to?: number; token?: number; min: number }, coin?: Address) =>
    defineKnownFunction(signature, (args, visitor) =>
      visitor.swap({
        ...(coin && { sell: coin }),
        ...(words.token !== undefined && { sell: nativeOr(toAddress(readWord(args, words.token * 32))) }),
        min: readWord(args, words.min * 32),
        ...(words.to !== undefined && { recipient: readWord(args, words.to * 32) }),
        constants: 'none',
      }),
    )
  return [
    ...['', '2', '3'].flatMap((number) => {
      const dexes = ['dex', 'dex2', 'dex3'].slice(0, Number(number) || 1).map((dex) => `uint256 ${dex}`)
      const amounts = `uint256 token, uint256 amount, uint256 min, ${dexes.join(', ')}`
      return [
        swap(`unoswap${number}(${amounts})`, { token: 0, min: 2 }),
        swap(`unoswapTo${number}(uint256 to, ${amounts})`, { to: 0, token: 1, min: 3 }),
        swap(`ethUnoswap${number}(uint256 min, ${dexes.join(', ')})`, { min: 0 }, nativeTokenAddress),
        swap(
          `ethUnoswapTo${number}(uint256 to, uint256 min, ${dexes.join(', ')})`,
          { to: 0, min: 1 },
          nativeTokenAddress,
        ),
      ]
    }),
    swap('unoswap(address token, uint256 amount, uint256 min, uint256[] pools)', { token: 0, min: 2 }),
    swap('unoswapTo(address to, address token, uint256 amount, uint256 min, uint256[] pools)', {
      to: 0,
      token: 1,
      min: 3,
    }),
    swap('uniswapV3Swap(uint256 amount, uint256 min, uint256[] pools)', { min: 1 }),
    swap('uniswapV3SwapTo(address to, uint256 amount, uint256 min, uint256[] pools)', { to: 0, min: 2 }),
  ]
}
