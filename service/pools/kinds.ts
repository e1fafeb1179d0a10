import type { Factory } from '../config.ts'
import { concentrated } from './concentrated.ts'
import { constantProduct } from './constantProduct.ts'
import type { Kind } from './kind.ts'

/** Every kind of pool the service knows. A kind's state concerns nobody but the kind. */
export const kinds: Record<Factory['kind'], Kind<unknown>> = {
  'constant-product': constantProduct,
  concentrated,
}
