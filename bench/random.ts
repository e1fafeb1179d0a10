/** Seeded random numbers (mulberry32, public domain, Tommy Ettinger). */
export type Random = {
  between(low: number, high: number): number
  chance(part: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    between: (low, high) => low + (high - low) * next(),
    chance: (part) => next() < part,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  }
}
