import { encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import { once } from '../lib/once.ts'
import { multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

/** GasPriceOracle of the OP stack (github.com/ethereum-optimism/optimism). */
const oracle: Address = '0x420000000000000000000000000000000000000f'

const abi = once(() =>
  parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize)', 'function getL1Fee(bytes unsignedTx)']),
)

/** Returns the L1 data fee in wei, plus a quarter: the L1 base fee may rise by 1/8 per block. */
export async function readL1Fee(rpc: Rpc, bytes: number): Promise<bigint> {
  const ask = async (data: Hex) => readNumber((await multicall(rpc, [{ to: oracle, data }]))[0])
  const size = encodeFunctionData({ abi: abi(), functionName: 'getL1FeeUpperBound', args: [BigInt(bytes)] })
  // Before Fjord; nonzero bytes cost the most.
  const full = () =>
    encodeFunctionData({ abi: abi(), functionName: 'getL1Fee', args: [`0x${'ff'.repeat(bytes)}`] })
  const fee = (await ask(size)) ?? (await ask(full()))
  if (fee !== undefined) return (fee * 5n + 3n) / 4n
  throw new WalletError('node-refused', 'This network has no oracle of L1 fees.', {
    method: 'eth_call',
    to: oracle,
  })
}
