import type { Token } from '../../../domain/token/token.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'

export type ReadyQuote = Extract<QuoteState, { status: 'ready' }> & { sell: Token; buy: Token }
