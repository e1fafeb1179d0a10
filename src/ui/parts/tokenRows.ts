import type { Token } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import type { Found } from '../../state/search.ts'

export const rowHeight = 56
export const headHeight = 30

export type Row = { token: Token; index: number; top: number }
export type Layout = { heads: { text: string; top: number }[]; tokens: Row[]; height: number }

/** Where each heading and row stands, in pixels from the top of the whole list. */
export function layOut({ held, others }: Found): Layout {
  const layout: Layout = { heads: [], tokens: [], height: 0 }
  append(layout, t('Yours'), held)
  append(layout, held.length > 0 ? t('All others') : t('All'), others)
  return layout
}

/**
 * The rows that a window from `top` to `bottom` touches, and a few around it so that a quick scroll finds them drawn. The row
 * `active` is always among them: the search field names it to screen readers.
 */
export function rowsBetween({ tokens }: Layout, top: number, bottom: number, active: number): Row[] {
  const spare = 4 * rowHeight
  return tokens.filter(
    (row) => row.index === active || (row.top + rowHeight > top - spare && row.top < bottom + spare),
  )
}

function append(layout: Layout, text: string, tokens: Token[]): void {
  if (tokens.length === 0) return
  layout.heads.push({ text, top: layout.height })
  layout.height += headHeight
  for (const token of tokens) {
    layout.tokens.push({ token, index: layout.tokens.length, top: layout.height })
    layout.height += rowHeight
  }
}
