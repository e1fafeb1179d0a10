import { type Address, isNative } from '../token/token.ts'
import type { Route } from './quote.ts'

/** Part of the sold amount through one source, from 0 to 1. */
export type FlowBand = { name: string; from: Address; to: Address; share: number }

/** Wrapping is no pool: the native token counts as the wrapped one. */
const own = (token: Address, wrapped: Address | undefined) => (isNative(token) && wrapped ? wrapped : token)

/** Returns the route's bands in selling order, without wrapping. Unknown shares are equal. */
export function toFlowBands(route: Route, wrapped: Address | undefined): FlowBand[] {
  const bands: FlowBand[] = []
  const arriving = new Map<Address, number>()
  for (const { token, hops } of route) {
    const from = own(token, wrapped)
    const whole = arriving.get(from) ?? (bands.length === 0 ? 1 : 0)
    const pieces = hops.flatMap(({ buy, sources }) =>
      sources.map(({ name, share }) => ({ name, share, to: own(buy, wrapped) })),
    )
    const known = pieces.reduce((sum, { share = 0 }) => sum + share, 0)
    const unknown = pieces.filter(({ share }) => share === undefined).length
    // Sums of rounded shares differ from 100.
    const total = unknown === 0 ? known : 100
    for (const { name, share = (100 - known) / unknown, to } of pieces) {
      if (to === from) continue
      const part = total > 0 ? (whole * share) / total : 0
      bands.push({ name, from, to, share: part })
      arriving.set(to, (arriving.get(to) ?? 0) + part)
    }
  }
  return bands
}
