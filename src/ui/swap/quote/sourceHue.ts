const hues: Record<string, number> = {
  uniswap: 328,
  sushi: 268,
  curve: 218,
  balancer: 188,
  pancakeswap: 42,
  aerodrome: 12,
  velodrome: 2,
  quickswap: 238,
  camelot: 28,
  maverick: 288,
  dodo: 58,
}

/** Returns the hue of a source's bands; versions of one exchange are neighbours. */
export function sourceHue(id: string): number {
  const [family = '', ...rest] = id.toLowerCase().split(/[_\s]+/)
  const version = Number(/v(\d)/.exec(rest.join(' '))?.[1] ?? 3)
  return ((hues[family] ?? hash(family)) + (3 - version) * 22 + 360) % 360
}

function hash(text: string): number {
  let sum = 7
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360
  return sum
}
