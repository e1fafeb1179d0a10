import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { firstDifference, zip } from '../../scripts/zip.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const one = new Map([
  ['manifest.json', bytes('{}')],
  ['icon/16.png', bytes('picture')],
])

describe('zip', () => {
  it('writes the same bytes when the files come in reverse order', async () => {
    const reversed = new Map([...one].reverse())
    expect(Buffer.compare(await zip(one), await zip(reversed))).toBe(0)
  })

  it('contains only the files, sorted and dated 1980-01-01', async () => {
    const { files } = await JSZip.loadAsync(await zip(one))
    expect(Object.keys(files)).toEqual(['icon/16.png', 'manifest.json'])
    for (const { date } of Object.values(files)) expect(date.toISOString()).toBe('1980-01-01T00:00:00.000Z')
    expect(await files['icon/16.png']?.async('string')).toBe('picture')
  })
})

describe('firstDifference', () => {
  it('returns undefined for equal builds', () => {
    expect(firstDifference(one, new Map(one))).toBeUndefined()
  })

  it('returns the first file that differs or is missing', () => {
    expect(firstDifference(one, new Map([...one, ['icon/16.png', bytes('Picture')]]))).toBe('icon/16.png')
    expect(firstDifference(one, new Map([...one, ['a.js', bytes('')]]))).toBe('a.js')
    expect(firstDifference(one, new Map())).toBe('icon/16.png')
  })
})
