import type { Hex } from '../token/token.ts'
import { findPublicChain } from './chains.ts'
import type { Network } from './network.ts'

/** Returns the page at the user's or the default explorer. Accepts a URL ending in /tx or /address. */
export function explorerLink(
  network: Pick<Network, 'chainId' | 'explorerUrl'>,
  what: 'tx' | 'address',
  id: Hex,
): string | undefined {
  const url = getExplorer(network)
  if (url === undefined) return undefined
  const base = url.replace(/\/+$/, '').replace(/\/(tx|address)$/, '')
  return `${base}/${what}/${id}`
}

export function getExplorer({
  chainId,
  explorerUrl,
}: Pick<Network, 'chainId' | 'explorerUrl'>): string | undefined {
  const host = findPublicChain(chainId)?.explorer
  return explorerUrl ?? (host && `https://${host}`)
}
