import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createRest, type Rest, restMs, stillMs } from '../../src/ui/rest.ts'
import { randomFrom } from '../helpers/random.ts'

const here = { screenX: 500, screenY: 400 }
const finger = { pointerId: 2, pointerType: 'touch', buttons: 1 }
const mouse = { pointerId: 1, pointerType: 'mouse', buttons: 0 }

let rest: Rest
let confirmed: number

beforeEach(() => {
  vi.useFakeTimers()
  confirmed = 0
  rest = createRest({
    now: Date.now,
    setTimer: (run, ms) => setTimeout(run, ms) as unknown as number,
    clearTimer: (id) => clearTimeout(id),
    onChange: () => undefined,
  })
  rest.shown()
  return () => vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)
const isResting = () => rest.state().isResting

function click(): void {
  if (!isResting()) confirmed += 1
}
function press(holdMs = 30, at = here): void {
  rest.pointerDown({ ...mouse, ...at })
  pass(holdMs)
  rest.pointerUp(mouse)
  click()
}
/** Enter clicks on keydown, space on keyup. */
function pressKey(key: string, holdMs = 30): void {
  rest.keyDown({ key, hasModifier: false })
  if (key === 'Enter') click()
  pass(holdMs)
  rest.keyUp(key)
  if (key === ' ') click()
}
function approach(): void {
  for (let step = 0; step <= 10; step++) {
    rest.pointerMoved({ ...mouse, screenX: here.screenX - 200 + 20 * step, screenY: here.screenY })
    pass(10)
  }
}

describe('security delay: deliberate confirmations', () => {
  it('accepts a click 700 ms after display when the pointer moved to the button', () => {
    approach()
    pass(restMs - 110 - 1)
    expect(isResting()).toBe(true)
    pass(1)
    press()
    expect(confirmed).toBe(1)
  })

  it('accepts a click, Enter or Space after two seconds without pointer movement', () => {
    pass(stillMs - 1)
    expect(isResting()).toBe(true)
    pass(1)
    press()
    expect(confirmed).toBe(1)
    rest.shown()
    pass(stillMs)
    pressKey('Enter')
    expect(confirmed).toBe(2)
    rest.shown()
    pass(stillMs)
    pressKey(' ')
    expect(confirmed).toBe(3)
  })

  it('accepts Enter two seconds after the user tabbed to the button', () => {
    for (let tabs = 0; tabs < 6; tabs++) {
      pressKey('Tab')
      pass(150)
    }
    pass(stillMs)
    pressKey('Enter')
    expect(confirmed).toBe(1)
  })

  it('accepts a click right after another one once the delay has passed', () => {
    approach()
    pass(restMs)
    press()
    pass(60)
    press()
    expect(confirmed).toBe(2)
  })

  it('accepts a click after an early one when two seconds without input have passed', () => {
    approach()
    press()
    expect(confirmed).toBe(0)
    pass(stillMs)
    press()
    expect(confirmed).toBe(1)
  })
})

describe('security delay: accidental presses', () => {
  it('rejects bursts of presses at 1 to 20 Hz by mouse, touch and key, at random phases', () => {
    const random = randomFrom(21)
    for (const by of ['mouse', 'finger', 'Enter', ' '] as const) {
      for (let storm = 0; storm < 21; storm++) {
        const periodMs = 1_000 / (1 + (19 * storm) / 20)
        rest.shown()
        pass(random() * periodMs)
        for (let passed = 0; passed < 10_000; ) {
          const at = { screenX: here.screenX + random() * 8, screenY: here.screenY + random() * 8 }
          if (by === 'mouse') {
            rest.pointerMoved({ ...mouse, ...at })
            press(20, at)
          } else if (by === 'finger') {
            rest.pointerMoved({ ...finger, ...at })
            rest.pointerDown({ ...finger, ...at })
            pass(20)
            rest.pointerUp(finger)
            click()
          } else pressKey(by, 20)
          const pauseMs = periodMs * (0.7 + 0.6 * random()) - 20
          pass(pauseMs)
          passed += pauseMs + 20
        }
      }
      expect(confirmed, by).toBe(0)
      pass(5_000)
      press()
      expect(confirmed).toBe(1)
      confirmed = 0
    }
  })

  it('rejects repeated clicks at one a second after a click that came too early', () => {
    for (let presses = 0; presses < 20; presses++) {
      approach()
      pass(presses === 0 ? 300 : 870)
      press()
    }
    expect(confirmed).toBe(0)
  })

  it('rejects a press that is held while the delay ends', () => {
    approach()
    pass(restMs - 150)
    press(1_000)
    expect(confirmed).toBe(0)
    pass(stillMs)
    pressKey(' ', 0)
    expect(confirmed).toBe(1)
    rest.shown()
    pass(stillMs - 100)
    pressKey(' ', 3_000)
    expect(confirmed).toBe(1)
  })

  it('rejects a press that is held while the content changes', () => {
    approach()
    pass(restMs)
    rest.pointerDown({ ...mouse, ...here })
    rest.changed()
    pass(5_000)
    rest.pointerUp(mouse)
    click()
    expect(confirmed).toBe(0)
  })

  it('rejects the automatic repeat of a held key', () => {
    for (let repeats = 0; repeats < 300; repeats++) {
      rest.keyDown({ key: 'Enter', hasModifier: false })
      click()
      pass(33)
    }
    expect(confirmed).toBe(0)
    rest.keyUp('Enter')
    pass(stillMs - 1)
    expect(isResting()).toBe(true)
  })

  it('rejects the second click of a double click across a change of display', () => {
    approach()
    pass(restMs)
    press()
    rest.shown()
    pass(80)
    press()
    expect(confirmed).toBe(1)
  })
})

describe('security delay: timing', () => {
  it('restarts at each content change, for 700 ms when the pointer moved to the button', () => {
    approach()
    pass(restMs)
    expect(isResting()).toBe(false)
    rest.changed()
    pass(restMs - 1)
    expect(isResting()).toBe(true)
    pass(1)
    expect(isResting()).toBe(false)
  })

  it('restarts at each display, for two seconds when the pointer rests or trembles', () => {
    approach()
    pass(restMs)
    rest.shown()
    for (let trembles = 0; trembles < 20; trembles++) {
      rest.pointerMoved({ ...mouse, screenX: 500 + (trembles % 2) * 20, screenY: 400 })
      pass(50)
    }
    expect(isResting()).toBe(true)
    pass(stillMs - 1_000)
    expect(isResting()).toBe(false)
  })

  it('does not treat touch movement as a pointer that moved to the button', () => {
    for (const screenX of [100, 200, 300]) rest.pointerMoved({ ...finger, screenX, screenY: 1 })
    pass(restMs)
    expect(isResting()).toBe(true)
  })

  it('does not wait for a release event that never arrives', () => {
    rest.pointerDown({ ...mouse, ...here })
    rest.left()
    pass(stillMs)
    expect(isResting()).toBe(false)
    rest.shown()
    rest.pointerDown({ ...mouse, ...here })
    rest.pointerMoved({ ...mouse, ...here })
    pass(stillMs)
    expect(isResting()).toBe(false)
    rest.shown()
    rest.keyDown({ key: 'Enter', hasModifier: true })
    pass(stillMs)
    expect(isResting()).toBe(false)
  })

  it('leaves no timer behind when it is stopped', () => {
    rest.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
