import { type Address, nativeTokenAddress } from '../../token/token.ts'
import { readBytes, readOffset, readWord, toAddress } from '../calldata.ts'
import { type Constants, defineKnownFunction, type KnownFunction } from '../knownFunction.ts'
import { nativeOr, pathEnds, readV2Path } from './routerTerms.ts'

type Known = KnownFunction & { selector: string }

/** Returns lenient readers of swap functions. */
export function swapFunctions(): Known[] {
  return [
    ...onV2(),
    ...onV3(),
    ...stableSwaps(),
    ...aggregations(),
    ...byPools(),
    ...onCurve(),
    ...elsewhere(),
  ]
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
  const amounts = 'uint256, uint256, address[], address to'
  return [
    ...['', 'SupportingFeeOnTransferTokens'].flatMap((suffix) => [
      swap(`swapExactTokensForTokens${suffix}`, `${amounts}, uint256`, 2, 1),
      swap(`swapExactTokensForETH${suffix}`, `${amounts}, uint256`, 2, 1),
      swap(`swapExactETHForTokens${suffix}`, 'uint256, address[], address to, uint256', 1, 0),
    ]),
    swap('swapETHForExactTokens', 'uint256, address[], address to, uint256', 1, 0),
    swap('swapTokensForExactTokens', `${amounts}, uint256`, 2, 0),
    swap('swapTokensForExactETH', `${amounts}, uint256`, 2, 0),
    swap('swapExactTokensForTokens', amounts, 2, 1, 'numbered'),
    swap('swapTokensForExactTokens', amounts, 2, 0, 'numbered'),
  ]
}

/** SwapRouter has a deadline, SwapRouter02 none. */
function onV3(): Known[] {
  const routers = [
    ['uint256, ', 'zero'],
    ['', 'numbered'],
  ] as const
  return routers.flatMap(([deadline, constants]) => {
    const amountsAt = deadline === '' ? 32 : 64
    return (['exactInput', 'exactOutput'] as const).flatMap((name) => {
      // Exact out: the bought amount, and a path's bought token, come first.
      const isOut = name === 'exactOutput'
      return [
        defineKnownFunction(
          `${name}Single((address, address, uint24, address recipient, ${deadline}uint256, uint256, uint160) params)`,
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
          `${name}((bytes, address recipient, ${deadline}uint256, uint256) params)`,
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
    defineKnownFunction(`${name}(address[], uint256[], uint256, uint256, address to)`, (args, visitor) => {
      const { first, last } = readV2Path(args, 0)
      visitor.swap({
        sell: first,
        buy: last,
        min: readWord(args, isOut === 1 ? 64 : 96),
        recipient: readWord(args, 128),
        constants: 'numbered',
      })
    }),
  )
}

/** Public aggregation router, its predecessor, and ours. */
function aggregations(): Known[] {
  return ['bytes data', 'bytes, bytes data'].map((rest) =>
    defineKnownFunction(
      `swap(address, (address, address, address srcReceiver, address dstReceiver, uint256 amount, uint256 min, uint256) desc, ${rest})`,
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

/** Positions of argument words. */
type Words = { min: number; to?: number; sell?: number; buy?: number }

/** `coin`: sold, if the calldata does not name it. */
function swapOf(signature: string, words: Words, coin?: Address, constants: Constants = 'none'): Known {
  return defineKnownFunction(signature, (args, visitor) => {
    const token = (word: number) => nativeOr(toAddress(readWord(args, word * 32)))
    visitor.swap({
      ...(coin && { sell: coin }),
      ...(words.sell !== undefined && { sell: token(words.sell) }),
      ...(words.buy !== undefined && { buy: token(words.buy) }),
      min: readWord(args, words.min * 32),
      ...(words.to !== undefined && { recipient: readWord(args, words.to * 32) }),
      constants,
    })
  })
}

function byPools(): Known[] {
  return [
    ...['', '2', '3'].flatMap((number) => {
      const dexes = ['dex', 'dex2', 'dex3'].slice(0, Number(number) || 1).map((dex) => `uint256 ${dex}`)
      const amounts = `uint256 token, uint256 amount, uint256 min, ${dexes.join(', ')}`
      return [
        swapOf(`unoswap${number}(${amounts})`, { sell: 0, min: 2 }),
        swapOf(`unoswapTo${number}(uint256 to, ${amounts})`, { to: 0, sell: 1, min: 3 }),
        swapOf(`ethUnoswap${number}(uint256 min, ${dexes.join(', ')})`, { min: 0 }, nativeTokenAddress),
        swapOf(
          `ethUnoswapTo${number}(uint256 to, uint256 min, ${dexes.join(', ')})`,
          { to: 0, min: 1 },
          nativeTokenAddress,
        ),
      ]
    }),
    swapOf('unoswap(address token, uint256 amount, uint256 min, uint256[])', { sell: 0, min: 2 }),
    swapOf('unoswapTo(address to, address token, uint256 amount, uint256 min, uint256[])', {
      to: 0,
      sell: 1,
      min: 3,
    }),
    swapOf('uniswapV3Swap(uint256 amount, uint256 min, uint256[])', { min: 1 }),
    swapOf('uniswapV3SwapTo(address to, uint256 amount, uint256 min, uint256[])', { to: 0, min: 2 }),
  ]
}

/** Curve's pools, which may sell native tokens, and its router. */
function onCurve(): Known[] {
  const plain = 'uint256,uint256,uint256,uint256'
  const pools: [types: string, to?: number][] = [
    ...['int128,int128,uint256,uint256', plain].flatMap((types): [string, number?][] => [
      [types],
      [`${types},address`, 4],
    ]),
    [`${plain},bool`],
    [`${plain},bool,address`, 5],
  ]
  const route = 'address[11],uint256[5][5],uint256,uint256'
  return [
    ...['exchange', 'exchange_underlying'].flatMap((name) =>
      pools.map(([types, to]) =>
        swapOf(`${name}(${types})`, { min: 3, ...(to && { to }) }, nativeTokenAddress),
      ),
    ),
    swapOf(`exchange(${route})`, { sell: 0, min: 37 }),
    swapOf(`exchange(${route},address[5])`, { sell: 0, min: 37 }),
    swapOf(`exchange(${route},address[5],address)`, { sell: 0, min: 37, to: 43 }),
  ]
}

function elsewhere(): Known[] {
  const ends = (word: (index: number) => bigint) => ({
    sell: nativeOr(toAddress(word(0))),
    buy: nativeOr(toAddress(word(1))),
  })
  return [
    // 0x.
    swapOf('transformERC20(address,address,uint256,uint256,(uint32,bytes)[])', { sell: 0, buy: 1, min: 3 }),
    // ParaSwap.
    ...['In', 'Out'].map((name) =>
      swapOf(
        `swapExactAmount${name}(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)`,
        { sell: 1, buy: 2, min: 4, to: 7 },
        undefined,
        'zero',
      ),
    ),
    // Odos.
    swapOf('swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)', {
      sell: 0,
      buy: 3,
      min: 5,
      to: 6,
    }),
    // KyberSwap.
    defineKnownFunction(
      'swap((address,address,bytes,(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))',
      (args, visitor) => {
        const at = readOffset(args, 0)
        const word = (index: number) => readWord(args, readOffset(args, at + 96, at) + index * 32)
        visitor.swap({ ...ends(word), min: word(8), recipient: word(6), constants: 'zero' })
      },
    ),
    // Balancer's vault. The limit is the minimum of exact in only.
    defineKnownFunction(
      'swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)',
      (args, visitor) => {
        const word = (index: number) => readWord(args, readOffset(args, 0) + index * 32)
        visitor.swap({
          ...ends((index) => word(index + 2)),
          min: word(1) === 0n ? readWord(args, 160) : word(4),
          recipient: readWord(args, 96),
          constants: 'none',
        })
      },
    ),
  ]
}
