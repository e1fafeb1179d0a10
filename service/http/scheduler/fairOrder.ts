import { type CountedAs, widening } from '../clients.ts'

/** Ratio of a network's share to the next narrower one's: a /48 gets twice that of an address or /64. */
export const shareFactor = Math.SQRT2

export type FairOrder<Item> = {
  add(client: CountedAs, item: Item): void
  remove(client: CountedAs, item: Item): void
  /** Removes and returns the next item of a client that `isFree`. */
  take(isFree?: (client: CountedAs) => boolean): Item | undefined
  size(): number
}

type Line<Item> = { client: CountedAs; items: Set<Item> }

/** Names of earlier clients that are kept. */
const maxNames = 4_096

/**
 * Orders items by start-time fair queueing (Goyal, Vin, Cheng 1996): clients take turns, however many items
 * each has, and a client's own items keep their order. A name's virtual finish time grows by the inverse of
 * its share; the client with the earliest start is next.
 */
export function createFairOrder<Item>(): FairOrder<Item> {
  const lines = new Map<string, Line<Item>>()
  const finishes = new Map<string, number>()
  let virtualTime = 0
  let size = 0

  function startOf(client: CountedAs): number {
    let start = virtualTime
    for (const name of client) start = Math.max(start, finishes.get(name) ?? 0)
    return start
  }

  function remove(client: CountedAs, item: Item): void {
    const [name = ''] = client
    const line = lines.get(name)
    if (line === undefined || !line.items.delete(item)) return
    size--
    if (line.items.size === 0) lines.delete(name)
  }

  function charge(client: CountedAs, start: number): void {
    virtualTime = start
    for (const [i, name] of client.entries()) finishes.set(name, start + 1 / widening(1, shareFactor, i))
    if (finishes.size <= maxNames) return
    for (const [name, finish] of finishes) if (finish <= virtualTime) finishes.delete(name)
  }

  return {
    add(client, item) {
      const [name = ''] = client
      const line = lines.get(name) ?? { client, items: new Set() }
      line.items.add(item)
      lines.set(name, line)
      size++
    },
    remove,
    take(isFree = () => true) {
      let next: Line<Item> | undefined
      let earliest = Number.POSITIVE_INFINITY
      for (const line of lines.values()) {
        const start = startOf(line.client)
        if (start >= earliest || !isFree(line.client)) continue
        next = line
        earliest = start
      }
      const [item] = next?.items ?? []
      if (next === undefined || item === undefined) return undefined
      remove(next.client, item)
      charge(next.client, earliest)
      return item
    },
    size: () => size,
  }
}
