import { describe, expect, it } from 'vitest'
import { cardSize, drawShareCard, type ShareCard } from '../../../src/ui/activity/done/shareCard.ts'

const card: ShareCard = {
  sell: { symbol: 'ETH', address: `0x${'ee'.repeat(20)}` },
  buy: { symbol: 'USDC', address: `0x${'5c'.repeat(20)}` },
  network: 'Base',
  moreBps: 50,
  at: Date.UTC(2026, 10, 22, 12),
}

type Written = { text: string; x: number; y: number; align: string }

/** Records texts; every other drawing command is accepted. */
function draw(one: ShareCard, direction?: 'ltr' | 'rtl'): Written[] {
  const written: Written[] = []
  const state: Record<string, unknown> = {
    fillText: (text: string, x: number, y: number) =>
      written.push({ text, x, y, align: String(state.textAlign) }),
  }
  const context = new Proxy(state, {
    get: (target, name: string) => target[name] ?? (() => undefined),
  }) as unknown as Parameters<typeof drawShareCard>[0]
  drawShareCard(context, one, direction)
  return written
}

describe('drawShareCard', () => {
  it('writes pair, promise, network, date and name, and nothing else', () => {
    expect(draw(card).map(({ text }) => text)).toEqual([
      'ETH → USDC',
      'Minimum kept',
      '0.5% more than the guaranteed minimum',
      'Base · November 22, 2026',
      'Sluice',
    ])
  })

  it('keeps number and network apart from right-to-left words', () => {
    const texts = draw(card, 'rtl').map(({ text }) => text)
    expect(texts).toContain('\u20680.5% more than the guaranteed minimum\u2069')
    expect(texts).toContain('\u2068Base\u2069 · \u2068November 22, 2026\u2069')
  })

  it('shows the distance to the minimum without a sign, as it is no gain', () => {
    for (const { text } of draw(card)) expect(text).not.toMatch(/[+$]/)
  })

  it('contains no amount, address or hash', () => {
    const texts = draw(card).map(({ text }) => text)
    for (const text of texts) {
      expect(text).not.toMatch(/0x/)
      const numbers = text.match(/\d[\d.,]*/g) ?? []
      for (const number of numbers) expect(['0.5', '22,', '2026']).toContain(number)
    }
  })

  it('leaves the percentage out when it is exactly the minimum', () => {
    const texts = draw({ ...card, moreBps: 0 }).map(({ text }) => text)
    expect(texts.filter((text) => text.includes('%'))).toEqual([])
    expect(draw({ ...card, moreBps: 0 })).toHaveLength(4)
  })

  it('stays on the canvas, and starts on the other side right to left', () => {
    const [first, ...rest] = draw(card, 'rtl')
    expect(first?.x).toBe(cardSize.width - 90)
    expect(draw(card)[0]?.x).toBe(90)
    for (const { x, y } of [...rest, ...draw(card)]) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(cardSize.width)
      expect(y).toBeLessThan(cardSize.height)
    }
  })
})
