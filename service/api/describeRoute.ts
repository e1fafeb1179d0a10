import type { Address } from '../config.ts'
import { decompose, type Hops } from '../routing/decompose.ts'
import { divide } from '../routing/shares.ts'

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
export function describeRoute({ tokens, edges }: Hops): TokenSwaps[] {
  return tokens.slice(0, -1).map((token, from) => {
    const leaving = edges.filter((edge) => edge.from === from)
    const hundredths = divide(
      10_000,
      leaving.map(({ sold }) => sold),
    )
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

/** One pool's part of a step from one token to the next. */
export type Piece = { source: string; percent: number; sell: Address; buy: Address }

/**
 * A route as main routes, steps and pieces: each of its paths is a main route, the largest first, and the percents of a step's
 * pieces are whole numbers that sum to 100. Where two paths share a step they sell through the same pools alike.
 */
export function describePaths(route: Hops): Piece[][][] {
  return decompose(route).map(({ tokens }) =>
    tokens.slice(1).map((to, i) => describeStep(route, tokens[i] as number, to)),
  )
}

function describeStep({ tokens, edges }: Hops, from: number, to: number): Piece[] {
  const pools = edges.filter((edge) => edge.from === from && edge.to === to)
  const percents = divide(
    100,
    pools.map(({ sold }) => sold),
  )
  return pools.map(({ pool }, i) => ({
    source: pool.source,
    percent: percents[i] as number,
    sell: tokens[from] as Address,
    buy: tokens[to] as Address,
  }))
}
