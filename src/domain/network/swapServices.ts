import { findPublicChain } from './chains.ts'

/** Public aggregation service. Contacted only once the user chose it. */
export type SwapServicePreset = { name: string; url: string; keyUrl: string }

/** Serves version 6.1 with a key only, on the chains of its router (swap/routers.ts). */
const oneInch: SwapServicePreset = {
  name: '1inch',
  url: 'https://api.1inch.dev/swap',
  keyUrl: 'https://portal.1inch.dev',
}

/** Returns the public service of a built-in network. */
export function findSwapService(chainId: number): SwapServicePreset | undefined {
  return findPublicChain(chainId) && oneInch
}
