import { expect, it } from 'vitest'
import { createSingleFlight } from '../../../../service/http/scheduler/singleFlight.ts'

const stays = new AbortController().signal

function answering() {
  let times = 0
  let land = (_answer: string) => {}
  return {
    times: () => times,
    land: (answer: string) => land(answer),
    answer() {
      times++
      return new Promise<string>((resolve) => {
        land = resolve
      })
    },
  }
}

function waiting() {
  let times = 0
  let signal: AbortSignal | undefined
  return {
    times: () => times,
    signal: () => signal,
    answer(given: AbortSignal) {
      times++
      signal = given
      return new Promise<string>((_, reject) => {
        given.addEventListener('abort', () => reject(given.reason))
      })
    },
  }
}

it('shares one run between concurrent calls and starts another for a later call', async () => {
  const ask = createSingleFlight<string>()
  const { answer, land, times } = answering()
  const asked = [ask('a', stays, answer), ask('a', stays, answer)]
  land('one')
  expect(await Promise.all(asked)).toEqual(['one', 'one'])
  const later = ask('a', stays, answer)
  land('two')
  expect(await later).toBe('two')
  expect(times()).toBe(2)
})

it('aborts a run only when its last caller leaves, and does not fail a later call with it', async () => {
  const ask = createSingleFlight<string>()
  const { answer, signal, times } = waiting()
  const [one, other] = [new AbortController(), new AbortController()]
  const asked = [ask('a', one.signal, answer), ask('a', other.signal, answer)]
  one.abort(new Error('left first'))
  expect(signal()?.aborted).toBe(false)
  other.abort(new Error('left last'))
  expect(signal()?.aborted).toBe(true)
  const late = ask('a', stays, answering().answer).catch(() => 'failed')
  for (const answer of asked) await expect(answer).rejects.toThrow('left last')
  expect(times()).toBe(1)
  expect(await Promise.race([late, 'is being made'])).toBe('is being made')
})

it('joins a run that continues after its callers left instead of starting another', async () => {
  const ask = createSingleFlight<string>()
  const { answer, land, times } = answering()
  for (let i = 0; i < 6; i++) {
    const leaver = new AbortController()
    ask('a', leaver.signal, answer)
    leaver.abort(new Error('hung up'))
  }
  const stayed = ask('a', stays, answer)
  expect(times()).toBe(1)
  land('one')
  expect(await stayed).toBe('one')
})

it('starts no run for a caller with an aborted signal', async () => {
  const ask = createSingleFlight<string>()
  const { answer, times } = answering()
  await expect(ask('a', AbortSignal.abort(new Error('gone')), answer)).rejects.toThrow('gone')
  expect(times()).toBe(0)
})

it('shares a failure between concurrent calls', async () => {
  const ask = createSingleFlight<string>()
  const fail = () => Promise.reject(new Error('no'))
  const asked = [ask('a', stays, fail), ask('a', stays, async () => 'never')]
  for (const answer of asked) await expect(answer).rejects.toThrow('no')
})
