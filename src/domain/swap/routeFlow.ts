import type { Address } from '../token/token.ts'
import type { Route } from './quote.ts'

/** Part of the sold amount through one source, from 0 to 1. */
export type FlowBand = { name: string; from: Address; to: Address; share: number }

/** Returns the bands of a route in selling order. Unknown shares are equal. */
export function toFlowBands(route: Route): FlowBand[] {
  const bands: FlowBand[] = []
  const arriving = new Map<Address, number>()
  for (const { token: from, hops } of route) {
    const whole = arriving.get(from) ?? (bands.length === 0 ? 1 : 0)
    const pieces = hops.flatMap(({ buy, sources }) => sources.map((source) => ({ ...source, to: buy })))
    const known = pieces.reduce((sum, { share = 0 }) => sum + share, 0)
    const unknown = pieces.filter(({ share }) => share === undefined).length
    // Sums of rounded shares differ from 100.
    const total = unknown === 0 ? known : 100
    for (const { name, share = (100 - known) / unknown, to } of pieces) {
      const part = total > 0 ? (whole * share) / total : 0
      bands.push({ name, from, to, share: part })
      arriving.set(to, (arriving.get(to) ?? 0) + part)
    }
  }
  return bands
}

export type SourceShare = Pick<FlowBand, 'name' | 'share'>

/** Returns the part of the sold amount that passes through each source at least once, largest first. */
export function toSourceShares(bands: FlowBand[]): SourceShare[] {
  const names = [...new Set(bands.map(({ name }) => name))]
  const shares = names.map((name) => ({ name, share: 1 - toPartWithout(name, bands) }))
  return shares.sort((one, other) => other.share - one.share)
}

/** Part of the sold amount that reaches its end through other sources. Tokens mix what arrives. */
function toPartWithout(name: string, bands: FlowBand[]): number {
  const leaving = new Map<Address, number>()
  for (const { from, share } of bands) leaving.set(from, (leaving.get(from) ?? 0) + share)
  const parts = new Map<Address, number>()
  let arrived = 0
  for (const band of bands) {
    const part = parts.get(band.from) ?? (band.from === bands[0]?.from ? 1 : 0)
    const whole = leaving.get(band.from) ?? 0
    const through = band.name === name || whole === 0 ? 0 : (part * band.share) / whole
    if (leaving.has(band.to)) parts.set(band.to, (parts.get(band.to) ?? 0) + through)
    else arrived += through
  }
  return arrived
}
