import type { Route } from '../../domain/swap/quote.ts'
import type { Address } from '../../domain/token/token.ts'

/** Where the tokens of a route stand, in columns from what is sold to what is bought, and how its sources run between them. */
export type RouteLayout = { columns: number; height: number; stops: RouteNode[]; flows: RouteEdge[] }

/** `column` counts from 0; `y` is the middle, in pixels. */
export type RouteNode = { token: Address; column: number; y: number }

/** One source between two stops. It runs level at `y`, where nothing else does between the same columns. */
export type RouteEdge = { name: string; share: number | undefined; from: RouteNode; to: RouteNode; y: number }

export const flowHeight = 26
/** Room for the name above a stop. */
const stopHeight = 34
const margin = 18

/** A picture of `route`: flows that pass a column by lie above all others, so that no name is crossed by them. */
export function layoutRoute(route: Route): RouteLayout {
  const pieces = route.flatMap(({ token, hops }) =>
    hops.flatMap(({ buy, sources }) => sources.map((source) => ({ ...source, token, buy }))),
  )
  const columnOf = columnsOf(pieces)
  const lengthOf = ({ token, buy }: Piece) => columnOf(buy) - columnOf(token)
  const long = pieces.filter((piece) => lengthOf(piece) > 1)
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
    flows: pieces.map((piece) => ({
      name: piece.name,
      share: piece.share,
      from: stopOf(piece.token),
      to: stopOf(piece.buy),
      y: yOf(piece),
    })),
  }
}

type Piece = { name: string; share: number | undefined; token: Address; buy: Address }

/** The column of a token: the most hops that lead to it. The service names tokens in the order in which they are sold. */
function columnsOf(pieces: Piece[]): (token: Address) => number {
  const columns = new Map<Address, number>()
  const columnOf = (token: Address) => columns.get(token) ?? 0
  for (const { token, buy } of pieces) columns.set(buy, Math.max(columnOf(buy), columnOf(token) + 1))
  return columnOf
}

/** Each stop at the middle of what flows through it, and below the one before it in its column. */
function placeStops(
  pieces: Piece[],
  columnOf: (token: Address) => number,
  yOf: (piece: Piece) => number,
): RouteNode[] {
  const tokens = [...new Set(pieces.flatMap(({ token, buy }) => [token, buy]))]
  const stops = tokens.map((token) => {
    const ys = pieces.filter((piece) => piece.token === token || piece.buy === token).map(yOf)
    return { token, column: columnOf(token), y: (Math.min(...ys) + Math.max(...ys)) / 2 }
  })
  const bottoms = new Map<number, number>()
  for (const stop of stops.sort((one, other) => one.y - other.y)) {
    stop.y = Math.max(stop.y, (bottoms.get(stop.column) ?? -10) + stopHeight)
    bottoms.set(stop.column, stop.y)
  }
  return stops
}
