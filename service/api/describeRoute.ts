import type { Address } from '../config.ts'
import { decompose, type Hops } from '../routing/decompose.ts'

export type TokenSwaps = { token: Address; hops: TokenHop[] }

export type TokenHop = {
  part: number
  dst: Address
  /** Indexes into the route's tokens. */
  fromTokenId: number
  toTokenId: number
  /** Percent of the token; the parts sum to the hop's. */
  protocols: { name: string; part: number }[]
}

/** Describes a route in percent with two decimals and exact sums. */
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

export type Piece = { source: string; percent: number; sell: Address; buy: Address }

/** Describes a route as its paths, largest first, each a list of steps with percentages that sum to 100. */
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

/** Divides `whole` in proportion to `amounts`, at least one each. */
export function divide(whole: number, amounts: readonly bigint[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n) || 1n
  const shares = amounts.map((amount) => Math.max(1, Number((amount * BigInt(whole)) / total)))
  let left = whole - shares.reduce((sum, share) => sum + share, 0)
  while (left !== 0) {
    const largest = shares.indexOf(Math.max(...shares))
    const change = Math.max(left, -1)
    shares[largest] = (shares[largest] ?? 0) + change
    left -= change
  }
  return shares
}
