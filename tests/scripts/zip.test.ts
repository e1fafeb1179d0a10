import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { firstDifference, zip } from '../../scripts/zip.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const one = new Map([
  ['manifest.json', bytes('{}')],
  ['icon/16.png', bytes('picture')],
])

describe('a zip of a release', () => {
  it('is the same whatever the order of its files', async () => {
    const reversed = new Map([...one].reverse())
    expect(Buffer.compare(await zip(one), await zip(reversed))).toBe(0)
  })

  it('holds the files alone, sorted, from the first day that the format knows', async () => {
    const { files } = await JSZip.loadAsync(await zip(one))
    expect(Object.keys(files)).toEqual(['icon/16.png', 'manifest.json'])
    for (const { date } of Object.values(files)) expect(date.toISOString()).toBe('1980-01-01T00:00:00.000Z')
    expect(await files['icon/16.png']?.async('string')).toBe('picture')
  })
})

describe('two builds', () => {
  it('are the same when each file is', () => {
    expect(firstDifference(one, new Map(one))).toBeUndefined()
  })

  it('differ by the first file that is not', () => {
    expect(firstDifference(one, new Map([...one, ['icon/16.png', bytes('Picture')]]))).toBe('icon/16.png')
    expect(firstDifference(one, new Map([...one, ['a.js', bytes('')]]))).toBe('a.js')
    expect(firstDifference(one, new Map())).toBe('icon/16.png')
  })
})
