import type { Version } from './operation.ts'
import * as prices from './priceOperations.ts'
import * as v3 from './v3Operations.ts'
import { v6Mounts } from './v6Mounts.ts'

/** All versions by their mounts, in the order of the documentation. */
export const versions: readonly Version[] = [
  ...v6Mounts.map(({ version }) => version),
  v3.version,
  prices.version,
]
