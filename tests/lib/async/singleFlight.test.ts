import { expect, it } from 'vitest'
import { singleFlight } from '../../../src/lib/async/singleFlight.ts'

it('shares one run between concurrent calls, and starts another one afterwards', async () => {
  let begun = 0
  let end = (_: number) => {}
  const work = singleFlight(() => {
    begun++
    return new Promise<number>((resolve) => {
      end = resolve
    })
  })
  const first = [work(), work(), work()]
  expect(begun).toBe(1)
  end(7)
  expect(await Promise.all(first)).toEqual([7, 7, 7])
  const second = work()
  expect(begun).toBe(2)
  end(8)
  expect(await second).toBe(8)
})

it('rejects all concurrent calls on failure, and retries on the next call', async () => {
  let tries = 0
  const work = singleFlight(async () => {
    tries++
    if (tries === 1) throw new Error('disk')
    return tries
  })
  expect(await Promise.allSettled([work(), work()])).toMatchObject([
    { status: 'rejected', reason: { message: 'disk' } },
    { status: 'rejected', reason: { message: 'disk' } },
  ])
  expect(await work()).toBe(2)
})
