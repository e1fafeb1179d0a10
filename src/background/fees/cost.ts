import type { Chain } from '../../chain/client.ts'
import type { Review, Speed } from '../../domain/swap/swap.ts'
import type { Hex } from '../../domain/token/token.ts'
import { feeCap } from './fees.ts'

/** What a transaction is besides its calldata, in bytes: numbers, addresses, signature. */
const envelopeBytes = 150

export type Cost = Pick<Review, 'gas' | 'networkFee' | 'speeds' | 'l1Fee' | 'feeCap'>

/** The most that `calls` cost with `gas` for all of them, at each speed and at the one that was asked for. */
export async function costOf(
  chain: Chain,
  calls: { data: Hex }[],
  gas: bigint,
  speed: Speed = 'normal',
): Promise<Cost> {
  const [feesOf, l1Fee] = await Promise.all([chain.market(), l1FeeOf(chain, calls)])
  const at = (speed: Speed) => {
    const fees = feesOf(speed)
    return { ...fees, networkFee: gas * fees.maxFeePerGas + l1Fee }
  }
  const { networkFee } = at(speed)
  const speeds = { slow: at('slow'), normal: at('normal'), fast: at('fast') }
  return { gas, networkFee, speeds, l1Fee, feeCap: feeCap(networkFee) }
}

/** What a rollup takes at most, in wei, for writing `calls` to L1. */
export async function l1FeeOf(chain: Chain, calls: { data: Hex }[]): Promise<bigint> {
  const fees = await Promise.all(calls.map(({ data }) => chain.l1Fee(envelopeBytes + (data.length - 2) / 2)))
  return fees.reduce((sum, fee) => sum + fee, 0n)
}
