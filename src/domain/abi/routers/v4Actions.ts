import type { Address } from '../../token/token.ts'
import { readItems, readOffset, readSize, readWord, toAddress } from '../calldata.ts'
import type { Step, Visitor } from '../knownFunction.ts'
import { nativeOr } from './routerTerms.ts'

/** Reads an action of Uniswap V4 (github.com/Uniswap/v4-periphery: libraries/Actions.sol). */
export function readV4Action({ input, code }: Step, visitor: Visitor): void {
  switch (code) {
    case 0x06:
    case 0x08:
      visitor.swap(singleTerms(input, code === 0x08))
      return
    case 0x07:
    case 0x09:
      visitor.swap(pathTerms(input, code === 0x09))
      return
    case 0x0f:
      visitor.payout({ token: readCurrency(input, 0), min: readWord(input, 32) })
      return
    case 0x10:
      visitor.fee(readWord(input, 64) * 10n ** 14n, readWord(input, 32))
      return
    default: {
      const word = recipientWords.get(code)
      if (word !== undefined) visitor.recipient(readWord(input, word * 32))
      else if (!withoutRecipient.has(code)) visitor.unread()
    }
  }
}

function singleTerms(input: string, isOut: boolean) {
  const at = readOffset(input, 0)
  const [first, second] = [readCurrency(input, at), readCurrency(input, at + 32)]
  const [sell, buy] = readWord(input, at + 160) === 0n ? [second, first] : [first, second]
  return { sell, buy, min: readWord(input, at + (isOut ? 192 : 224)) }
}

/**
 * Newer routers insert a price list before the amounts; an older one would read its offset as a negligible
 * amount.
 */
function pathTerms(input: string, isOut: boolean) {
  const at = readOffset(input, 0)
  const pathOffset = readSize(input, at + 32)
  const isNewer = pathOffset === 0xa0 && isOffset(readWord(input, at + 64))
  if (!isNewer && pathOffset !== 0x80) throw new Error('The amounts are not where they should be')
  const path = readItems(input, at + pathOffset)
  const [end, other] = [readCurrency(input, at), path.at(isOut ? 0 : -1)]
  if (other === undefined) throw new Error('The path is too short')
  const currency = readCurrency(input, other)
  const amounts = at + (isNewer ? 96 : 64)
  return isOut
    ? { sell: currency, buy: end, min: readWord(input, amounts) }
    : { sell: end, buy: currency, min: readWord(input, amounts + 32) }
}

function isOffset(word: bigint): boolean {
  return word >= 0xa0n && word < 0x1000n
}

function readCurrency(input: string, at: number): Address {
  return nativeOr(toAddress(readWord(input, at)))
}

/** Input word with the recipient. */
const recipientWords: ReadonlyMap<number, number> = new Map([
  // Mint a position, also from deltas.
  [0x02, 10],
  [0x05, 9],
  [0x0e, 1],
  [0x11, 2],
  [0x14, 1],
])

/** Donations and unsupported actions stay unread. */
const withoutRecipient: ReadonlySet<number> = new Set([
  0x00, 0x01, 0x03, 0x04, 0x0b, 0x0c, 0x0d, 0x12, 0x13, 0x15, 0x16,
])
