import { expect, it } from 'vitest'
import { createPicks } from '../../src/background/picks.ts'
import { memoryArea } from './memory.ts'

const [one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const

it('keeps marks and what was picked last, by chain, each by itself', async () => {
  const area = memoryArea()
  expect(await createPicks(area).get(1)).toEqual({ favourites: [], recents: [] })
  await createPicks(area).save(1, { favourites: [one, other] })
  await createPicks(area).save(1, { recents: [other] })
  await createPicks(area).save(5, { recents: [one] })
  await createPicks(area).save(1, {})
  expect(await createPicks(area).get(1)).toEqual({ favourites: [one, other], recents: [other] })
  expect(await createPicks(area).get(5)).toEqual({ favourites: [], recents: [one] })
})

it('takes what it cannot read for none', async () => {
  const area = memoryArea()
  await area.set({ 'favourites.1': ['javascript:'], 'recents.1': [one] })
  expect(await createPicks(area).get(1)).toEqual({ favourites: [], recents: [one] })
})
