/**
 * Whether a URL looks as if whoever has it may use somebody's account: a long random piece in its path or host, as node providers hand
 * out, where a word, however long, is none; a name or password; anything long behind ? or #.
 */
export function holdsKey(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname, searchParams, hash, username, password } = new URL(url)
  if (username !== '' || password !== '') return true
  const values = [...searchParams].map(([name, value]) => value || name)
  // A hash may be a query of its own.
  const pieces = hash.slice(1).split(/[=&]/)
  if ([...values, ...pieces].some(({ length }) => length >= 8)) return true
  return [...hostname.split('.'), ...pathname.split('/')].some(isRandom)
}

function isRandom(piece: string): boolean {
  return piece.length >= 16 && /\d/.test(piece) && /[a-z]/i.test(piece)
}
