import { describe, expect, it } from 'vitest'
import { createTokenPreferenceStore } from '../../../src/background/tokens/favourites.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const address = (number: number): Address => `0x${String(number).padStart(40, '0')}`
const [one, other] = [address(1), address(2)]

describe('createTokenPreferenceStore', () => {
  it('stores favourites and recent tokens separately, by chain', async () => {
    const area = memoryArea()
    expect(await createTokenPreferenceStore(area).get(1)).toEqual({ favourites: [], recents: [] })
    await createTokenPreferenceStore(area).change(1, { marked: [one, other] })
    const after = await createTokenPreferenceStore(area).change(1, { used: [other] })
    await createTokenPreferenceStore(area).change(5, { used: [one] })
    await createTokenPreferenceStore(area).change(1, {})
    expect(after).toEqual({ favourites: [one, other], recents: [other] })
    expect(await createTokenPreferenceStore(area).get(1)).toEqual(after)
    expect(await createTokenPreferenceStore(area).get(5)).toEqual({ favourites: [], recents: [one] })
  })

  it('keeps concurrent changes', async () => {
    const picks = createTokenPreferenceStore(memoryArea())
    await Promise.all([1, 2, 3].map((number) => picks.change(1, { marked: [address(number)] })))
    const [, read] = await Promise.all([picks.change(1, { unmarked: [other] }), picks.get(1)])
    expect(read.favourites).toEqual([1, 3].map(address))
  })

  it('keeps 100 unique favourites and the five most recent tokens, newest first', async () => {
    const picks = createTokenPreferenceStore(memoryArea())
    for (const number of [1, 2, 3, 4, 5, 6, 3]) await picks.change(1, { used: [address(number)] })
    expect((await picks.get(1)).recents).toEqual([3, 6, 5, 4, 2].map(address))
    const many = Array.from({ length: 100 }, (_, at) => address(at))
    await picks.change(1, { marked: many })
    const { favourites } = await picks.change(1, { marked: [address(7), address(100)] })
    expect(favourites).toHaveLength(100)
    expect(favourites.slice(-2)).toEqual([address(7), address(100)])
    expect(new Set(favourites).size).toBe(100)
  })

  it('reads damaged favourites as empty', async () => {
    const area = memoryArea()
    await area.set({ 'favourites.1': ['javascript:'], 'recents.1': [one] })
    expect(await createTokenPreferenceStore(area).get(1)).toEqual({ favourites: [], recents: [one] })
  })
})
