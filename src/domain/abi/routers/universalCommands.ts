import { type Address, nativeTokenAddress } from '../../token/token.ts'
import { readBytes, readOffset, readStaticItems, readWord, toAddress } from '../calldata.ts'
import type { Step, Visitor } from '../knownFunction.ts'
import { nativeOr, pathEnds, readV2Path } from './routerTerms.ts'

/**
 * Reads a command of Universal Router (github.com/Uniswap/universal-router: libraries/Commands.sol,
 * base/Dispatcher.sol).
 */
export function readUniversalCommand(step: Step, next: Step | undefined, visitor: Visitor): void {
  const { input, code } = step
  // Newer routers use 0x40, older ones ignore it.
  if ((code & 0x40) !== 0) visitor.unread()
  // 0x80: may fail.
  switch (code & 0x3f) {
    case 0x00:
    case 0x01:
    case 0x08:
    case 0x09: {
      const recipient = readWord(input, 0)
      const terms = toTerms(step)
      if (next !== undefined && isPaidPair(terms.buy, next, recipient, visitor)) visitor.spends(terms.sell)
      else visitor.swap({ ...terms, recipient })
      return
    }
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
    // Permits: the spender.
    case 0x03:
      visitor.recipient(readWord(input, readOffset(input, 0) + 32))
      return
    case 0x0a:
      visitor.recipient(readWord(input, 128))
      return
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
    // Share of the balance, in basis points or 10^-18.
    case 0x06:
      visitor.fee(readWord(input, 64) * 10n ** 14n, readWord(input, 32))
      return
    case 0x07:
      visitor.fee(readWord(input, 64), readWord(input, 32))
      return
    case 0x0b:
      visitor.spends(nativeTokenAddress)
      visitor.recipient(readWord(input, 0))
      return
    case 0x0c:
      visitor.payout({ token: nativeTokenAddress, min: readWord(input, 32), recipient: readWord(input, 0) })
      return
    // Balance check, position permit, V4 pool creation.
    case 0x0e:
    case 0x11:
    case 0x13:
      return
    case 0x10:
      visitor.steps('v4', input)
      return
    // Position managers; the input is the calldata.
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

/** Exact out: the minimum, and a V3 path's bought token, come first. */
function toTerms({ input, code }: Step): Terms {
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
 * True for a swap that pays the pair of `next`. A pair's surplus goes to the first caller, so `next` must
 * sell exactly that and must not be allowed to fail.
 */
function isPaidPair(bought: Address, next: Step, recipient: bigint, { pairOf }: Visitor): boolean {
  // Amount 0 is the pair's surplus.
  const sellsFromPair =
    next.code === 0x08 && readWord(next.input, 32) === 0n && readWord(next.input, 128) === 0n
  if (!sellsFromPair) return false
  const { first, second } = readV2Path(next.input, 96)
  return bought === first && pairOf(first, second) === toAddress(recipient)
}
