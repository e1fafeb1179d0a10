import type { Arc, Candidates } from './candidates.ts'

/**
 * How a trade is spread over the candidates, in doubles: which share of each token takes which arc. There is never a cycle and
 * never a way with more than two connectors, because a connector that another one pays into pays into none itself.
 */
export type Flow = {
  /** The lines in use, each after all that pay into its token. */
  used(): readonly Line[]
  /** Lines not in use that the flow's shape allows, the most promising first. */
  promising(): Line[]
  returns(): number
  /** Per line in use, what it adds to the returns beyond what its input is worth in the lines beside it. */
  profits(): Map<Line, number>
  /** Puts a line into use with a small share, and a way on from where it leads. */
  join(line: Line): void
  /** Only these lines stay in use: whole ways from the first token to the last. */
  keep(lines: readonly Line[]): void
  /** Moves shares between the lines of each token until that returns no more; with `open`, unused lines may join. */
  improve(open: boolean): void
  /** The shares of all lines as they are, and back to them. */
  save(): readonly number[]
  restore(saved: readonly number[]): void
}

/** An arc and what runs through it. */
export type Line = {
  arc: Arc
  from: Node
  to: Node
  /** Its part of what its token holds; 0 when not in use. */
  share: number
  sold: number
  /** What the next bit sold buys, per unit: while in use, as it was last priced, and while not. */
  slope: number
  idleSlope: number
}

/** A token and what of it passes. */
export type Node = {
  held: number
  /** What the next bit of it would add to the returns, per unit; and when no other connector may follow. */
  value: number
  straightValue: number
  leaving: Line[]
  /** Of a connector: whether it pays into another connector, and whether another pays into it. */
  pays: boolean
  paid: boolean
}

/** Shares are moved in steps of this, then a quarter of it, and so on: 2^-15 of a token is worth nothing any more. */
const firstStep = 2 ** -3
const lastStep = 2 ** -15
/** Less than this share is none. */
const dust = 2 ** -20
/** Lines whose next bits differ by less are equally good. */
const sameRate = 1e-8
/** Bounds of the work at one step, and of it at one token. */
const mostRounds = 8
const mostMoves = 64

/** All of `amount` along one path of arcs, to begin with. */
export function createFlow(candidates: Candidates, amount: number, path: readonly Arc[]): Flow {
  const nodes = candidates.tokens.map(createNode)
  const lines = candidates.arcs.map((arc) => createLine(arc, nodes))
  const first = nodes[0] as Node
  const last = nodes[nodes.length - 1] as Node
  const connectors = nodes.slice(1, -1)
  let used: Line[] = []
  let returns = 0

  last.value = last.straightValue = 1
  for (const line of lines) line.share = path.includes(line.arc) ? 1 : 0
  arrange()
  returns = run()

  return {
    used: () => used,
    returns: () => returns,

    profits() {
      price(false)
      const profit = (line: Line) =>
        line.arc.curve.bought(line.sold) * worthBehind(line) - line.sold * line.from.value
      return new Map(used.map((line) => [line, profit(line)]))
    },

    promising() {
      price(true)
      const gain = (line: Line) => rate(line) / line.from.value
      return lines
        .filter((line) => line.share === 0 && line.from.held > 0 && allows(line) && rate(line) > 0)
        .sort((a, b) => gain(b) - gain(a) || (a.arc.pool.address < b.arc.pool.address ? -1 : 1))
    },

    join(line) {
      price(true)
      for (const other of line.from.leaving) other.share *= 1 - firstStep
      line.share = firstStep
      lead(line, line.from.held * firstStep)
      arrange()
      returns = run()
    },

    keep(kept) {
      const staying = new Set(kept)
      for (const line of used) if (!staying.has(line)) line.share = 0
      for (const { leaving } of nodes) {
        const whole = leaving.reduce((sum, line) => sum + line.share, 0)
        if (whole > 0) for (const line of leaving) line.share /= whole
      }
      arrange()
      returns = run()
    },

    improve(open) {
      for (let step = firstStep; step >= lastStep; step /= 4) {
        for (let round = 0; round < mostRounds && sweep(step, open); round++);
      }
    },

    save: () => lines.map(({ share }) => share),
    restore,
  }

  function restore(saved: readonly number[]): void {
    lines.forEach((line, i) => {
      line.share = saved[i] as number
    })
    arrange()
    returns = run()
  }

  /** After lines came into use or went out of it: their order, and the parts that connectors play. */
  function arrange(): void {
    const reached = new Set([first])
    used = []
    for (const connector of connectors) connector.pays = connector.paid = false
    take(first, reached)
    const direct = connectors.filter((connector) => reached.has(connector))
    for (const connector of direct) if (connector.leaving.some(isBetweenConnectors)) take(connector, reached)
    for (const connector of connectors) {
      if (!reached.has(connector)) for (const line of connector.leaving) line.share = 0
      else if (!connector.pays) take(connector, reached)
    }
  }

  function take(node: Node, reached: Set<Node>): void {
    for (const line of node.leaving) {
      if (line.share === 0) continue
      used.push(line)
      reached.add(line.to)
      if (!isBetweenConnectors(line)) continue
      line.from.pays = true
      line.to.paid = true
    }
  }

  function isBetweenConnectors({ from, to, share }: Line): boolean {
    return share > 0 && from !== first && to !== last
  }

  /** Sends `amount` through the lines in use; what arrives. */
  function run(): number {
    for (const node of nodes) node.held = 0
    first.held = amount
    for (const line of used) {
      line.sold = line.from.held * line.share
      line.to.held += line.arc.curve.bought(line.sold)
    }
    return last.held
  }

  /** Values the tokens, from the last to the first; with `open`, unused lines count as ways on. */
  function price(open: boolean): void {
    for (const line of used) line.slope = line.arc.curve.slope(line.sold)
    for (const node of connectors) {
      node.straightValue = 0
      for (const line of node.leaving) {
        const counts = line.to === last && (line.share > 0 || open)
        if (counts) node.straightValue = Math.max(node.straightValue, rate(line))
      }
    }
    for (const node of connectors) node.value = bestRate(node, node.straightValue, open)
    first.value = bestRate(first, 0, open)
  }

  function bestRate(node: Node, least: number, open: boolean): number {
    let best = least
    for (const line of node.leaving) {
      if (line.share > 0 || (open && allows(line))) best = Math.max(best, rate(line))
    }
    return best
  }

  /** Whether a line may be in use beside the others. */
  function allows({ from, to }: Line): boolean {
    return from === first || to === last || (!from.paid && !to.pays)
  }

  function sweep(step: number, open: boolean): boolean {
    let better = false
    for (const node of [first, ...connectors]) if (node.held > 0 && balance(node, step, open)) better = true
    return better
  }

  /** Moves shares of one token from its worst line in use to its best line, as long as that returns more. */
  function balance(node: Node, step: number, open: boolean): boolean {
    const failed = new Set<Line>()
    let better = false
    price(open)
    for (let moves = 0; moves < mostMoves; moves++) {
      let worst: Line | undefined
      let best: Line | undefined
      for (const line of node.leaving) {
        if (line.share > 0 && (worst === undefined || rate(line) < rate(worst))) worst = line
        const mayGrow = line.share > 0 || (open && allows(line))
        if (mayGrow && !failed.has(line) && (best === undefined || rate(line) > rate(best))) best = line
      }
      if (!worst || !best || rate(best) <= rate(worst) * (1 + sameRate)) break
      if (!move(worst, best, step)) {
        failed.add(best)
        continue
      }
      better = true
      price(open)
    }
    return better
  }

  /** Moves at most `step` of a token's share from one line to another. False, and nothing done, if that returns no more. */
  function move(source: Line, target: Line, step: number): boolean {
    const moved = source.share <= step + dust ? source.share : step
    const opens = target.share === 0
    const reshapes = opens || source.share === moved
    const before = reshapes ? lines.map(({ share }) => share) : undefined
    source.share -= moved
    target.share += moved
    if (opens) lead(target, source.from.held * moved)
    if (reshapes) arrange()
    const now = run()
    if (now > returns) {
      returns = now
      return true
    }
    if (before) restore(before)
    else {
      source.share += moved
      target.share -= moved
      run()
    }
    return false
  }

  /** Opens a way on from where a line leads, if nothing passes there yet: the best one for what `sold` brings. */
  function lead({ arc, from, to }: Line, sold: number): void {
    if (to === last || to.held > 0) return
    const arriving = arc.curve.bought(sold)
    let best: Line | undefined
    let most = 0
    for (const way of to.leaving) {
      const mayFollow = way.to === last || (from === first && allows(way))
      const brings = mayFollow ? brought(way, arriving) : 0
      if (brings <= most) continue
      most = brings
      best = way
    }
    if (!best) return
    best.share = 1
    lead(best, arriving)
  }

  /** What `sold` through a line returns in the end, when at most one hop follows. */
  function brought({ arc, to }: Line, sold: number): number {
    const bought = arc.curve.bought(sold)
    if (to === last) return bought
    if (to.held > 0) return bought * to.straightValue
    return to.leaving.reduce((most, way) => {
      return way.to === last ? Math.max(most, way.arc.curve.bought(bought)) : most
    }, 0)
  }

  /** What the next bit through a line would return, per unit of the token it leaves. */
  function rate(line: Line): number {
    return (line.share > 0 ? line.slope : line.idleSlope) * worthBehind(line)
  }

  /** What a unit is worth where a line leads. */
  function worthBehind({ from, to }: Line): number {
    return from === first ? to.value : to.straightValue
  }
}

function createNode(): Node {
  return { held: 0, value: 0, straightValue: 0, leaving: [], pays: false, paid: false }
}

function createLine(arc: Arc, nodes: readonly Node[]): Line {
  const slope = arc.curve.slope(0)
  const [from, to] = [nodes[arc.from], nodes[arc.to]] as [Node, Node]
  const line: Line = { arc, from, to, share: 0, sold: 0, slope, idleSlope: slope }
  from.leaving.push(line)
  return line
}
