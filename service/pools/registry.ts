import type { Factory } from '../config.ts'
import { concentrated } from './concentrated.ts'
import { constantProduct } from './constantProduct.ts'
import type { Pool } from './pool.ts'
import type { PoolSnapshot, PoolType } from './poolType.ts'
import { solidly } from './solidly.ts'
import { stable } from './stable.ts'
import { weighted } from './weighted.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is `unknown` outside is the kind's own type inside
export const poolTypes: Record<Factory['kind'], PoolType<any, any>> = {
  'constant-product': constantProduct,
  concentrated,
  weighted,
  stable,
  solidly,
}

export function toPool({ listing, state }: PoolSnapshot): Pool {
  return poolTypes[listing.kind].pool(listing, state)
}
