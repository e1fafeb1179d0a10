import { t } from '../../i18n/translate.ts'
import type { QuoteState } from '../../state/swap/quote.ts'

/** Whether the price on the screen is being renewed, or could not be. */
export function isStaleQuote(quote: QuoteState): boolean {
  return quote.status === 'ready' && (quote.nextAt === undefined || quote.trouble !== undefined)
}

/** How near the next price is: amber from 5 seconds on, red from 3. */
export function stalenessTone(secondsLeft: number): 'fresh' | 'ending' | 'over' {
  if (secondsLeft > 5) return 'fresh'
  return secondsLeft > 3 ? 'ending' : 'over'
}

/** An age in seconds, in words, from ten on. */
export function formatQuoteAge(seconds: number): string {
  return seconds < 10 ? '' : t('{seconds}s ago', { seconds })
}
