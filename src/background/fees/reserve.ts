import type { Chain } from '../../chain/client.ts'

/** Of an approval and a long route together. */
const usualGas = 400_000n

/** What the calldata of most swaps comes to, signature and all. */
export const usualBytes = 1_400

/**
 * What has to stay of the coin, in wei, so that a swap of so much gas can still be paid for: a fifth more gas than it takes, at what gas
 * costs at most, and the L1 fee of a rollup.
 */
export async function reserveOf(chain: Pick<Chain, 'fees' | 'l1Fee'>, gas = usualGas): Promise<bigint> {
  const [{ maxFeePerGas }, l1Fee] = await Promise.all([chain.fees(), chain.l1Fee(usualBytes)])
  return ((gas * 6n) / 5n) * maxFeePerGas + l1Fee
}
