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
  /** Max fee per gas, accepted when typed. */
  gwei: string
  /** Presets with these fees. */
  speeds: [FeePreset, ...FeePreset[]]
}

export type FeePreset = (typeof speeds)[number]

/** Returns the fee options, lowest first. Presets below the minimum are raised to it. */
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

/** Parses typed gwei, or returns a validation error per field. */
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
    // A missing tip defaults to the highest the max fee allows.
    tip: tooLittle(typed.tip, maxPriorityFeePerGas, mark),
  }
}

function tooLittle(text: string, least: bigint, mark?: '.' | ','): string | undefined {
  const wei = parseGwei(text, mark)
  return wei !== undefined && wei < least ? atLeast(least, mark) : undefined
}

function atLeast(wei: bigint, mark?: '.' | ','): string {
  return t('Enter at least {amount} gwei', { amount: formatMinimum(wei, mark) })
}

/** Formats wei as gwei, rounded up to be accepted when typed. */
export function formatMinimum(wei: bigint, mark?: '.' | ','): string {
  const step = 10n ** BigInt(Math.max(0, String(wei).length - 4))
  return formatGwei(((wei + step - 1n) / step) * step, mark)
}

function isSame(one: Fees, other: Fees): boolean {
  return one.maxFeePerGas === other.maxFeePerGas && one.maxPriorityFeePerGas === other.maxPriorityFeePerGas
}
