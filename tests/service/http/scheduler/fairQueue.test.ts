import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFairQueue } from '../../../../service/http/scheduler/fairQueue.ts'

const stays = new AbortController().signal

function by(asker: string, signal = stays) {
  return { asker: [asker], signal }
}

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

it('runs a limited number of jobs at once, in order of arrival', async () => {
  const lane = createFairQueue({ atOnce: 2, waiting: 10 })
  const { begun, of, end } = work()
  const all = ['a', 'b', 'c', 'd'].map((name) => lane.run(by(name), of(name)))
  expect(begun).toEqual(['a', 'b'])
  expect([lane.running(), lane.waiting()]).toEqual([2, 2])
  end('b')
  await turn()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await turn()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  expect([lane.running(), lane.waiting()]).toEqual([0, 0])
})

it('rejects a job with BUSY and a retry time when the queue is full', async () => {
  const lane = createFairQueue({ atOnce: 1, waiting: 1 })
  const { of } = work()
  for (const name of ['a', 'b']) lane.run(by(name), of(name))
  await expect(lane.run(by('c'), of('c'))).rejects.toMatchObject({
    code: 'BUSY',
    statusCode: 503,
    retryMs: 1_000,
  })
})

it('limits one client to a quarter of the places and leaves the others to other clients', async () => {
  const lane = createFairQueue({ atOnce: 4, waiting: 8 })
  const { begun, of, end } = work()
  for (const name of ['much1', 'much2', 'much3']) lane.run(by('much'), of(name))
  expect([lane.running(), lane.waiting()]).toEqual([1, 2])
  await expect(lane.run(by('much'), of('much4'))).rejects.toMatchObject({ code: 'BUSY' })

  for (const name of ['a', 'b', 'c', 'd']) lane.run(by(name), of(name))
  expect(begun).toEqual(['much1', 'a', 'b', 'c'])
  end('a')
  await turn()
  expect(begun.slice(4)).toEqual(['d'])
  end('much1')
  await turn()
  expect(begun.slice(5)).toEqual(['much2'])
  lane.run(by('much'), of('much4'))
  end('b')
  await turn()
  expect([lane.running(), lane.waiting()]).toEqual([3, 2])
  for (const name of ['much2', 'c', 'd']) end(name)
  await turn()
  expect(begun.slice(6)).toEqual(['much3'])
})

it('starts waiting jobs in turns of their clients', async () => {
  const lane = createFairQueue({ atOnce: 1, waiting: 100 })
  const { begun, of, end } = work()
  const names = ['busy1', 'busy2', 'busy3', 'busy4', 'quiet1', 'quiet2']
  for (const name of names) lane.run(by(name.replace(/\d/, '')), of(name))
  for (let i = 0; i < names.length; i++) {
    end(begun[i] ?? '')
    await turn()
  }
  expect(begun).toEqual(['busy1', 'busy2', 'quiet1', 'busy3', 'quiet2', 'busy4'])
})

it('removes aborted jobs from the queue and never starts them', async () => {
  const lane = createFairQueue({ atOnce: 1, waiting: 1 })
  const { begun, of, end } = work()
  const first = lane.run(by('a'), of('a'))
  const leaver = new AbortController()
  const second = lane.run(by('b', leaver.signal), of('b'))
  leaver.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(lane.run(by('b', leaver.signal), of('never'))).rejects.toThrow('gone')
  const third = lane.run(by('b'), of('c'))
  end('a')
  await turn()
  end('c')
  expect(await Promise.all([first, third])).toEqual(['a', 'c'])
  expect(begun).toEqual(['a', 'c'])
})

it('holds the place of a running job until it ends, even if its client has disconnected', async () => {
  const lane = createFairQueue({ atOnce: 1, waiting: 1 })
  const { begun, of, end } = work()
  const leaver = new AbortController()
  const first = lane.run(by('a', leaver.signal), of('a'))
  const second = lane.run(by('b'), of('b'))
  leaver.abort(new Error('gone'))
  await turn()
  expect(begun).toEqual(['a'])
  end('a')
  expect(await first).toBe('a')
  end('b')
  expect(await second).toBe('b')
})

it('continues after a failed job', async () => {
  const lane = createFairQueue({ atOnce: 1, waiting: 1 })
  const failing = lane.run(by('a'), () => Promise.reject(new Error('failed')))
  const next = lane.run(by('b'), async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})

it('leaves half of the places to other clients when one /48 sends from many networks', async () => {
  const lane = createFairQueue({ atOnce: 16, waiting: 0 })
  const { begun, of } = work()
  for (let i = 0; i < 64; i++) {
    const asker = [`/64 ${i}`, `/56 ${i >> 2}`, '/48']
    lane.run({ asker, signal: stays }, of(`of the /48: ${i}`)).catch(() => undefined)
  }
  expect(begun).toHaveLength(8)
  lane.run(by('other'), of('other'))
  expect(begun.at(-1)).toBe('other')
})
