/** Returns a source's logo as a `data:` URI, so that no image host is needed. */
export function logo(id: string, paint: 'gray' | 'color'): string {
  const letters = id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => /^[Vv](\d+)$/.exec(word)?.[1] ?? word.charAt(0))
    .join('')
    .slice(0, 3)
  return `data:image/svg+xml,${encodeURIComponent(drawDisc(letters, paint === 'gray' ? '#777' : colorOf(id, apart)))}`
}

/** Returns a token's logo as SVG. */
export function drawTokenLogo(address: string, symbol: string | undefined): string {
  const visible = [...(symbol ?? '')].filter((character) => /[\p{L}\p{N}]/u.test(character)).slice(0, 4)
  return drawDisc(visible.length > 0 ? visible.join('') : address.slice(2, 6), colorOf(address))
}

function drawDisc(letters: string, fill: string): string {
  const size = letters.length > 3 ? 10 : 13
  const text = `<text x="16" y="${size === 13 ? 21 : 20}" font-family="sans-serif" font-size="${size}" text-anchor="middle" fill="#fff">${letters}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${fill}"/>${text}</svg>`
}

/** Degrees between the hues of ids that differ by one in their last letter: versions of an exchange. */
const apart = 137

function colorOf(text: string, factor = 1): string {
  const sum = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0)
  return `hsl(${(sum * factor) % 360} 60% 40%)`
}
