import {
  type Fees,
  meetsMinFees,
  type Replacement,
  replacementAt,
} from '../../domain/activity/replacement.ts'
import { t } from '../../i18n/translate.ts'
import { formatGwei, parseFees, parseGwei } from '../fees/gwei.ts'
import { speedName, speeds } from '../fees/speeds.ts'

export type ReplaceOption = {
  name: string
  fees: Fees
  /** Its maximum per gas as it is written: the minimum in the digits that may be typed for it. */
  gwei: string
  /** Those that it is at once. */
  speeds: [FeePreset, ...FeePreset[]]
}

export type FeePreset = (typeof speeds)[number]

/** What a replacement may pay, the least first. Speeds that the market gives for less than nodes take are that least. */
export function replaceOptions(offer: Replacement): ReplaceOption[] {
  const options: ReplaceOption[] = []
  for (const speed of speeds) {
    const fees = replacementAt(offer, speed)
    const same = options.find((one) => isSame(one.fees, fees))
    if (same) same.speeds.push(speed)
    else {
      const name = isSame(fees, offer.least) ? t('Minimum') : speedName(speed)
      options.push({ name, fees, gwei: formatMinimum(fees.maxFeePerGas), speeds: [speed] })
    }
  }
  return options
}

/** Typed gwei as fees that take its place, or for each field why not. */
export function parseReplaceFees(
  typed: { most: string; tip: string },
  offer: Replacement,
  mark?: '.' | ',',
): ReturnType<typeof parseFees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = offer.least
  const fees = parseFees(typed, replacementAt(offer, 'fast'), mark, maxPriorityFeePerGas)
  if (!('maxFeePerGas' in fees)) {
    return {
      most: fees.most ?? tooLittle(typed.most, maxFeePerGas, mark),
      tip: fees.tip ?? tooLittle(typed.tip, maxPriorityFeePerGas, mark),
    }
  }
  if (meetsMinFees(fees, offer.least)) return fees
  return {
    most: fees.maxFeePerGas < maxFeePerGas ? atLeast(maxFeePerGas, mark) : undefined,
    // One that was not typed is as high as the max fee lets it be.
    tip: tooLittle(typed.tip, maxPriorityFeePerGas, mark),
  }
}

/** Said of one field also while the other is empty. */
function tooLittle(text: string, least: bigint, mark?: '.' | ','): string | undefined {
  const wei = parseGwei(text, mark)
  return wei !== undefined && wei < least ? atLeast(least, mark) : undefined
}

/** In digits that are enough when they are typed. */
function atLeast(wei: bigint, mark?: '.' | ','): string {
  return t('Enter at least {amount} gwei', { amount: formatMinimum(wei, mark) })
}

/** As gwei, rounded up: what is shown is what may be typed. */
export function formatMinimum(wei: bigint, mark?: '.' | ','): string {
  const step = 10n ** BigInt(Math.max(0, String(wei).length - 4))
  return formatGwei(((wei + step - 1n) / step) * step, mark)
}

function isSame(one: Fees, other: Fees): boolean {
  return one.maxFeePerGas === other.maxFeePerGas && one.maxPriorityFeePerGas === other.maxPriorityFeePerGas
}
