import type { Address } from '../config.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { gasCosts } from './gasCosts.ts'
import { createLiquidityRanges } from './liquidityRanges.ts'
import type { Pool } from './pool.ts'

export const wrappedSource = { id: 'WETH', title: 'Wrapped native token' }

/** Creates the pool of the wrapped native token, one for one. */
export function wrapped(address: Address): Pool {
  // Reserves far above any supply keep the price constant.
  const curve = createLiquidityRanges(1, [
    { reserveIn: 1e60, reserveOut: 1e60, room: Number.POSITIVE_INFINITY },
  ])
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
