import { concat, encodePacked, type Hex, pad, size, slice } from 'viem'
import type { Address } from '../../service/config.ts'

/** A route as contracts/Route.sol describes it; the tokens at its ends are not in its words. */
export type RouteWords = {
  connectors: Address[]
  /** The last weight is 0. */
  branches: { weight: number; hops: HopWord[] }[]
  feePpm: number
  referrer: Address
  deadline: bigint
  permit: Hex
}
/** `detail`: a v2 fee in millionths, or a Balancer id's specialization and low bytes of its nonce. */
export type HopWord = {
  pool: Address
  detail: number
  kind: number
  from: number
  to: number
  weight: number
}

export function encodeRouteWords(route: RouteWords): Hex {
  const { connectors, branches, feePpm, referrer, deadline, permit } = route
  const counts = [connectors.length, branches.length - 1, size(permit) / 32] as const
  return concat([
    encodePacked(
      ['address', 'uint48', 'uint24', 'uint8', 'uint8', 'uint8'],
      [referrer, Number(deadline), feePpm, ...counts],
    ),
    ...connectors.map((token) => pad(token)),
    ...branches
      .slice(0, -1)
      .map(({ weight, hops }) => encodePacked(['uint232', 'uint24'], [BigInt(hops.length), weight])),
    permit,
    ...branches.flatMap(({ hops }) => hops.map(encodeHopWord)),
  ])
}

export function encodeHopWord({ pool, detail, kind, from, to, weight }: HopWord): Hex {
  return encodePacked(
    ['address', 'uint48', 'uint8', 'uint8', 'uint8', 'uint24'],
    [pool, detail, kind, from, to, weight],
  )
}

/** Throws when words are missing. */
export function decodeRouteWords(data: Hex): RouteWords {
  const words = Array.from({ length: size(data) / 32 }, (_, i) => slice(data, 32 * i, 32 * i + 32))
  const header = words.shift()!
  const [connectors, further, permit] = [29, 30, 31].map((at) => numberIn(header, at, at + 1))
  const route = {
    referrer: slice(header, 0, 20),
    deadline: BigInt(numberIn(header, 20, 26)),
    feePpm: numberIn(header, 26, 29),
    connectors: words.splice(0, connectors).map((word) => slice(word, 12)),
  }
  const branchWords = words.splice(0, further)
  const permitWords = words.splice(0, permit)
  const hops = words.map((word) => ({
    pool: slice(word, 0, 20),
    detail: numberIn(word, 20, 26),
    kind: numberIn(word, 26, 27),
    from: numberIn(word, 27, 28),
    to: numberIn(word, 28, 29),
    weight: numberIn(word, 29, 32),
  }))
  const branches = branchWords.map((word) => ({
    weight: numberIn(word, 29, 32),
    hops: hops.splice(0, numberIn(word, 0, 29)),
  }))
  return { ...route, branches: [...branches, { weight: 0, hops }], permit: concat(['0x', ...permitWords]) }
}

function numberIn(word: Hex, from: number, to: number): number {
  return Number(BigInt(slice(word, from, to)))
}
