import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { BlockRef, Chain } from './chain.ts'

const abi = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])

/** Bytes of two transactions above the minimum size that is charged. */
const sizes = [1_000n, 2_000n] as const

/**
 * Reads what one more incompressible byte of calldata costs on L1 in wei, at a block: the slope of the upper
 * bound, which is linear (github.com/ethereum-optimism/specs, fjord/predeploys.md, getL1FeeUpperBound).
 * Undefined on a chain without an oracle, 0 where the oracle is of before Fjord. Throws when the read fails.
 */
export async function readL1ByteFee(
  { l1FeeOracle }: Pick<ChainConfig, 'l1FeeOracle'>,
  chain: Pick<Chain, 'read'>,
  block: BlockRef,
): Promise<bigint | undefined> {
  if (l1FeeOracle === undefined) return undefined
  const calls = sizes.map((size) => ({
    to: l1FeeOracle,
    data: encodeFunctionData({ abi, args: [size] }),
    mayFail: true,
  }))
  const [[small, large] = []] = await chain.read([calls], block)
  const slope = (toFee(large) - toFee(small)) / (sizes[1] - sizes[0])
  return slope > 0n ? slope : 0n
}

function toFee(answer: Hex | undefined): bigint {
  return answer?.length === 66 ? decodeFunctionResult({ abi, data: answer }) : 0n
}
