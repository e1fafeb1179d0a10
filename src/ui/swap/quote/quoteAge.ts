import { t } from '../../../i18n/translate.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'

/** True while the quote is being refreshed, or could not be. */
export function isStaleQuote(quote: QuoteState): boolean {
  return quote.status === 'ready' && (quote.nextAt === undefined || quote.trouble !== undefined)
}

/** Returns amber (`ending`) from 5 seconds, red (`over`) from 3. */
export function stalenessTone(secondsLeft: number): 'fresh' | 'ending' | 'over' {
  if (secondsLeft > 5) return 'fresh'
  return secondsLeft > 3 ? 'ending' : 'over'
}

/** Formats an age from ten seconds on. */
export function formatQuoteAge(seconds: number): string {
  return seconds < 10 ? '' : t('{seconds}s ago', { seconds })
}
