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

it('rests for 700 ms under a pointer that came over, and for two seconds without one', async () => {
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

it('rests again with another content, also when the time was nearly over, and goes on with the same', async () => {
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

it.each(['focus', 'blur', 'resize'])('rests again when the window tells %s', async (name) => {
  await show('one')
  await pass(stillMs)
  expect(place.text).toBe('may be pressed')
  await happen(name)
  expect(place.text).toBe('rests')
  await pass(stillMs)
  expect(place.text).toBe('may be pressed')
})

it('rests again when the window was moved', async () => {
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
])('begins the rest again with each %s and %s anywhere in the document', async (down, up, facts) => {
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

it('leaves no timer and no listener behind', async () => {
  await show('one')
  await draw(null, place)
  expect(vi.getTimerCount()).toBe(0)
  await happen('focus')
  expect(vi.getTimerCount()).toBe(0)
})
