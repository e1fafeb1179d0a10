import { expect, it } from 'vitest'
import { createYielder } from '../../../service/guardedEngine.ts'

/** After a full turn, socket events were handled. */
const aroundTheLoop = () => new Promise((resolve) => setTimeout(() => setImmediate(resolve)))

it('resolves the first call at once', async () => {
  let isMine = false
  createYielder()().then(() => {
    isMine = true
  })
  await Promise.resolve()
  expect(isMine).toBe(true)
})

it('resolves concurrent calls in order, at most one per turn of the event loop', async () => {
  const turn = createYielder()
  const rounds: string[][] = []
  const all = ['a', 'b', 'c', 'd'].map((name) => turn().then(() => rounds.at(-1)?.push(name)))
  let isOver = false
  const note = () => {
    rounds.push([])
    if (!isOver) setImmediate(note)
  }
  note()
  await Promise.all(all)
  isOver = true
  await aroundTheLoop()
  expect(rounds.flat()).toEqual(['a', 'b', 'c', 'd'])
  for (const round of rounds) expect(round.length).toBeLessThan(2)
})
