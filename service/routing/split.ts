import { type Arc, arcGas, type Candidates } from './candidates.ts'
import { createFlow, type Flow, type Line } from './flow.ts'

/** An arc and its share of what its token holds. The shares of a token sum to 1. */
export type Branch = { arc: Arc; share: number }

/** What a split has to keep within, and what it pays. */
export type Terms = {
  /** The most paths the flow may fall apart into, and the most branches that may leave the sold token. */
  parts: number
  mainRouteParts: number
  /** The most connectors on a path, and in all. */
  complexityLevel: number
  connectorCount: number
  /** Gas that all hops together may use, and what one gas is worth in base units of the bought token. */
  gasRoom: number
  gasWorth: number
}

/**
 * Spreads `amount` over the candidates so that most remains after gas, beginning from `start`. The price of gas and the limits
 * make it a matter of choosing pools, which is searched from both ends: the freest flow loses what does not pay for itself, and
 * `start` gains what does. The better one is the answer; undefined when neither keeps within the terms.
 */
export function split(
  candidates: Candidates,
  amount: number,
  start: readonly Arc[],
  terms: Terms,
): readonly Branch[] | undefined {
  const free = createFlow(candidates, amount, start)
  free.improve(true)
  const shrunk = shrink(free, terms)
  if (shrunk === 'untouched') return free.used()

  const grown = createFlow(candidates, amount, start)
  if (fits(grown, terms)) grow(grown, terms)
  const [best] = [free, grown]
    .filter((flow) => fits(flow, terms))
    .sort((a, b) => net(b, terms) - net(a, terms))
  return best?.used()
}

/** Takes lines out of use while the terms are overstepped, and then while that leaves more after gas. */
function shrink(flow: Flow, terms: Terms): 'untouched' | 'shrunk' {
  const proven = new Set<Line>()
  let result: 'untouched' | 'shrunk' = 'untouched'
  for (;;) {
    const excess = findExcess(flow, terms)
    if (excess) result = 'shrunk'
    const groups = excess ?? flow.used().flatMap((line) => (proven.has(line) ? [] : [[line]]))
    const loss = cheapestLoss(flow, groups, terms)
    if (!loss || (!excess && loss.cost > -flow.returns() * negligible)) return result

    const before = { shares: flow.save(), net: net(flow, terms) }
    flow.keep(loss.staying)
    flow.improve(false)
    if (excess) continue
    if (net(flow, terms) > before.net) result = 'shrunk'
    else {
      flow.restore(before.shares)
      for (const line of loss.group) proven.add(line)
    }
  }
}

/** Part of the returns that no line is dropped or added for. */
const negligible = 1e-9

/** Takes promising lines into use, one at a time, while that leaves more after gas. */
function grow(flow: Flow, terms: Terms): void {
  const tried = new Set<Line>()
  while (tried.size < mostTries) {
    const line = flow.promising().find((candidate) => !tried.has(candidate))
    if (!line) return
    tried.add(line)
    const before = { shares: flow.save(), net: net(flow, terms) }
    flow.join(line)
    flow.improve(false)
    if (!fits(flow, terms) || net(flow, terms) <= before.net) flow.restore(before.shares)
  }
}

const mostTries = 12

type Loss = { group: readonly Line[]; staying: readonly Line[]; cost: number }

/** The group of lines whose end costs least, gas saved being a gain. Undefined when each of them is the last way. */
function cheapestLoss(flow: Flow, groups: readonly (readonly Line[])[], terms: Terms): Loss | undefined {
  const profits = flow.profits()
  const losses = groups.flatMap((group): Loss[] => {
    const staying = waysWithout(flow.used(), group)
    if (staying.length === 0) return []
    const ending = flow.used().filter((line) => !staying.includes(line))
    const cost = ending.reduce(
      (sum, line) => sum + (profits.get(line) ?? 0) - arcGas(line.arc, line.sold) * terms.gasWorth,
      0,
    )
    return [{ group, staying, cost }]
  })
  return losses.reduce<Loss | undefined>(
    (least, loss) => (least && least.cost <= loss.cost ? least : loss),
    undefined,
  )
}

/** The lines that still lie on a way from the first token to the last when `ended` are gone. */
function waysWithout(used: readonly Line[], ended: readonly Line[]): Line[] {
  const first = used[0]?.from
  const last = used[used.length - 1]?.to
  const entered = new Set([first])
  const left = new Set([last])
  const reached = used.filter((line) => {
    const runs = !ended.includes(line) && entered.has(line.from)
    if (runs) entered.add(line.to)
    return runs
  })
  const ways = reached.reverse().filter((line) => {
    const arrives = left.has(line.to)
    if (arrives) left.add(line.from)
    return arrives
  })
  return ways.reverse()
}

function fits(flow: Flow, terms: Terms): boolean {
  return findExcess(flow, terms) === undefined
}

/** Groups of lines of which one has to go, because a limit is overstepped. */
function findExcess(flow: Flow, terms: Terms): readonly (readonly Line[])[] | undefined {
  const used = flow.used()
  const first = used[0]?.from
  const entered = [...new Set(used.map(({ to }) => to))]
  const connectors = entered.filter((node) => used.some(({ from }) => from === node))
  if (connectors.length > terms.connectorCount) {
    return connectors.map((connector) => used.filter(({ to }) => to === connector))
  }
  const leaving = used.filter(({ from }) => from === first)
  if (leaving.length > terms.mainRouteParts) return leaving.map((line) => [line])
  // A flow of so many lines and tokens is the sum of this many paths.
  const paths = used.length - connectors.length
  if (paths > terms.parts || gas(flow) > terms.gasRoom) return used.map((line) => [line])
  return undefined
}

function net(flow: Flow, terms: Terms): number {
  return flow.returns() - gas(flow) * terms.gasWorth
}

function gas(flow: Flow): number {
  return flow.used().reduce((sum, line) => sum + arcGas(line.arc, line.sold), 0)
}
