/** `send` before a node of chain `chainId`: what it serves is known already, and is no question that a test counts or answers. */
export function serving(chainId: number, send: typeof fetch = fetch): typeof fetch {
  return async (url, init) =>
    String(init?.body).includes('eth_chainId')
      ? Response.json({ jsonrpc: '2.0', id: 1, result: `0x${chainId.toString(16)}` })
      : send(url, init)
}
