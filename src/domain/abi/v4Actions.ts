import { readWord } from './calldata.ts'
import type { Step, Visitor } from './recipients.ts'

/** Reads an action of Uniswap V4 (github.com/Uniswap/v4-periphery: libraries/Actions.sol). */
export function readV4Action({ input, code }: Step, visitor: Visitor): void {
  if (code === takePortion) {
    visitor.fee(readWord(input, 64) * 10n ** 14n, readWord(input, 32))
    return
  }
  const word = recipientWords.get(code)
  if (word !== undefined) visitor.recipient(readWord(input, word * 32))
  else if (!withoutRecipient.has(code)) visitor.unread()
}

const takePortion = 0x10

/** The word of an action's input with the recipient. */
const recipientWords: ReadonlyMap<number, number> = new Map([
  // Mint a position, with an amount of liquidity or with what is owed.
  [0x02, 10],
  [0x05, 9],
  // Take, take both currencies, sweep.
  [0x0e, 1],
  [0x11, 2],
  [0x14, 1],
])

/**
 * Change or burn a position, swap, settle, take all, close or clear a currency, wrap and unwrap. A donation
 * and what the managers do not support stay unread.
 */
const withoutRecipient: ReadonlySet<number> = new Set([
  0x00, 0x01, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x0f, 0x12, 0x13, 0x15, 0x16,
])
