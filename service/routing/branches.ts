import type { RoutingEdge } from './candidates.ts'

/** In groups that share no token between the first and the last, so that each can fail without the others. */
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
