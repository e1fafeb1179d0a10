import { h } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useEscape, watchEscape } from '../../../src/ui/hooks/useEscape.ts'
import { clearDocument, draw, Node, standInDocument } from '../../helpers/ui/render.ts'

let place: Node
let closed: string[]
let stop: () => void
let keys: EventTarget

beforeEach(() => {
  standInDocument()
  keys = new EventTarget()
  Object.assign(document, {
    addEventListener: keys.addEventListener.bind(keys),
    removeEventListener: keys.removeEventListener.bind(keys),
  })
  place = new Node('main')
  closed = []
  stop = watchEscape()
})
afterEach(async () => {
  await draw(null, place)
  stop()
  await clearDocument()
})

type Open = { kind: 'page' | 'sheet'; name: string; hasWay?: boolean }

function Layer({ kind, name, hasWay = true }: Open) {
  useEscape(kind, hasWay ? () => closed.push(name) : undefined)
  return null
}

const show = (...layers: Open[]) =>
  draw(
    h(
      'div',
      {},
      layers.map((one) => h(Layer, { key: one.name, ...one })),
    ),
    place,
  )

/** True if the page handled it; otherwise the browser closes the toolbar popup. */
function pressEscape(facts: object = {}): boolean {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key: 'Escape', ...facts })
  return !keys.dispatchEvent(event)
}

it('leaves Escape to the browser when nothing can be closed', async () => {
  await show()
  expect(pressEscape()).toBe(false)
  await show({ kind: 'page', name: 'no way back', hasWay: false })
  expect(pressEscape()).toBe(false)
})

it('closes the topmost layer, a sheet before the page below it', async () => {
  await show({ kind: 'sheet', name: 'sheet' }, { kind: 'page', name: 'page' })
  expect(pressEscape()).toBe(true)
  await show({ kind: 'page', name: 'page' })
  expect(pressEscape()).toBe(true)
  await show()
  expect(pressEscape()).toBe(false)
  expect(closed).toEqual(['sheet', 'page'])
})

it('closes the sheet that was opened last', async () => {
  await show({ kind: 'sheet', name: 'first' })
  await show({ kind: 'sheet', name: 'first' }, { kind: 'sheet', name: 'second' })
  expect(pressEscape()).toBe(true)
  expect(closed).toEqual(['second'])
})

it('ignores handled key events, input composition and other keys', async () => {
  await show({ kind: 'sheet', name: 'sheet' })
  expect([pressEscape({ isComposing: true }), pressEscape({ key: 'Enter' })]).toEqual([false, false])
  const taken = Object.assign(new Event('keydown', { cancelable: true }), { key: 'Escape' })
  taken.preventDefault()
  keys.dispatchEvent(taken)
  expect(closed).toEqual([])
})
