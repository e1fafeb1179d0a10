import { nativeTokenAddress } from '../token/token.ts'
import { readWord, toAddress } from './calldata.ts'
import { defineKnownFunction, type KnownFunction, type Visitor } from './knownFunction.ts'

/** Returns readers of payments by Uniswap's V3 routers. */
export function paymentFunctions(): (KnownFunction & { selector: string })[] {
  const unwrap = (args: string, visitor: Visitor, recipient?: bigint) =>
    visitor.payout({ token: nativeTokenAddress, min: readWord(args, 0), recipient, constants: 'none' })
  const sweep = (args: string, visitor: Visitor, recipient?: bigint) =>
    visitor.payout({
      token: toAddress(readWord(args, 0)),
      min: readWord(args, 32),
      recipient,
      constants: 'none',
    })
  /** In basis points, followed by its recipient. */
  const fee = (args: string, word: number, visitor: Visitor) =>
    visitor.fee(readWord(args, word * 32) * 10n ** 14n, readWord(args, word * 32 + 32), 'none')
  const spends = (words: number[]) => (args: string, visitor: Visitor) => {
    for (const word of words) visitor.spends(toAddress(readWord(args, word * 32)))
  }
  return [
    defineKnownFunction('unwrapWETH9(uint256 min, address recipient)', (args, visitor) =>
      unwrap(args, visitor, readWord(args, 32)),
    ),
    defineKnownFunction('unwrapWETH9(uint256 min)', unwrap),
    defineKnownFunction('sweepToken(address token, uint256 min, address recipient)', (args, visitor) =>
      sweep(args, visitor, readWord(args, 64)),
    ),
    defineKnownFunction('sweepToken(address token, uint256 min)', sweep),
    defineKnownFunction(
      'unwrapWETH9WithFee(uint256 min, address recipient, uint256, address to)',
      (args, visitor) => {
        unwrap(args, visitor, readWord(args, 32))
        fee(args, 2, visitor)
      },
    ),
    defineKnownFunction('unwrapWETH9WithFee(uint256 min, uint256, address to)', (args, visitor) => {
      unwrap(args, visitor)
      fee(args, 1, visitor)
    }),
    defineKnownFunction(
      'sweepTokenWithFee(address token, uint256 min, address recipient, uint256, address to)',
      (args, visitor) => {
        sweep(args, visitor, readWord(args, 64))
        fee(args, 3, visitor)
      },
    ),
    defineKnownFunction(
      'sweepTokenWithFee(address token, uint256 min, uint256, address to)',
      (args, visitor) => {
        sweep(args, visitor)
        fee(args, 2, visitor)
      },
    ),
    defineKnownFunction('refundETH()', (_args, { refunds }) => refunds()),
    defineKnownFunction('wrapETH(uint256)', (_args, visitor) => visitor.spends(nativeTokenAddress)),
    defineKnownFunction('pull(address token, uint256)', spends([0])),
    defineKnownFunction(
      'increaseLiquidity((address, address, uint256, uint256, uint256) params)',
      spends([0, 1]),
    ),
    defineKnownFunction(
      'mint((address, address, uint24, int24, int24, uint256, uint256, address recipient) params)',
      (args, visitor) => {
        spends([0, 1])(args, visitor)
        visitor.recipient(readWord(args, 224), 'none')
      },
    ),
  ]
}
