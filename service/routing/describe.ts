import type { Address } from '../config.ts'
import type { Edge, Route } from './route.ts'

/** The interface's TokenSwaps: where everything of one token goes. */
export type TokenSwaps = { token: Address; hops: TokenHop[] }

export type TokenHop = {
  /** Percent of the token that goes to `dst`. */
  part: number
  dst: Address
  /** Places in the list of the route's tokens. */
  fromTokenId: number
  toTokenId: number
  /** Percents of the token too; they sum to the hop's. */
  protocols: { name: string; part: number }[]
}

/** A route for people: percents with two decimals at most, whose sums are exact. */
export function describeRoute({ tokens, edges }: Route): TokenSwaps[] {
  return tokens.slice(0, -1).map((token, from) => {
    const leaving = edges.filter((edge) => edge.from === from)
    const hundredths = divide(leaving.map(({ sold }) => sold))
    const targets = [...new Set(leaving.map(({ to }) => to))].sort((a, b) => a - b)
    const hops = targets.map((to): TokenHop => {
      const bySource = new Map<string, number>()
      leaving.forEach((edge, i) => {
        const { source } = edge.pool
        if (edge.to === to) bySource.set(source, (bySource.get(source) ?? 0) + (hundredths[i] ?? 0))
      })
      const whole = [...bySource.values()].reduce((sum, part) => sum + part, 0)
      return {
        part: whole / 100,
        dst: tokens[to] as Address,
        fromTokenId: from,
        toTokenId: to,
        protocols: [...bySource].map(([name, part]) => ({ name, part: part / 100 })),
      }
    })
    return { token, hops }
  })
}

/** 100.00 % in hundredths of a percent, in proportion to `amounts` and at least one each: what rounding leaves goes to the largest. */
function divide(amounts: readonly Edge['sold'][]): number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0n)
  const parts = amounts.map((amount) => Math.max(1, Number((amount * 10_000n) / whole)))
  const largest = parts.indexOf(Math.max(...parts))
  const others = parts.reduce((sum, part, i) => (i === largest ? sum : sum + part), 0)
  return parts.map((part, i) => (i === largest ? 10_000 - others : part))
}
