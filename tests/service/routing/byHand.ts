import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { Route } from '../../../service/routing/route.ts'

/** Reimplements Branch and Hop of contracts/ISwapRouter.sol; a pool's second hop meets its changed state. */
export function runBranches({ tokens, branches, amount }: Route): bigint {
  let unsold = amount
  let returned = 0n
  const changed = new Map<Pool, Pool>()
  branches.forEach(({ weight, edges }, i) => {
    if ((weight === 0) !== (i === branches.length - 1)) throw new Error(`Branch ${i} has weight ${weight}.`)
    const given = weight === 0 ? unsold : (amount * BigInt(weight)) / 1_000_000n
    unsold -= given
    const held = tokens.map((_, token) => (token === 0 ? given : 0n))
    let from = -1
    let start = 0n
    for (const edge of edges) {
      if (edge.from < from || edge.to <= edge.from) throw new Error('The hops are out of order.')
      if (edge.from > from) [from, start] = [edge.from, held[edge.from]!]
      const sold = edge.weight === 0 ? held[from]! : (start * BigInt(edge.weight)) / 1_000_000n
      const [selling, buying] = [tokens[from]!, tokens[edge.to]!]
      const pool = changed.get(edge.pool) ?? edge.pool
      const bought = pool.quote(selling, buying, sold)
      if (pool.after && bought > 0n) changed.set(edge.pool, pool.after(selling, buying, sold))
      if (sold !== edge.sold || bought !== edge.bought || bought === 0n) {
        throw new Error(`A hop sells ${sold} for ${bought}, not ${edge.sold} for ${edge.bought}.`)
      }
      held[from]! -= sold
      held[edge.to]! += bought
    }
    if (held.slice(0, -1).some((left) => left !== 0n)) throw new Error(`Branch ${i} leaves ${held}.`)
    returned += held.at(-1)!
  })
  return returned
}

export type SinglePath = { pools: Pool[]; returns: bigint; gas: bigint }

/** Paths that use each pool and token at most once. */
export function everyPath(
  pools: readonly Pool[],
  sell: Address,
  buy: Address,
  amount: bigint,
  mostConnectors: number,
): SinglePath[] {
  const done: SinglePath[] = []
  walk(sell, [sell], { pools: [], returns: amount, gas: 0n })
  return done

  function walk(token: Address, visited: Address[], path: SinglePath) {
    for (const pool of pools) {
      if (!pool.tokens.includes(token) || path.pools.includes(pool)) continue
      for (const next of pool.tokens) {
        if (visited.includes(next) || (next !== buy && visited.length > mostConnectors)) continue
        const returns = pool.quote(token, next, path.returns)
        if (returns === 0n) continue
        const gas = path.gas + pool.gas(token, next, path.returns)
        const longer = { pools: [...path.pools, pool], returns, gas }
        if (next === buy) done.push(longer)
        else walk(next, [...visited, next], longer)
      }
    }
  }
}
