import { expect, it } from 'vitest'
import { createFlights } from '../../../service/gate/flights.ts'

const stays = new AbortController().signal

/** An answer that comes when told to, and how often it was asked for. */
function answering() {
  let times = 0
  let signal: AbortSignal | undefined
  let land = (_answer: string) => {}
  return {
    times: () => times,
    signal: () => signal,
    land: (answer: string) => land(answer),
    answer(given: AbortSignal) {
      times++
      signal = given
      return new Promise<string>((resolve, reject) => {
        land = resolve
        given.addEventListener('abort', () => reject(given.reason))
      })
    },
  }
}

it('makes one answer for all who ask at the same time, and another for who asks later', async () => {
  const ask = createFlights<string>()
  const { answer, land, times } = answering()
  const asked = [ask('a', stays, answer), ask('a', stays, answer)]
  land('one')
  expect(await Promise.all(asked)).toEqual(['one', 'one'])
  const later = ask('a', stays, answer)
  land('two')
  expect(await later).toBe('two')
  expect(times()).toBe(2)
})

it('goes on while anybody waits, and stops when everybody has gone', async () => {
  const ask = createFlights<string>()
  const { answer, signal, times } = answering()
  const [one, other] = [new AbortController(), new AbortController()]
  const asked = [ask('a', one.signal, answer), ask('a', other.signal, answer)]
  one.abort(new Error('left first'))
  expect(signal()?.aborted).toBe(false)
  other.abort(new Error('left last'))
  expect(signal()?.aborted).toBe(true)
  for (const answer of asked) await expect(answer).rejects.toThrow('left last')

  ask('a', stays, answer)
  expect(times()).toBe(2)
})

it('shares a failure too', async () => {
  const ask = createFlights<string>()
  const fail = () => Promise.reject(new Error('no'))
  const asked = [ask('a', stays, fail), ask('a', stays, async () => 'never')]
  for (const answer of asked) await expect(answer).rejects.toThrow('no')
})
