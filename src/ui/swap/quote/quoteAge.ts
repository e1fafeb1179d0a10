import { t } from '../../../i18n/translate.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'

/** True while the quote is being refreshed, or could not be. */
export function isStaleQuote(quote: QuoteState): boolean {
  return quote.status === 'ready' && (quote.nextAt === undefined || quote.trouble !== undefined)
}

/** Formats an age from ten seconds on. */
export function formatQuoteAge(seconds: number): string {
  return seconds < 10 ? '' : t('{seconds}s ago', { seconds })
}
