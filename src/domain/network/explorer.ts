import type { Hex } from '../token/token.ts'
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
  const host = hosts[chainId]
  return explorerUrl ?? (host && `https://${host}`)
}

/** Opened by the user only. */
const hosts: Readonly<Record<number, string>> = {
  1: 'etherscan.io',
  10: 'optimistic.etherscan.io',
  56: 'bscscan.com',
  100: 'gnosisscan.io',
  130: 'uniscan.xyz',
  137: 'polygonscan.com',
  8453: 'basescan.org',
  42161: 'arbiscan.io',
  43114: 'snowtrace.io',
  59144: 'lineascan.build',
}
