import type { RoutingEdge } from '../candidates.ts'

/** Groups items that share an intermediate token; each group can fail alone. */
export function independentGroups<Item extends { arc: RoutingEdge }>(
  items: readonly Item[],
  last: number,
): Item[][] {
  let groups: { items: Item[]; tokens: number[] }[] = []
  for (const item of items) {
    const tokens = [item.arc.from, item.arc.to].filter((token) => token > 0 && token < last)
    const met = groups.filter((group) => group.tokens.some((token) => tokens.includes(token)))
    const joined = {
      items: [...met.flatMap((group) => group.items), item],
      tokens: [...met.flatMap((group) => group.tokens), ...tokens],
    }
    groups = [...groups.filter((group) => !met.includes(group)), joined]
  }
  return groups.map((group) => group.items)
}
