/** A source's logo as a `data:` URI: its initials and its version in a disc, so that no picture needs a host. */
export function logo(id: string, paint: 'gray' | 'color'): string {
  const letters = id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => /^[Vv](\d+)$/.exec(word)?.[1] ?? word.charAt(0))
    .join('')
    .slice(0, 3)
  const fill = paint === 'gray' ? '#777' : `hsl(${hue(id)} 60% 40%)`
  const text = `<text x="16" y="21" font-family="sans-serif" font-size="13" text-anchor="middle" fill="#fff">${letters}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${fill}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function hue(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0)
}
