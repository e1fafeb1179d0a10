import { expect, it, vi } from 'vitest'
import { once } from '../../src/lib/once.ts'

it('makes at the first call, and only once', () => {
  const make = vi.fn(() => undefined)
  const get = once(make)
  expect(make).not.toHaveBeenCalled()
  expect([get(), get()]).toEqual([undefined, undefined])
  expect(make).toHaveBeenCalledTimes(1)
})

it('tries again after a failure', () => {
  const make = vi.fn().mockImplementationOnce(() => {
    throw new Error('Not yet.')
  })
  make.mockImplementation(() => 7)
  const get = once(make)
  expect(get).toThrow('Not yet.')
  expect(get()).toBe(7)
})
