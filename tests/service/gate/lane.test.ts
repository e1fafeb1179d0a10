import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLane } from '../../../service/gate/lane.ts'

const stays = new AbortController().signal

/** Work that ends when told to, and what has begun of it. */
function work() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    of: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    end: (name: string) => ends.get(name)?.(),
  }
}

/** Lets everything begin that may. */
async function settle() {
  for (let i = 0; i < 5; i++) await turn()
}

it('works on so many at once, first come, first served', async () => {
  const lane = createLane({ atOnce: 2, waiting: 10 })
  const { begun, of, end } = work()
  const all = ['a', 'b', 'c', 'd'].map((name) => lane.run(stays, of(name)))
  await settle()
  expect(begun).toEqual(['a', 'b'])
  expect([lane.running(), lane.waiting()]).toEqual([2, 2])
  end('b')
  await settle()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await settle()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  expect([lane.running(), lane.waiting()]).toEqual([0, 0])
})

it('refuses who finds the line full, and says when to come again', async () => {
  const lane = createLane({ atOnce: 1, waiting: 1 })
  const { of } = work()
  for (const name of ['a', 'b']) lane.run(stays, of(name))
  await expect(lane.run(stays, of('c'))).rejects.toMatchObject({
    code: 'BUSY',
    statusCode: 503,
    retryMs: 1_000,
  })
})

it('begins one piece of work a turn of the event loop', async () => {
  const lane = createLane({ atOnce: 10, waiting: 10 })
  const { begun, of } = work()
  for (const name of ['a', 'b', 'c']) lane.run(stays, of(name))
  expect(begun).toEqual(['a'])
  await turn()
  await turn()
  expect(begun.length).toBeLessThan(4)
  await settle()
  expect(begun).toEqual(['a', 'b', 'c'])
})

it('lets those out of the line who have gone, and never begins their work', async () => {
  const lane = createLane({ atOnce: 1, waiting: 1 })
  const { begun, of, end } = work()
  const first = lane.run(stays, of('a'))
  const leaver = new AbortController()
  const second = lane.run(leaver.signal, of('b'))
  leaver.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(lane.run(leaver.signal, of('never'))).rejects.toThrow('gone')
  const third = lane.run(stays, of('c'))
  end('a')
  await settle()
  end('c')
  expect(await Promise.all([first, third])).toEqual(['a', 'c'])
  expect(begun).toEqual(['a', 'c'])
})

it('goes on after work that failed', async () => {
  const lane = createLane({ atOnce: 1, waiting: 1 })
  const failing = lane.run(stays, () => Promise.reject(new Error('failed')))
  const next = lane.run(stays, async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})
