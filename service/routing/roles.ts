import type { Arc } from './candidates.ts'
import { type Clearing, clear, profitOf } from './dual.ts'
import type { Task } from './spread.ts'

/** Arcs of which every selection is without a cycle and without a way over more than two connectors, and their clearing. */
export type Shaped = { arcs: readonly Arc[]; clearing: Clearing }

/** Part of the value that a change of roles has to promise, or to bring. */
const worthwhile = 1e-7
const mostChanges = 8

/**
 * Gives each connector a role: it may pay into other connectors, or be paid by them. Arcs against the roles are left out, so that a
 * way is never longer than its limit, wherever the tokens on it came from. Begins with what the connectors do when all arcs are free,
 * and lets those change that would gain most from what they may not do.
 */
export function giveRoles({ tokenCount, amount }: Task, arcs: readonly Arc[], free: Clearing): Shaped {
  const last = tokenCount - 1
  const isBetween = ({ from, to }: Arc) => from > 0 && to < last
  const between = arcs.filter(isBetween)
  const lean = new Float64Array(tokenCount)
  arcs.forEach((arc, i) => {
    if (!isBetween(arc)) return
    const worth = at(free.prices, arc.from) * at(free.sold, i)
    lean[arc.from] = at(lean, arc.from) + worth
    lean[arc.to] = at(lean, arc.to) - worth
  })
  const pays = Array.from(lean, (worth) => worth >= 0)
  const mayRun = (arc: Arc) => !isBetween(arc) || (pays[arc.from] === true && pays[arc.to] === false)

  let shaped = shape(free.prices)
  const settled = new Set<number>()
  for (let change = 0; change < mostChanges; change++) {
    const token = mostHindered(shaped.clearing)
    if (token === undefined) break
    settled.add(token)
    pays[token] = !pays[token]
    const next = shape(shaped.clearing.prices)
    if (next.clearing.value > shaped.clearing.value * (1 + worthwhile)) {
      shaped = next
      settled.clear()
    } else pays[token] = !pays[token]
  }
  return shaped

  function shape(prices: Float64Array): Shaped {
    const some = arcs.filter(mayRun)
    return { arcs: some, clearing: clear(some, tokenCount, amount, prices, worthwhile) }
  }

  /** The connector whose role keeps it from earning most. */
  function mostHindered({ prices, value }: Clearing): number | undefined {
    const hindered = new Float64Array(tokenCount)
    for (const arc of between) {
      if (mayRun(arc)) continue
      const profit = profitOf(arc, prices)
      if (!pays[arc.from]) hindered[arc.from] = at(hindered, arc.from) + profit
      if (pays[arc.to]) hindered[arc.to] = at(hindered, arc.to) + profit
    }
    let most: number | undefined
    for (let token = 1; token < last; token++) {
      if (settled.has(token) || at(hindered, token) <= worthwhile * value) continue
      if (most === undefined || at(hindered, token) > at(hindered, most)) most = token
    }
    return most
  }
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
