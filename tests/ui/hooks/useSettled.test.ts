import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSettled } from '../../../src/ui/hooks/useSettled.ts'
import { draw, Node, standInDocument } from '../drawing.ts'

let view: EventTarget
let place: Node

beforeEach(() => {
  standInDocument()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  view = new EventTarget()
  const timers = { setTimeout: (...args: Parameters<typeof setTimeout>) => setTimeout(...args) }
  vi.stubGlobal('window', Object.assign(view, timers))
  place = new Node('main')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const Button = ({ content }: { content: string }) =>
  h('p', {}, useSettled(content) ? 'may be pressed' : 'rests')
const show = (content: string) => draw(h(Button, { content }), place)
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const comeBack = () => act(() => void view.dispatchEvent(new Event('focus')))

it('is false for 700 ms, then true', async () => {
  await show('one')
  await pass(699)
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
})

it('begins again with another content, also when the time was nearly over', async () => {
  await show('one')
  await pass(699)
  await show('two')
  await pass(699)
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
  await show('three')
  expect(place.text).toBe('rests')
  await pass(700)
  expect(place.text).toBe('may be pressed')
})

it('goes on while the same content is drawn again', async () => {
  await show('one')
  await pass(699)
  await show('one')
  await pass(1)
  expect(place.text).toBe('may be pressed')
})

it('begins again when the focus comes back to the window', async () => {
  await show('one')
  await pass(699)
  await comeBack()
  await pass(699)
  expect(place.text).toBe('rests')
  await pass(1)
  expect(place.text).toBe('may be pressed')
  await comeBack()
  expect(place.text).toBe('rests')
  await pass(700)
  expect(place.text).toBe('may be pressed')
})

it('leaves no timer and no listener behind', async () => {
  await show('one')
  await draw(null, place)
  expect(vi.getTimerCount()).toBe(0)
  await comeBack()
  expect(vi.getTimerCount()).toBe(0)
})
