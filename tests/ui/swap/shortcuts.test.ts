import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shortcut } from '../../../src/ui/swap/shortcuts.ts'

class Control {
  constructor(readonly kind: string) {}
  closest(selector: string): Control | null {
    const names: Record<string, RegExp> = {
      amount: /(^|, )input($|,|\))/,
      search: /(^|, )input(:not\(\.figure\))?($|,|\))/,
      button: /(^|, )button/,
      page: /^$/,
    }
    return names[this.kind]?.test(selector) ? this : null
  }
}

let isDialogOpen: boolean
let done: string[]
let listen: (event: KeyboardEvent) => void

beforeEach(() => {
  isDialogOpen = false
  done = []
  vi.stubGlobal('Element', Control)
  vi.stubGlobal('document', { querySelector: () => (isDialogOpen ? {} : null) })
  const note = (name: string) => () => done.push(name)
  listen = shortcut({
    'alt+f': note('flip'),
    'alt+m': note('max'),
    '?': note('help'),
    '/': note('find'),
    enter: note('act'),
  })
})
afterEach(() => vi.unstubAllGlobals())

function press(key: string, on = 'amount', facts: Partial<KeyboardEvent> = {}): boolean {
  const event = { key, code: '', altKey: false, target: new Control(on), defaultPrevented: false, ...facts }
  let isTaken = false
  listen({ ...event, preventDefault: () => (isTaken = true) } as unknown as KeyboardEvent)
  return isTaken
}

it.each(['amount', 'search', 'page', 'button'])('ignores a plain letter with the focus in the %s', (on) => {
  for (const key of ['f', 'm', 'r', 'F', 'M', '1']) expect(press(key, on)).toBe(false)
  expect(done).toEqual([])
})

it('handles a letter with Alt in any focus, whatever character Alt produces', () => {
  expect(press('f', 'amount', { altKey: true, code: 'KeyF' })).toBe(true)
  expect(press('M', 'page', { altKey: true, code: 'KeyM' })).toBe(true)
  expect(press('ƒ', 'amount', { altKey: true, code: 'KeyF' })).toBe(true)
  expect(press('u', 'amount', { altKey: true, code: 'KeyF' })).toBe(false)
  expect(done).toEqual(['flip', 'max', 'flip'])
})

it('handles “?” in the amount field but not in the search field, and Enter only outside controls', () => {
  expect([press('?', 'amount'), press('?', 'page'), press('?', 'search')]).toEqual([true, true, false])
  expect([press('Enter', 'page'), press('Enter', 'amount'), press('Enter', 'button')]).toEqual([
    true,
    false,
    false,
  ])
})

it('ignores keys with Control, under a dialog, or after another listener handled them', () => {
  expect(press('?', 'page', { ctrlKey: true })).toBe(false)
  expect(press('f', 'page', { altKey: true, ctrlKey: true, code: 'KeyF' })).toBe(false)
  expect(press('?', 'page', { defaultPrevented: true })).toBe(false)
  isDialogOpen = true
  expect(press('?', 'page')).toBe(false)
  expect(done).toEqual([])
})

it('leaves “/” to input fields', () => {
  expect([press('/', 'amount'), press('/', 'search'), press('/', 'page'), press('/', 'button')]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
