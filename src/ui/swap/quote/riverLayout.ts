import type { FlowBand } from '../../../domain/swap/routeFlow.ts'
import type { Address } from '../../../domain/token/token.ts'

export const riverWidth = 240
export const riverHeight = 34
/** Of the whole amount. */
const fullHeight = 20
const minHeight = 0.8
const maxGap = 5

/** One source: the SVG paths of its outline and its middle. */
export type Ribbon = {
  name: string
  share: number
  key: string
  height: number
  outline: string
  middle: string
}
/** Token between two ribbons. */
export type RiverStop = { token: Address; x: number; y: number; height: number }
export type RiverLayout = { ribbons: Ribbon[]; stops: RiverStop[] }

type Point = [x: number, y: number]

/** Lays out bands from left to right, in columns of tokens. Bands that skip columns run above all others. */
export function layoutRiver(bands: FlowBand[]): RiverLayout {
  const columnOf = toColumns(bands)
  const columns = Math.max(1, ...bands.map(({ to }) => columnOf(to)))
  const xOf = (column: number) => (column / columns) * riverWidth
  const spanOf = ({ from, to }: FlowBand) => columnOf(to) - columnOf(from)
  const ordered = [...bands].sort((one, other) => spanOf(other) - spanOf(one))
  const lanes = Array.from({ length: columns }, (_, gap) => placeLanes(ordered, gap, columnOf))
  const laneOf = (band: FlowBand, gap: number) => lanes[gap]?.get(band) ?? riverHeight / 2

  const centreOf = (token: Address) => {
    const near = ordered.filter(({ from, to }) => from === token || to === token)
    const isEnd = columnOf(token) === 0 || columnOf(token) === columns
    if (isEnd || near.length === 0) return riverHeight / 2
    const ys = near.map((band) => laneOf(band, columnOf(token) - Number(band.to === token)))
    return ys.reduce((sum, y) => sum + y, 0) / ys.length
  }
  /** Bands meet a token side by side, in the order of their lanes. */
  const meet = (band: FlowBand, end: 'from' | 'to') => {
    const token = band[end]
    const gap = columnOf(token) - Number(end === 'to')
    const beside = ordered
      .filter((one) => one[end] === token)
      .sort((one, other) => laneOf(one, gap) - laneOf(other, gap))
    const height = beside.reduce((sum, one) => sum + heightOf(one), 0)
    const before = beside.slice(0, beside.indexOf(band)).reduce((sum, one) => sum + heightOf(one), 0)
    return centreOf(token) - height / 2 + before + heightOf(band) / 2
  }

  const ribbons = ordered.map((band): Ribbon => {
    const [start, end] = [columnOf(band.from), columnOf(band.to)]
    const points: Point[] = [[xOf(start), meet(band, 'from')]]
    for (let gap = start; gap < end; gap++) points.push([xOf(gap + 0.5), laneOf(band, gap)])
    points.push([xOf(end), meet(band, 'to')])
    const { name, share, from, to } = band
    const height = heightOf(band)
    return { name, share, key: `${name} ${from} ${to}`, height, ...toPaths(points, height) }
  })
  const between = new Set(bands.flatMap(({ from, to }) => [from, to]))
  const stops = [...between].flatMap((token): RiverStop[] => {
    const column = columnOf(token)
    if (column === 0 || column === columns) return []
    const height = ordered.filter(({ to }) => to === token).reduce((sum, band) => sum + heightOf(band), 0)
    return [{ token, x: xOf(column), y: centreOf(token), height: Math.max(4, height) }]
  })
  return { ribbons, stops }
}

function heightOf({ share }: FlowBand): number {
  return Math.max(minHeight, share * fullHeight)
}

/** Longest path to a token; bands are in selling order. */
function toColumns(bands: FlowBand[]): (token: Address) => number {
  const columns = new Map<Address, number>()
  const columnOf = (token: Address) => columns.get(token) ?? 0
  for (const { from, to } of bands) columns.set(to, Math.max(columnOf(to), columnOf(from) + 1))
  return columnOf
}

/** Returns the middle of each band that crosses a gap between columns. */
function placeLanes(
  bands: FlowBand[],
  gap: number,
  columnOf: (token: Address) => number,
): Map<FlowBand, number> {
  const crossing = bands.filter(({ from, to }) => columnOf(from) <= gap && columnOf(to) > gap)
  const height = crossing.reduce((sum, band) => sum + heightOf(band), 0)
  const spare = (riverHeight - height) / Math.max(1, crossing.length - 1)
  const between = Math.max(0, Math.min(maxGap, spare))
  let y = (riverHeight - height - between * (crossing.length - 1)) / 2
  const lanes = new Map<FlowBand, number>()
  for (const band of crossing) {
    lanes.set(band, y + heightOf(band) / 2)
    y += heightOf(band) + between
  }
  return lanes
}

function toPaths(points: Point[], height: number): { outline: string; middle: string } {
  const top = points.map(([x, y]): Point => [x, y - height / 2])
  const bottom = points.map(([x, y]): Point => [x, y + height / 2]).reverse()
  return { outline: `M${along(top)}L${along(bottom)}Z`, middle: `M${along(points)}` }
}

/** Horizontal at each point. */
function along(points: Point[]): string {
  const [[x, y] = [0, 0], ...rest] = points
  let path = `${round(x)} ${round(y)}`
  let [lastX, lastY] = [x, y]
  for (const [x, y] of rest) {
    const bend = (lastX + x) / 2
    path += `C${round(bend)} ${round(lastY)} ${round(bend)} ${round(y)} ${round(x)} ${round(y)}`
    ;[lastX, lastY] = [x, y]
  }
  return path
}

function round(length: number): number {
  return Math.round(length * 100) / 100
}
