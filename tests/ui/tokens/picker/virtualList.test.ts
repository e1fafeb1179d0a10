import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../src/domain/token/token.ts'
import type { Sections } from '../../../../src/state/tokens/groups.ts'
import {
  headerHeight,
  layoutRows,
  offsetOfRow,
  rowAtOffset,
  rowHeight,
  totalHeight,
  visibleRows,
} from '../../../../src/ui/tokens/picker/virtualList.ts'
import { token } from '../../../helpers/state/fakes.ts'

const many = Array.from({ length: 5_000 }, (_, index) => ({
  ...token('1', `T${index}`, 18),
  address: `0x${String(index).padStart(40, '0')}` as Address,
}))
const none: Sections = { held: [], favourites: [], popular: [], listed: [], unlisted: [] }

function drawn(sections: Sections, top: number, bottom: number, active = 0): number[] {
  const { parts } = layoutRows(sections)
  return parts.flatMap((part) => visibleRows(part, top, bottom, active).map(({ index }) => index))
}

describe('token picker rows', () => {
  it('stacks sections below their headings and omits empty ones', () => {
    const layout = layoutRows({ ...none, held: many.slice(0, 2), listed: many.slice(2, 4) })
    expect(layout.parts.map(({ name, top, first }) => ({ name, top, first }))).toEqual([
      { name: 'held', top: 0, first: 0 },
      { name: 'listed', top: headerHeight + 2 * rowHeight, first: 2 },
    ])
    expect([0, 1, 2, 3, 4].map((index) => rowAtOffset(layout, index)?.top)).toEqual([
      headerHeight,
      headerHeight + rowHeight,
      2 * headerHeight + 2 * rowHeight,
      2 * headerHeight + 3 * rowHeight,
      undefined,
    ])
    expect(layout).toMatchObject({ count: 4, height: 2 * totalHeight(2) })
  })

  it('renders only the rows near the visible range', () => {
    const listed = { ...none, listed: many }
    const rows = drawn(listed, 100 * rowHeight, 108 * rowHeight, 100)
    expect(rows.length).toBeLessThan(20)
    expect(rows).toContain(100)
    expect(drawn(listed, 0, 400)[0]).toBe(0)
    const { height } = layoutRows(listed)
    expect(drawn(listed, height - 400, height, 4_999).at(-1)).toBe(4_999)
  })

  it('also renders the highlighted row, however far away', () => {
    const listed = { ...none, listed: many }
    expect(drawn(listed, 0, 400, 3_000)).toEqual([...drawn(listed, 0, 400), 3_000])
  })

  it('renders every row that the window touches, across sections, exactly once', () => {
    const length = fc.integer({ min: 0, max: 40 })
    fc.assert(
      fc.property(length, length, length, fc.nat(6_000), fc.nat(119), (held, marked, listed, top, active) => {
        const all = held + marked + listed
        const sections = {
          ...none,
          held: many.slice(0, held),
          favourites: many.slice(held, held + marked),
          listed: many.slice(held + marked, all),
        }
        const layout = layoutRows(sections)
        const rows = drawn(sections, top, top + 400, active)
        expect(new Set(rows).size).toBe(rows.length)
        for (let index = 0; index < all; index++) {
          const row = rowAtOffset(layout, index)!
          expect(row.token).toBe(many[index])
          if (row.top + rowHeight > top && row.top < top + 400) expect(rows).toContain(index)
        }
        if (active < all) expect(rows).toContain(active)
      }),
    )
  })

  it('finds the index of a token', () => {
    const layout = layoutRows({ ...none, popular: many.slice(10, 20), listed: many.slice(20) })
    expect(offsetOfRow(layout, many[25]!.address)).toBe(15)
    expect(offsetOfRow(layout, many[3]!.address)).toBeUndefined()
    expect(offsetOfRow(layout, undefined)).toBeUndefined()
  })
})
