import { readWord } from './calldata.ts'
import type { Visitor } from './recipients.ts'

/** Step `index` of a list, with all of them. Its `code` is a byte. */
type Step = { codes: readonly string[]; inputs: readonly string[]; index: number; code: number }

/** Reads a command of Universal Router (github.com/Uniswap/universal-router: libraries/Commands.sol). */
export function universalSteps({ codes, inputs, index, code }: Step, visitor: Visitor): void {
  const input = inputs[index] ?? ''
  // The upper bits tell whether it may fail.
  const command = code & 0x3f
  switch (command) {
    // V3 and V2 swaps. In a mixed route, one pays into the pair that the next one sells from.
    case 0x00:
    case 0x01:
    case 0x08:
    case 0x09:
      if (!paysPair(codes, inputs, index)) visitor.recipient(readWord(input, 0))
      return
    // Sweep and transfer.
    case 0x04:
    case 0x05:
      visitor.recipient(readWord(input, 32))
      return
    // A share of the balance, in basis points or in 10^18.
    case 0x06:
      if (readWord(input, 64) > mostFee) visitor.recipient(readWord(input, 32))
      return
    case 0x07:
      if (readWord(input, 64) > mostFee * 10n ** 14n) visitor.recipient(readWord(input, 32))
      return
    // Wrap and unwrap.
    case 0x0b:
    case 0x0c:
      visitor.recipient(readWord(input, 0))
      return
    case 0x10:
      visitor.steps('v4', input)
      return
    // Calls of the position managers of V3 and V4, whose calldata is the input.
    case 0x12:
    case 0x14:
      visitor.call(input)
      return
    case 0x21:
      visitor.steps('universal', input)
  }
}

/** Reads an action of Uniswap V4 (github.com/Uniswap/v4-periphery: libraries/Actions.sol). */
export function v4Steps({ inputs, index, code }: Step, visitor: Visitor): void {
  const input = inputs[index] ?? ''
  const word = v4Words.get(code)
  if (word === undefined) return
  if (code === takePortion && readWord(input, 64) <= mostFee) return
  visitor.recipient(readWord(input, word * 32))
}

/** The share that a site may take as its fee, in basis points. */
const mostFee = 300n

const takePortion = 0x10

/** The word of an action's input with the recipient. */
const v4Words: ReadonlyMap<number, number> = new Map([
  // Mint a position, with an amount of liquidity or with what is owed.
  [0x02, 10],
  [0x05, 9],
  // Take, take a share, take both currencies, sweep.
  [0x0e, 1],
  [takePortion, 1],
  [0x11, 2],
  [0x14, 1],
])

/** True when the next step is a V2 swap of what is already in its pair. */
function paysPair(codes: readonly string[], inputs: readonly string[], index: number): boolean {
  const next = Number(`0x${codes[index + 1] ?? 'ff'}`) & 0x3f
  const payer = inputs[index + 1]?.slice(4 * 64, 5 * 64) ?? ''
  return (next === 0x08 || next === 0x09) && /^0{64}$/.test(payer)
}
