import type { Address } from '../config.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { gasCosts } from './gasCosts.ts'
import { createStretches } from './liquidityRanges.ts'
import type { Pool } from './pool.ts'

export const wrappedSource = { id: 'WETH', title: 'Wrapped coin' }

/** The wrapped coin's contract as a pool: coin and token, one for one, in any amount. */
export function wrapped(address: Address): Pool {
  // Reserves far above any supply: a constant product without a slope.
  const curve = createStretches(1, [{ reserveIn: 1e60, reserveOut: 1e60, room: Number.POSITIVE_INFINITY }])
  return {
    address,
    source: wrappedSource.id,
    tokens: [nativeTokenAddress, address],
    quote: (_sell, _buy, amount) => amount,
    curve: () => curve,
    gas: (sell) => (sell === nativeTokenAddress ? gasCosts.wrap : gasCosts.unwrap),
    encode: (sell) => ({ kind: sell === nativeTokenAddress ? 0 : 1, fee: 0 }),
  }
}
