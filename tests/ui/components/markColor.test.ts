import { describe, expect, it } from 'vitest'
import { markColor } from '../../../src/ui/components/markColor.ts'

const hues = Array.from({ length: 360 }, (_, hue) => hue)

describe('markColor', () => {
  it.each([
    ['white letters', [255, 255, 255], 4.5],
    // --panel of both themes: the disc itself must be seen.
    ['the light ground', [255, 255, 255], 3],
    ['the dark ground', [22, 30, 34], 2.5],
  ] as const)('has enough contrast with %s for every hue', (_name, other, least) => {
    const ratios = hues.map((hue) =>
      contrast(luminance(toLinear(markColor(hue))), luminance(linearOf(other))),
    )
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(least)
  })

  it('gives each hue its own colour', () => {
    expect(new Set(hues.map(markColor)).size).toBe(360)
  })
})

/** WCAG 2.2, contrast ratio. */
function contrast(one: number, other: number): number {
  const [light, dark] = one > other ? [one, other] : [other, one]
  return (light + 0.05) / (dark + 0.05)
}

function luminance([red, green, blue]: readonly [number, number, number]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf([red, green, blue]: readonly [number, number, number]) {
  const each = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [each(red), each(green), each(blue)] as const
}

/** CSS Color 4, OKLCH to linear sRGB, clipped to what screens show. */
function toLinear(color: string) {
  const [, percent, chroma, hue] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(color)!.map(Number)
  const angle = (hue! * Math.PI) / 180
  const [a, b] = [chroma! * Math.cos(angle), chroma! * Math.sin(angle)]
  const lightness = percent! / 100
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ] as const
}
