import type { Route } from '../../../domain/swap/quote.ts'
import type { Address } from '../../../domain/token/token.ts'
import { formatSource } from '../../format/address.ts'
import { formatPercent } from '../../format/numbers.ts'
import { flowHeight, layoutRoute, type RouteEdge, type RouteNode } from './routeLayout.ts'

type Props = { route: Route; symbolOf(address: Address): string }

const width = 320
const inset = 10
/** Baseline of names, above all flows. */
const headline = 14
/** Half a wide letter. */
const letter = 5.6

/** Draws the route, hidden from screen readers, as the list below says the same. */
export function RouteDiagram({ route, symbolOf }: Props) {
  if (route.length === 0) return null
  const { columns, height, stops, flows } = layoutRoute(route)
  const gap = (width - 2 * inset) / Math.max(1, columns - 1)
  const isMirrored = document.dir === 'rtl'
  const xOf = ({ column }: RouteNode) => {
    const x = inset + column * gap
    return isMirrored ? width - x : x
  }
  const room = Math.max(4, Math.floor((gap * 0.84) / letter))
  return (
    <svg class="route-picture" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {flows.map((flow, index) => (
        <path key={index} d={toPath(xOf(flow.from), xOf(flow.to), flow)} stroke-width={toThickness(flow)} />
      ))}
      {flows.map((flow, index) => {
        const spans = flow.to.column - flow.from.column
        return (
          <text key={index} x={(xOf(flow.from) + xOf(flow.to)) / 2} y={flow.y + 3.5} class="flow-name">
            <title>{toLabel(flow)}</title>
            {cut(toLabel(flow), room * spans)}
          </text>
        )
      })}
      {stops.map((stop) => {
        const isFirst = stop.column === 0
        // Above all flows if alone in its column.
        const isAlone = stops.every(({ token, column }) => token === stop.token || column !== stop.column)
        const isEnd = isFirst || stop.column === columns - 1
        return (
          <g key={stop.token}>
            <circle class="stop" cx={xOf(stop)} cy={stop.y} r="5" />
            <text
              class="stop-name"
              x={isEnd ? (isFirst !== isMirrored ? 2 : width - 2) : xOf(stop)}
              y={isAlone ? headline : stop.y - 11}
              text-anchor={isEnd ? (isFirst !== isMirrored ? 'start' : 'end') : 'middle'}
            >
              {cut(symbolOf(stop.token), isEnd ? 10 : 8)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** Horizontal at its label. */
function toPath(from: number, to: number, flow: RouteEdge): string {
  const bend = ((to - from) / (flow.to.column - flow.from.column)) * 0.16
  const [start, end] = [from + bend, to - bend]
  const leave = `C${from + bend / 2} ${flow.from.y} ${from + bend / 2} ${flow.y} ${start} ${flow.y}`
  const arrive = `C${to - bend / 2} ${flow.y} ${to - bend / 2} ${flow.to.y} ${to} ${flow.to.y}`
  return `M${from} ${flow.from.y}${leave}H${end}${arrive}`
}

/** By the part of the sold amount, so that flows before and after a token compare. */
function toThickness({ part }: RouteEdge): number {
  return 1.5 + part * (flowHeight - 20)
}

function toLabel({ name: id, share }: RouteEdge): string {
  const name = formatSource(id)
  return share === undefined || share === 100 ? name : `${toPercent(share)} ${name}`
}

/** In whole percents, for want of space; the list below has two more digits. */
function toPercent(share: number): string {
  return share < 1 ? `<${formatPercent(100)}` : formatPercent(Math.min(99, Math.round(share)) * 100)
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
