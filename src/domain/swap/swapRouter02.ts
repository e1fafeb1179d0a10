import type { DirectContracts } from '../network/swapSource.ts'
import type { Address, Hex } from '../token/token.ts'

/**
 * keccak256 of SwapRouter02's runtime code with blank immutables (Uniswap swap-router-contracts 1.3.1, whose
 * build has no metadata hash).
 */
export const swapRouter02CodeHash: Hex = '0x3ea32dd6a1c14cb0d095e4da87295d5dd90ef1751a59ddee11dd0849b2a9c340'

/** Positions of the 20 bytes of each immutable. */
const immutables = {
  factoryV2: [3182, 3394, 4078, 5719, 12238, 12689],
  factory: [7768, 9451, 15591],
  positionManager: [5755, 6950, 7848, 12978],
  wrapped: [717, 2888, 4793, 5091, 5258, 5819, 6117, 11675, 11771, 11900],
}

const codeBytes = 24_497
const blank = 'f'.repeat(40)

/**
 * Blanks the immutables of SwapRouter02 code for `swapRouter02CodeHash`: factory and wrapped token only if
 * they are the chain's; the others decide where v2 pairs and positions are, not what a swap may do.
 */
export function blankImmutables(code: Hex, { v3Factory, wrapped }: DirectContracts): Hex {
  if (code.length !== 2 + 2 * codeBytes) return code
  const { factoryV2, positionManager } = immutables
  const any = [...factoryV2, ...positionManager]
  const own = [
    ...immutables.factory.map((at) => [at, v3Factory] as const),
    ...immutables.wrapped.map((at) => [at, wrapped] as const),
  ]
  const found = (at: number): Address => `0x${code.slice(2 + 2 * at, 42 + 2 * at)}`
  const positions = [...any, ...own.flatMap(([at, expected]) => (found(at) === expected ? [at] : []))]
  let text: string = code
  for (const at of positions) text = text.slice(0, 2 + 2 * at) + blank + text.slice(42 + 2 * at)
  return text as Hex
}
