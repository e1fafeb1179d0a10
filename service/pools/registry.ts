import type { Factory } from '../config.ts'
import { concentrated } from './concentrated.ts'
import { constantProduct } from './constantProduct.ts'
import type { Pool } from './pool.ts'
import type { PoolSnapshot, PoolType } from './poolType.ts'
import { stable } from './stable.ts'
import { weighted } from './weighted.ts'

/** Every kind of pool the service knows. A kind's facts and state concern nobody but the kind. */
// biome-ignore lint/suspicious/noExplicitAny: what is `unknown` outside is the kind's own type inside
export const kinds: Record<Factory['kind'], PoolType<any, any>> = {
  'constant-product': constantProduct,
  concentrated,
  weighted,
  stable,
}

/** The pool to trade with, as it stands. */
export function toPool({ listing, state }: PoolSnapshot): Pool {
  return kinds[listing.kind].pool(listing, state)
}
