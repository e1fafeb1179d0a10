import { beforeEach, describe, expect, it } from 'vitest'
import { browser } from 'wxt/browser'
import { type ApprovalWindow, createApprovalWindow } from '../../../src/background/approvals/popupWindow.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { createDesktop, type Desktop, requestsUrl, windowOn } from './windows.ts'

let session: ReturnType<typeof memoryArea>
let place: Desktop
let time: number
let closed: number
let window: ApprovalWindow

function start(): void {
  place.desktop.forget()
  window = windowOn(place, session, () => time)
  window.onClosed(() => closed++)
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(() => {
  session = memoryArea()
  place = createDesktop()
  time = 1_000_000
  closed = 0
  start()
})

describe('approval window', () => {
  it('opens within the browser window at varying positions, on any screen', async () => {
    const screens = [
      { left: 100, top: 50, width: 1_000, height: 900 },
      { left: -1_920, top: -200, width: 1_920, height: 1_040 },
      { left: 1_920, top: 0, width: 1_366, height: 728 },
    ]
    for (const browserWindow of screens) {
      const id = place.desktop.add(browserWindow)
      const places = new Set<string>()
      for (let opened = 0; opened < 40; opened++) {
        await window.open('front')
        const { left, top, width, height } = place.desktop.popups()[0]!
        expect({ width, height }).toEqual({ width: 376, height: 640 })
        expect(left).toBeGreaterThanOrEqual(browserWindow.left)
        expect(top).toBeGreaterThanOrEqual(browserWindow.top)
        expect(left + width).toBeLessThanOrEqual(browserWindow.left + browserWindow.width)
        expect(top + height).toBeLessThanOrEqual(browserWindow.top + browserWindow.height)
        places.add(`${left} ${top}`)
        place.desktop.close(place.desktop.popups()[0]!.id)
        await settled()
      }
      // Random places may repeat.
      expect(places.size).toBeGreaterThan(35)
      place.desktop.close(id)
    }
  })

  it('varies its position over a smaller browser window and starts on the screen', async () => {
    place.desktop.add({ left: 300, top: 90, width: 320, height: 400 })
    const [lefts, tops] = [new Set<number>(), new Set<number>()]
    for (let opened = 0; opened < 40; opened++) {
      await window.open('front')
      const { left, top } = place.desktop.popups()[0]!
      expect(left).toBeGreaterThanOrEqual(140)
      expect(left).toBeLessThanOrEqual(300)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(top).toBeLessThanOrEqual(90)
      lefts.add(left)
      tops.add(top)
      place.desktop.close(place.desktop.popups()[0]!.id)
      await settled()
    }
    expect(Math.min(lefts.size, tops.size)).toBeGreaterThan(10)
  })

  it('tries other positions when the browser refuses one', async () => {
    place.desktop.add({ left: 0, top: 0, width: 1_500, height: 1_000 })
    let refusals = 0
    place.desktop.refuses = () => refusals++ < 2
    await window.open('front')
    expect(refusals).toBe(3)
    expect(place.desktop.created.at(-1)).toHaveProperty('left')
  })

  it('opens at the browser’s default position when no position is known or the browser refuses it', async () => {
    await window.open('front')
    expect(place.desktop.created.at(-1)).not.toHaveProperty('left')
    place.desktop.close(place.desktop.popups()[0]!.id)
    await settled()
    place.desktop.add({ left: -32_000, state: 'minimized' })
    await window.open('front')
    expect(place.desktop.created.at(-1)).not.toHaveProperty('left')
    place.desktop.close(place.desktop.popups()[0]!.id)
    await settled()
    place.desktop.add({ left: 9_000 })
    place.desktop.refuses = (data) => 'left' in data
    await window.open('front')
    expect(place.desktop.popups()).toHaveLength(1)
  })

  it('opens once for twenty concurrent calls', async () => {
    await Promise.all(Array.from({ length: 20 }, () => window.open('front')))
    expect(place.desktop.created).toHaveLength(1)
  })

  it('finds the open window after a worker restart', async () => {
    await window.open('front')
    start()
    await window.open('front')
    expect(place.desktop.created).toHaveLength(1)
  })

  it('finds the open window when the previous worker stopped before storing its id', async () => {
    await window.open('front')
    session.items.clear()
    start()
    await Promise.all([window.open('front'), window.open('quietly')])
    expect(place.desktop.created).toHaveLength(1)
    place.desktop.close(place.desktop.popups()[0]!.id)
    await settled()
    expect(closed).toBe(1)
  })

  it('does not mistake a tab with the same page for its window', async () => {
    place.desktop.add({ url: requestsUrl })
    await window.open('front')
    expect(place.desktop.popups()).toHaveLength(1)
  })

  it('opens again when the browser no longer has the window', async () => {
    await window.open('front')
    place.desktop.open.clear()
    start()
    await window.open('quietly')
    expect(place.desktop.popups()).toHaveLength(1)
  })

  it('focuses the window or draws attention, and leaves a focused window alone', async () => {
    await window.open('front')
    await window.open('front')
    expect(place.desktop.updated).toEqual([])
    place.desktop.focus(undefined)
    await window.open('quietly')
    expect(place.desktop.updated).toEqual([{ drawAttention: true }])
    await window.open('front')
    expect(place.desktop.updated.at(-1)).toEqual({ focused: true })
    const [popup] = place.desktop.popups()
    popup!.state = 'minimized'
    popup!.focused = false
    await window.open('front')
    expect(popup).toMatchObject({ state: 'normal', focused: true })
  })

  it('reports its own closing, also after a worker restart, and not that of other windows', async () => {
    await window.open('front')
    const normal = place.desktop.add({})
    start()
    place.desktop.close(normal)
    await settled()
    expect(closed).toBe(0)
    place.desktop.close(place.desktop.popups()[0]!.id)
    await settled()
    expect(closed).toBe(1)
    await window.open('front')
    expect(place.desktop.created).toHaveLength(2)
  })

  it('opens again without reporting a close when a request arrives while the window closes itself', async () => {
    await window.open('front')
    window.count(1)
    window.count(0)
    const [popup] = place.desktop.popups()
    window.count(1)
    await window.open('front')
    time += 400
    place.desktop.close(popup!.id)
    await settled()
    expect(closed).toBe(0)
    expect(place.desktop.popups()).toHaveLength(1)
    time += 400
    place.desktop.close(place.desktop.popups()[0]!.id)
    await settled()
    expect(closed).toBe(1)
  })

  it('does not throw when the browser refuses to open a window', async () => {
    place.desktop.refuses = () => true
    await window.open('front')
    place.desktop.refuses = () => false
    await window.open('front')
    expect(place.desktop.popups()).toHaveLength(1)
  })

  it('shows the number of requests on the icon, and no badge for zero', () => {
    window.count(3)
    expect(place.desktop.badge).toBe('3')
    window.count(0)
    expect(place.desktop.badge).toBe('')
  })

  it('opens without a badge and without a list of extension contexts', async () => {
    const bare = createApprovalWindow({
      session,
      windows: place.windows,
      runtime: {},
      url: requestsUrl,
      now: Date.now,
      random: () => 0.5,
    })
    bare.count(1)
    await bare.open('front')
    expect(place.desktop.popups()).toHaveLength(1)
  })

  it('accepts the windows and runtime APIs of the browser', () => {
    const { windows, runtime } = browser
    const make = () =>
      createApprovalWindow({
        session,
        windows,
        runtime,
        url: requestsUrl,
        now: Date.now,
        random: () => 0.5,
      })
    expect(make).toBeTypeOf('function')
  })
})
