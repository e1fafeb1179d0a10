import type { Address, Token } from '../../../domain/token/token.ts'
import type { Sections } from '../../../state/tokens/groups.ts'

export const rowHeight = 56
export const headerHeight = 30

export type SectionName = keyof Sections

/** Section. `first` is the index of its first token, `top` its offset in pixels. */
export type Part = { name: SectionName; tokens: Token[]; first: number; top: number }
export type Layout = { parts: Part[]; count: number; height: number }
export type Row = { token: Token; index: number; top: number }

/** Computes sections only: there may be thousands of rows. */
export function layoutRows(sections: Sections): Layout {
  const layout: Layout = { parts: [], count: 0, height: 0 }
  for (const name of order) {
    const tokens = sections[name]
    if (tokens.length === 0) continue
    layout.parts.push({ name, tokens, first: layout.count, top: layout.height })
    layout.count += tokens.length
    layout.height += totalHeight(tokens.length)
  }
  return layout
}

/** Includes the heading. */
export function totalHeight(rows: number): number {
  return headerHeight + rows * rowHeight
}

/** Returns a row. Its `top` is relative to the list. */
export function rowAtOffset({ parts }: Layout, index: number): Row | undefined {
  const part = parts.find(({ first, tokens }) => index >= first && index < first + tokens.length)
  const token = part?.tokens[index - part.first]
  return part && token && { token, index, top: part.top + totalHeight(index - part.first) }
}

export function offsetOfRow({ parts }: Layout, address: Address | undefined): number | undefined {
  if (address === undefined) return undefined
  for (const { tokens, first } of parts) {
    const at = tokens.findIndex((token) => token.address === address)
    if (at >= 0) return first + at
  }
  return undefined
}

/**
 * Returns the rows between `top` and `bottom` with overscan, and row `active`, which the search field
 * references.
 */
export function visibleRows(part: Part, top: number, bottom: number, active: number): Row[] {
  const { tokens, first } = part
  const begin = part.top + headerHeight
  const from = Math.max(0, Math.floor((top - begin) / rowHeight) - spare)
  const to = Math.min(tokens.length, Math.ceil((bottom - begin) / rowHeight) + spare)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, row) => from + row)
  const marked = active - first
  if (marked >= 0 && marked < tokens.length && (marked < from || marked >= to)) places.push(marked)
  return places.flatMap((at) => {
    const token = tokens[at]
    return token === undefined ? [] : { token, index: first + at, top: totalHeight(at) }
  })
}

const order: SectionName[] = ['held', 'favourites', 'popular', 'listed', 'unlisted']

const spare = 4
