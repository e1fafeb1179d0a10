import { larger } from '../../domain/bounds.ts'
import { zeroAddress } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import { plainGas } from './fees.ts'

/** Of an approval and a long route together. */
const usualGas = 400_000n

/** What the calldata of most swaps comes to, signature and all. */
export const typicalTxBytes = 1_400

/** A swap takes at least as much gas as so many plain transfers. */
const transfersPerSwap = 12n

type ReserveChain = Pick<Chain, 'fees' | 'l1Fee' | 'estimateGas'>

/**
 * Returns the part of the native token, in wei, that has to stay so that a swap of so much gas can still be paid for:
 * a fifth more gas than it takes, at the highest fee, and the L1 fee of a rollup. On a chain that counts gas in another
 * way the node's estimate of a plain transfer decides where it is more.
 */
export async function gasReserve(chain: ReserveChain, gas = usualGas): Promise<bigint> {
  const [{ maxFeePerGas }, l1Fee, transfer] = await Promise.all([
    chain.fees(),
    chain.l1Fee(typicalTxBytes),
    // Without an estimate the usual count is as good as any.
    chain.estimateGas({ from: zeroAddress, to: zeroAddress, data: '0x', value: 0n }).catch(() => plainGas),
  ])
  const used = transfer < 2n * plainGas ? gas : larger(gas, transfersPerSwap * transfer)
  return ((used * 6n) / 5n) * maxFeePerGas + l1Fee
}
