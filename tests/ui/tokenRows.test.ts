import { describe, expect, it } from 'vitest'
import { headHeight, layOut, rowHeight, rowsBetween } from '../../src/ui/parts/tokenRows.ts'
import { token } from '../state/standIns.ts'

const many = Array.from({ length: 5_000 }, (_, index) => ({ ...token('1', `T${index}`, 18) }))

describe('the rows of the picker', () => {
  it('stand below one another, each part under its heading', () => {
    const { heads, tokens, height } = layOut({ held: many.slice(0, 2), others: many.slice(2, 4) })
    expect(heads).toEqual([
      { text: 'Yours', top: 0 },
      { text: 'All others', top: headHeight + 2 * rowHeight },
    ])
    expect(tokens.map(({ top }) => top)).toEqual([
      headHeight,
      headHeight + rowHeight,
      2 * headHeight + 2 * rowHeight,
      2 * headHeight + 3 * rowHeight,
    ])
    expect(height).toBe(2 * headHeight + 4 * rowHeight)
  })

  it('are drawn only where somebody looks', () => {
    const layout = layOut({ held: [], others: many })
    const rows = rowsBetween(layout, 100 * rowHeight, 108 * rowHeight, 100)
    expect(rows.length).toBeLessThan(20)
    expect(rows.some(({ index }) => index === 100)).toBe(true)
    expect(rowsBetween(layout, 0, 400, 0)[0]?.index).toBe(0)
    expect(rowsBetween(layout, layout.height - 400, layout.height, 4_999).at(-1)?.index).toBe(4_999)
  })

  it('are drawn once more where the highlight is, however far away', () => {
    const layout = layOut({ held: [], others: many })
    const drawn = (active: number) => rowsBetween(layout, 0, 400, active).map(({ index }) => index)
    expect(drawn(3_000)).toEqual([...drawn(0), 3_000])
  })
})
