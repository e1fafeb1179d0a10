import { type Address, parseAddress } from '../../domain/token/token.ts'

/** Parameter of a token's page: an address, of another network than the one in use with its chain id. */
export function formatTokenRoute(token: Address, chainId: number, current: number): string {
  return chainId === current ? token : `${chainId}-${token}`
}

/** Reverses `formatTokenRoute`; an unreadable address is undefined. */
export function parseTokenRoute(of = '', current: number): { chainId: number; token: Address | undefined } {
  const [, id, token = of] = /^(\d{1,15})-(.*)$/.exec(of) ?? []
  return { chainId: id === undefined ? current : Number(id), token: parseAddress(token) }
}
