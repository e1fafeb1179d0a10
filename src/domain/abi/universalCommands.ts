import { type Address, nativeTokenAddress } from '../token/token.ts'
import { readBytes, readOffset, readStaticItems, readWord, toAddress } from './calldata.ts'
import type { Step, Visitor } from './recipients.ts'
import { nativeOr, pathEnds, readV2Path } from './routerTerms.ts'

/**
 * Reads a command of Universal Router (github.com/Uniswap/universal-router: libraries/Commands.sol and
 * base/Dispatcher.sol). `next` is the step behind it.
 */
export function readUniversalCommand(step: Step, next: Step | undefined, visitor: Visitor): void {
  const { input, code } = step
  // Newer routers have other commands from 0x40 on, of which older ones ignore that bit.
  if ((code & 0x40) !== 0) visitor.unread()
  // The upper bit tells whether it may fail.
  switch (code & 0x3f) {
    // V3 and V2 swaps.
    case 0x00:
    case 0x01:
    case 0x08:
    case 0x09: {
      const recipient = readWord(input, 0)
      const terms = termsOf(step)
      if (next !== undefined && isPaidPair(terms.buy, next, recipient, visitor)) visitor.spends(terms.sell)
      else visitor.swap({ ...terms, recipient })
      return
    }
    // Transfers of the account's tokens by Permit2.
    case 0x02:
      visitor.spends(toAddress(readWord(input, 0)))
      visitor.recipient(readWord(input, 32))
      return
    case 0x0d:
      for (const item of readStaticItems(input, readOffset(input, 0), 4)) {
        visitor.spends(toAddress(readWord(input, item + 96)))
        visitor.recipient(readWord(input, item + 32))
      }
      return
    // Signed permits for several tokens and for one: the spender.
    case 0x03:
      visitor.recipient(readWord(input, readOffset(input, 0) + 32))
      return
    case 0x0a:
      visitor.recipient(readWord(input, 128))
      return
    // Sweep and transfer.
    case 0x04:
      visitor.payout({
        token: nativeOr(toAddress(readWord(input, 0))),
        min: readWord(input, 64),
        recipient: readWord(input, 32),
      })
      return
    case 0x05:
      visitor.recipient(readWord(input, 32))
      return
    // A share of the balance, in basis points or in 10^18.
    case 0x06:
      visitor.fee(readWord(input, 64) * 10n ** 14n, readWord(input, 32))
      return
    case 0x07:
      visitor.fee(readWord(input, 64), readWord(input, 32))
      return
    // Wrap and unwrap.
    case 0x0b:
      visitor.spends(nativeTokenAddress)
      visitor.recipient(readWord(input, 0))
      return
    case 0x0c:
      visitor.payout({ token: nativeTokenAddress, min: readWord(input, 32), recipient: readWord(input, 0) })
      return
    // Check of a balance, permit for a position, new pool of V4.
    case 0x0e:
    case 0x11:
    case 0x13:
      return
    case 0x10:
      visitor.steps('v4', input)
      return
    // Calls of the position managers of V3 and V4, whose calldata is the input.
    case 0x12:
    case 0x14:
      visitor.call(step.bytes())
      return
    case 0x21:
      visitor.steps('universal', input)
      return
    default:
      visitor.unread()
  }
}

type Terms = { sell: Address; buy: Address; min: bigint }

/** Exact out: the minimum stands in front, and so does what a V3 path buys. */
function termsOf({ input, code }: Step): Terms {
  const isOut = (code & 0x01) !== 0
  const min = readWord(input, isOut ? 32 : 64)
  if ((code & 0x08) !== 0) {
    const { first, last } = readV2Path(input, 96)
    return { sell: first, buy: last, min }
  }
  const { tokenIn, tokenOut } = pathEnds(readBytes(input, readOffset(input, 96)))
  return isOut ? { sell: tokenOut, buy: tokenIn, min } : { sell: tokenIn, buy: tokenOut, min }
}

/**
 * True for a swap that pays the pair which `next` sells from. Whatever else stands in a pair belongs to the
 * first who asks for it: the next step must sell exactly that, and must not be allowed to fail.
 */
function isPaidPair(bought: Address, next: Step, recipient: bigint, { pairOf }: Visitor): boolean {
  // An amount of zero is what the pair already has.
  const sellsFromPair =
    next.code === 0x08 && readWord(next.input, 32) === 0n && readWord(next.input, 128) === 0n
  if (!sellsFromPair) return false
  const { first, second } = readV2Path(next.input, 96)
  return bought === first && pairOf(first, second) === toAddress(recipient)
}
