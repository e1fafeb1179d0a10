import type { Address } from './token.ts'

/** Contracts that everybody swaps through. A swap or an approval for one of them is no surprise. */
export const publicRouters: readonly Address[] = [
  // The aggregation router V6.
  '0x111111125421ca6dc452d289314280a0f8842a65',
  // Uniswap: V2 router, V3 router and its successor on Ethereum; V2 router and V3 successor on Base.
  '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
  '0xe592427a0aece92de3edee1f18e0157c05861564',
  '0x68b3465833fb72a70ecdf485e0e4c7db865dfc45',
  '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
  '0x2626664c2603336e57b271c5c0b26f421741e481',
]
