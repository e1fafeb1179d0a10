import { larger } from '../../domain/bounds.ts'
import { zeroAddress } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import { plainGas } from './fees.ts'

/** Approval and long route together. */
const usualGas = 700_000n

/** Typical size of a signed swap. */
export const typicalTxBytes = 1_400

/** Minimum gas of a swap. */
const transfersPerSwap = 12n

type ReserveChain = Pick<Chain, 'fees' | 'l1Fee' | 'estimateGas'>

/**
 * Returns the wei to keep for a swap: twice `gas` at the maximum fee, plus the L1 fee. On chains that
 * count gas differently, the estimate of a plain transfer decides if higher.
 */
export async function gasReserve(chain: ReserveChain, gas = usualGas): Promise<bigint> {
  const [{ maxFeePerGas }, l1Fee, transfer] = await Promise.all([
    chain.fees(),
    chain.l1Fee(typicalTxBytes),
    chain.estimateGas({ from: zeroAddress, to: zeroAddress, data: '0x', value: 0n }).catch(() => plainGas),
  ])
  const used = transfer < 2n * plainGas ? gas : larger(gas, transfersPerSwap * transfer)
  // Limits are half above the use, which for a Solidly pool may include 75,000 more than was quoted.
  return 2n * used * maxFeePerGas + l1Fee
}
