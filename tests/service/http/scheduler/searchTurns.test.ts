import { expect, it } from 'vitest'
import { createSearchTurns } from '../../../../service/http/scheduler/searchTurns.ts'

/** After a full turn, socket events were handled. */
const aroundTheLoop = () => new Promise((resolve) => setTimeout(() => setImmediate(resolve)))

it('resolves the first call at once', async () => {
  let isMine = false
  createSearchTurns()().then(() => {
    isMine = true
  })
  await Promise.resolve()
  expect(isMine).toBe(true)
})

it('resolves concurrent calls in order, at most one per turn of the event loop', async () => {
  const turn = createSearchTurns(4)
  const rounds: string[][] = []
  let isOver = false
  const note = () => {
    rounds.push([])
    if (!isOver) setImmediate(note)
  }
  note()
  const all = ['a', 'b', 'c', 'd'].map((name) => turn().then(() => rounds.at(-1)?.push(name)))
  await Promise.all(all)
  isOver = true
  await aroundTheLoop()
  expect(rounds.flat()).toEqual(['a', 'b', 'c', 'd'])
  for (const round of rounds) expect(round.length).toBeLessThan(2)
})

it('gives turns to each client alternately, however many it waits for', async () => {
  const turn = createSearchTurns()
  const begun: string[] = []
  const search = async (name: string) => {
    const end = await turn([name])
    begun.push(name)
    end()
  }
  const all = Array.from({ length: 8 }, () => search('busy'))
  await Promise.all([...all, search('quiet'), search('quiet')])
  expect(begun.slice(0, 5)).toEqual(['busy', 'quiet', 'busy', 'quiet', 'busy'])
})

it('lets no more than the given number run at once', async () => {
  const turn = createSearchTurns(2)
  const ends: (() => void)[] = []
  for (let i = 0; i < 4; i++) turn(['one']).then((end) => ends.push(end))
  for (let i = 0; i < 3; i++) await aroundTheLoop()
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await aroundTheLoop()
  expect(ends).toHaveLength(3)
})
