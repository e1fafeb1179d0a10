import type { Factory } from '../config.ts'
import { algebra } from './algebra.ts'
import { concentrated } from './concentrated.ts'
import { constantProduct } from './constantProduct.ts'
import { converter } from './converter.ts'
import type { Pool } from './pool.ts'
import type { PoolSnapshot, PoolType } from './poolType.ts'
import { slipstream } from './slipstream.ts'
import { solidly } from './solidly.ts'
import { stable } from './stable.ts'
import { curve, curveFactory, curveNg, pancakeStable } from './stableSwap/stableSwapTypes.ts'
import { stableV3 } from './stableV3.ts'
import { uniswapV4 } from './uniswapV4.ts'
import { weighted } from './weighted.ts'
import { weightedV3 } from './weightedV3.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is `unknown` outside is the kind's own type inside
export const poolTypes: Record<Factory['kind'], PoolType<any, any>> = {
  'constant-product': constantProduct,
  concentrated,
  weighted,
  stable,
  solidly,
  'weighted-v3': weightedV3,
  'stable-v3': stableV3,
  curve,
  'curve-factory': curveFactory,
  'curve-ng': curveNg,
  'pancake-stable': pancakeStable,
  'uniswap-v4': uniswapV4,
  algebra,
  slipstream,
  converter,
}

export function toPool({ listing, state }: PoolSnapshot): Pool {
  return poolTypes[listing.kind].pool(listing, state)
}
