/**
 * True if a URL may give access to an account: user name, password, a long random segment (RPC providers), or
 * anything long after ? or #.
 */
export function holdsKey(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname, searchParams, hash, username, password } = new URL(url)
  if (username !== '' || password !== '') return true
  const values = [...searchParams].map(([name, value]) => value || name)
  // A hash may contain a query.
  const pieces = hash.slice(1).split(/[=&]/)
  if ([...values, ...pieces].some(({ length }) => length >= 8)) return true
  return [...hostname.split('.'), ...pathname.split('/')].some(isRandom)
}

function isRandom(piece: string): boolean {
  return piece.length >= 16 && /\d/.test(piece) && /[a-z]/i.test(piece)
}
