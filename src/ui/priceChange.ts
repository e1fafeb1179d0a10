import type { Token } from '../domain/token.ts'
import { formatSymbol } from './format.ts'
import { formatAmount } from './numbers.ts'

/** What a change of the route did to an amount: "−0.12%, 3.61 USDC less". */
export function formatChange(before: bigint, now: bigint, token: Token): string {
  const change = now - before
  if (change === 0n || before === 0n) return 'The price stays the same.'
  const size = change < 0n ? -change : change
  const hundredths = Number((size * 10_000n) / before)
  const percent = (hundredths / 100).toLocaleString(undefined, { maximumFractionDigits: 2 })
  const [sign, word] = change < 0n ? ['−', 'less'] : ['+', 'more']
  const share = hundredths === 0 ? `less than ${sign}0.01%` : `${sign}${percent}%`
  return `${share}, ${formatAmount(size, token.decimals)} ${formatSymbol(token)} ${word}`
}
