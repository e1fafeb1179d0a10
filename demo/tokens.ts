/** Token that a request can name. */
export type DemoToken = { symbol: string; address: string }

const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text)

/** EIP-7528. */
export const ether: DemoToken = { symbol: 'ETH', address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee' }

/** Returns the tokens of the page's server; only `npm start` serves a list. */
export async function readTokens(): Promise<DemoToken[]> {
  const reply = await fetch('./tokens.json').catch(() => undefined)
  if (!reply?.ok || !reply.headers.get('content-type')?.includes('json')) return [ether]
  const tokens = (await reply.json()) as Record<string, string>
  return [ether, ...Object.entries(tokens).map(([symbol, address]) => ({ symbol, address }))]
}

/** Returns tokens whose symbol starts with the text, or the address that it is. */
export function findTokens(tokens: DemoToken[], text: string): DemoToken[] {
  const wanted = text.trim().toLowerCase()
  const found = tokens.filter(
    ({ symbol, address }) => symbol.toLowerCase().startsWith(wanted) || address.toLowerCase() === wanted,
  )
  return found.length === 0 && isAddress(wanted) ? [{ symbol: shorten(wanted), address: wanted }] : found
}

export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
