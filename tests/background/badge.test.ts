import { beforeEach, describe, expect, it } from 'vitest'
import { browser } from 'wxt/browser'
import { type Badge, createBadge } from '../../src/background/badge.ts'

type Shown = { text: string; color?: string; textColor?: string }

let shown: Shown
let badge: Badge

beforeEach(() => {
  shown = { text: '?' }
  badge = createBadge(() => ({
    async setBadgeText({ text }) {
      shown.text = text
    },
    async setBadgeBackgroundColor({ color }) {
      shown.color = color
    },
    async setBadgeTextColor({ color }) {
      shown.textColor = color
    },
  }))
})

const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('createBadge', () => {
  it('counts pending transactions, and is empty when the last one is done', async () => {
    badge.setPending(2)
    await settled()
    expect(shown.text).toBe('2')
    badge.setPending(0)
    await settled()
    expect(shown.text).toBe('')
  })

  it('shows open requests before pending transactions, which it shows again afterwards', async () => {
    badge.setPending(3)
    badge.setRequests(1)
    await settled()
    const { text, color } = shown
    expect(text).toBe('1')
    badge.setPending(4)
    await settled()
    expect(shown.text).toBe('1')
    badge.setRequests(0)
    await settled()
    expect(shown.text).toBe('4')
    expect(shown.color).not.toBe(color)
  })

  it('has a contrast above 4.5:1 for both counts', async () => {
    const colors: [string, string][] = []
    badge.setPending(1)
    await settled()
    colors.push([shown.color ?? '', shown.textColor ?? ''])
    badge.setRequests(1)
    await settled()
    colors.push([shown.color ?? '', shown.textColor ?? ''])
    for (const [ground, text] of colors) expect(contrast(ground, text)).toBeGreaterThan(4.5)
  })

  it('ignores a browser without a badge, and one that refuses', async () => {
    createBadge(() => undefined).setPending(1)
    createBadge(() => ({ setBadgeText: () => Promise.reject(new Error('No.')) })).setPending(1)
    await settled()
    expect(() => createBadge(() => browser.action)).not.toThrow()
  })
})

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
