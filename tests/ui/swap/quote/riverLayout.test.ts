import { describe, expect, it } from 'vitest'
import type { FlowBand } from '../../../../src/domain/swap/routeFlow.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { layoutRiver, riverHeight, riverWidth } from '../../../../src/ui/swap/quote/riverLayout.ts'
import { formatProof } from '../../../../src/ui/swap/quote/routeClaims.ts'
import { sourceHue } from '../../../../src/ui/swap/quote/sourceHue.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as Address
const [sell, one, two, buy] = ['1', '2', '3', '4'].map(at) as [Address, Address, Address, Address]
const band = (name: string, from: Address, to: Address, share: number): FlowBand => ({
  name,
  from,
  to,
  share,
})

const single = [band('A', sell, buy, 1)]
const wide = [...'ABCDEFGHIJKLMNO'].map((name, index) => band(name, sell, buy, index === 0 ? 0.86 : 0.01))
const tangled = [
  band('A', sell, buy, 0.3),
  band('B', sell, one, 0.5),
  band('C', sell, two, 0.2),
  band('D', one, two, 0.1),
  band('E', one, buy, 0.4),
  band('F', two, buy, 0.3),
]

/** Every coordinate of a path. */
function pointsOf(path: string): [number, number][] {
  const numbers = (path.match(/-?[\d.]+/g) ?? []).map(Number)
  return numbers.flatMap((x, index) => (index % 2 === 0 ? [[x, numbers[index + 1] ?? Number.NaN]] : []))
}

describe('layoutRiver', () => {
  it('stays within its box and runs from its start to its end', () => {
    for (const bands of [single, wide, tangled]) {
      const { ribbons, stops } = layoutRiver(bands)
      const points = ribbons.flatMap(({ outline }) => pointsOf(outline))
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
      expect([Math.min(...xs), Math.max(...xs)]).toEqual([0, riverWidth])
      expect(Math.min(...ys)).toBeGreaterThanOrEqual(-0.01)
      expect(Math.max(...ys)).toBeLessThanOrEqual(riverHeight + 0.01)
      for (const { y, height } of stops) {
        expect(y - height / 2).toBeGreaterThanOrEqual(0)
        expect(y + height / 2).toBeLessThanOrEqual(riverHeight)
      }
    }
  })

  it('makes ribbons as wide as their shares, and shows the smallest', () => {
    const heights = new Map(layoutRiver(tangled).ribbons.map(({ name, height }) => [name, height]))
    expect((heights.get('B') ?? 0) / (heights.get('D') ?? 1)).toBeCloseTo(5)
    expect(
      layoutRiver([band('A', sell, buy, 0.9999), band('B', sell, buy, 0.0001)]).ribbons[1]?.height,
    ).toBeGreaterThan(0.5)
  })

  it('draws no ribbon of a gap over another at its middle', () => {
    for (const bands of [wide, tangled]) {
      const { ribbons } = layoutRiver(bands)
      const first = ribbons
        .filter(({ key }) => key.includes(` ${sell} `))
        .map(({ middle, height }) => ({ y: pointsOf(middle)[3]?.[1] ?? Number.NaN, height }))
        .sort((a, b) => a.y - b.y)
      first.slice(1).forEach((next, index) => {
        const above = first[index] as (typeof first)[number]
        expect(next.y - next.height / 2).toBeGreaterThanOrEqual(above.y + above.height / 2 - 0.02)
      })
    }
  })

  it('keeps the commands of a band whose share changes, so that it can bend to it', () => {
    const commands = (bands: FlowBand[]) =>
      layoutRiver(bands).ribbons.map(({ outline }) => outline.replace(/[^A-Z]/g, ''))
    const changed = tangled.map((one, index) => ({ ...one, share: one.share + (index === 0 ? 0.05 : 0) }))
    expect(commands(changed)).toEqual(commands(tangled))
  })
})

describe('the proof of a route', () => {
  const market = { returns: 1_000_000n }
  const proof = (gapBps: number | undefined, returns = 1_000_000n) =>
    formatProof({ returns, ...(gapBps !== undefined && { gapBps }) }, market)

  it('is told as the service’s, only while its gap is small, rounded up', () => {
    expect(proof(0)).toBe('Service’s proof: within 0.01% of the best')
    expect(proof(1.2)).toBe('Service’s proof: within 0.02% of the best')
    expect(proof(10.1)).toBeUndefined()
    expect(proof(undefined)).toBeUndefined()
  })

  it('is hidden without a market price, and where the quote is over 1% and the gap below it', () => {
    expect(formatProof({ gapBps: 0, returns: 1_000_000n }, undefined)).toBeUndefined()
    expect(proof(2, 2_000_000n)).toBeDefined()
    expect(proof(2, 989_800n)).toBeDefined()
    expect(proof(2, 989_799n)).toBeUndefined()
    expect(proof(0, 500_000n)).toBeUndefined()
  })
})

describe('the colour of a source', () => {
  it('differs by exchange and by version', () => {
    const hues = ['UNISWAP_V2', 'UNISWAP_V3', 'CURVE', 'BALANCER_V2_STABLE', 'SUSHI'].map(sourceHue)
    expect(new Set(hues).size).toBe(hues.length)
    expect(sourceHue('UNISWAP_V3')).toBe(sourceHue('Uniswap V3'))
    for (const hue of [...hues, sourceHue(''), sourceHue('Ünknown'), sourceHue('X_V9')]) {
      expect(hue).toBeGreaterThanOrEqual(0)
      expect(hue).toBeLessThan(360)
    }
  })
})
