import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useRest } from '../../../src/ui/hooks/useRest.ts'
import { restMs, stillMs } from '../../../src/ui/rest.ts'
import { clearDocument, draw, Node, standInDocument } from '../../helpers/ui/render.ts'

type View = EventTarget & { screenX: number; screenY: number }
let view: View
let place: Node

beforeEach(() => {
  standInDocument()
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  const timers = {
    setTimeout: (...args: Parameters<typeof setTimeout>) => setTimeout(...args),
    clearTimeout: (id: number) => clearTimeout(id),
    setInterval: (...args: Parameters<typeof setInterval>) => setInterval(...args),
    clearInterval: (id: number) => clearInterval(id),
  }
  view = Object.assign(new EventTarget(), { screenX: 10, screenY: 20 }, timers)
  vi.stubGlobal('window', view)
  place = new Node('main')
})
afterEach(async () => {
  await draw(null, place)
  await clearDocument()
  vi.useRealTimers()
})

const Button = ({ content }: { content: string }) =>
  h('p', {}, useRest(content, 'main').isResting ? 'rests' : 'may be pressed')
const show = (content: string) => draw(h(Button, { content }), place)
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const happen = (name: string, facts: object = {}) =>
  act(() => void view.dispatchEvent(Object.assign(new Event(name), facts)))
const moveTo = (screenX: number) =>
  happen('pointermove', { pointerId: 1, pointerType: 'mouse', buttons: 0, screenX, screenY: 0 })
async function approach(): Promise<void> {
  await moveTo(0)
  await moveTo(100)
}

it('waits 700 ms when the pointer moved to the button, and two seconds otherwise', async () => {
  await show('one')
  await approach()
  await pass(restMs - 1)
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
  await happen('focus')
  await pass(stillMs - 1)
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
})

it('restarts the delay when the content changes, but not when it stays the same', async () => {
  await show('one')
  await approach()
  await pass(restMs - 1)
  await show('two')
  await pass(restMs - 1)
  await show('two')
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
  await show('three')
  expect(place.text).toBe('rests')
})

it.each(['focus', 'blur', 'resize'])('restarts the delay on a window %s event', async (name) => {
  await show('one')
  await pass(stillMs)
  expect(place.text).toBe('may be pressed')
  await happen(name)
  expect(place.text).toBe('rests')
  await pass(stillMs)
  expect(place.text).toBe('may be pressed')
})

it('restarts the delay when the window was moved', async () => {
  await show('one')
  await pass(stillMs)
  view.screenX += 5
  await pass(200)
  expect(place.text).toBe('rests')
  await pass(stillMs)
  expect(place.text).toBe('may be pressed')
})

it.each([
  ['pointerdown', 'pointerup', { pointerId: 1, pointerType: 'mouse', buttons: 1, screenX: 0, screenY: 0 }],
  ['keydown', 'keyup', { key: 'Enter' }],
  ['keydown', 'keyup', { key: 'a' }],
])('restarts the delay on each %s and %s anywhere in the document', async (down, up, facts) => {
  await show('one')
  for (let presses = 0; presses < 5; presses++) {
    await pass(stillMs - 100)
    await happen(down, facts)
    await pass(50)
    await happen(up, facts)
    expect(place.text).toBe('rests')
  }
  await pass(stillMs - 1)
  expect(place.text).toBe('rests')
  await pass(3_000)
  expect(place.text).toBe('may be pressed')
})

it('leaves no timer and no listener behind when it is unmounted', async () => {
  await show('one')
  await draw(null, place)
  expect(vi.getTimerCount()).toBe(0)
  await happen('focus')
  expect(vi.getTimerCount()).toBe(0)
})
