import type { Route } from '../../../domain/swap/quote.ts'
import { toFlowBands } from '../../../domain/swap/routeFlow.ts'
import type { Address } from '../../../domain/token/token.ts'

/** Tokens in columns from sold to bought, connected by sources. */
export type RouteLayout = { columns: number; height: number; stops: RouteNode[]; flows: RouteEdge[] }

/** Token position. `y` is the centre in pixels. */
export type RouteNode = { token: Address; column: number; y: number }

/** One source, drawn horizontally at `y`. `share` in percent of its token; `part` of the sold one, to 1. */
export type RouteEdge = {
  name: string
  share: number | undefined
  part: number
  from: RouteNode
  to: RouteNode
  y: number
}

export const flowHeight = 26
/** Includes the name above. */
const stopHeight = 34
const margin = 18

/** Flows that skip columns run above all others, to not cross names. */
export function layoutRoute(route: Route): RouteLayout {
  const pieces = route.flatMap(({ token, hops }) =>
    hops.flatMap(({ buy, sources }) => sources.map((source) => ({ ...source, token, buy }))),
  )
  const bands = toFlowBands(route)
  const columnOf = toColumns(pieces)
  const lengthOf = ({ token, buy }: Piece) => columnOf(buy) - columnOf(token)
  const long = pieces.filter((piece) => lengthOf(piece) > 1)
  long.sort((one, other) => lengthOf(other) - lengthOf(one))
  const rows = new Map<Piece, number>(long.map((piece, row) => [piece, row]))
  const filled = new Map<number, number>()
  for (const piece of pieces) {
    if (rows.has(piece)) continue
    const column = columnOf(piece.token)
    const row = filled.get(column) ?? long.length
    rows.set(piece, row)
    filled.set(column, row + 1)
  }
  const count = Math.max(long.length, ...filled.values())
  const yOf = (piece: Piece) => margin + ((rows.get(piece) ?? 0) + 0.5) * flowHeight
  const stops = placeStops(pieces, columnOf, yOf)
  const lowest = Math.max(margin + count * flowHeight, ...stops.map(({ y }) => y + margin))
  const stopOf = (token: Address) => stops.find((stop) => stop.token === token) as RouteNode
  return {
    columns: Math.max(...stops.map(({ column }) => column)) + 1,
    height: lowest,
    stops,
    flows: pieces.map((piece, index) => ({
      name: piece.name,
      share: piece.share,
      part: bands[index]?.share ?? 0,
      from: stopOf(piece.token),
      to: stopOf(piece.buy),
      y: yOf(piece),
    })),
  }
}

type Piece = { name: string; share: number | undefined; token: Address; buy: Address }

/** Longest path to a token. The service lists tokens in selling order. */
function toColumns(pieces: Piece[]): (token: Address) => number {
  const columns = new Map<Address, number>()
  const columnOf = (token: Address) => columns.get(token) ?? 0
  for (const { token, buy } of pieces) columns.set(buy, Math.max(columnOf(buy), columnOf(token) + 1))
  return columnOf
}

/** Centres stops on their flows, below flows that pass their column, without overlap. */
function placeStops(
  pieces: Piece[],
  columnOf: (token: Address) => number,
  yOf: (piece: Piece) => number,
): RouteNode[] {
  const tokens = [...new Set(pieces.flatMap(({ token, buy }) => [token, buy]))]
  const stops = tokens.map((token) => {
    const ys = pieces.filter((piece) => piece.token === token || piece.buy === token).map(yOf)
    const column = columnOf(token)
    const passing = pieces.filter((piece) => columnOf(piece.token) < column && columnOf(piece.buy) > column)
    const top = Math.max(0, ...passing.map((piece) => yOf(piece) + flowHeight))
    return { token, column, y: Math.max(top, (Math.min(...ys) + Math.max(...ys)) / 2) }
  })
  const bottoms = new Map<number, number>()
  for (const stop of stops.sort((one, other) => one.y - other.y)) {
    stop.y = Math.max(stop.y, (bottoms.get(stop.column) ?? -10) + stopHeight)
    bottoms.set(stop.column, stop.y)
  }
  return stops
}
