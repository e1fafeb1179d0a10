import * as v from 'valibot'
import { toWalletError } from '../errors.ts'
import { hasMulticall } from './multicall.ts'
import type { Rpc } from './rpc.ts'
import * as answers from './schemas.ts'

/** Throws if the RPC does not answer. */
export async function readMissingFeatures(rpc: Rpc): Promise<string[]> {
  const offers = (method: string, params: unknown[], shape: v.GenericSchema) =>
    rpc.ask(method, params, shape).then(
      () => true,
      (error: unknown) => {
        if (toWalletError(error).code !== 'node-refused') throw error
        return false
      },
    )
  const [block, history, tip, simulation, multicall] = await Promise.all([
    rpc.ask('eth_getBlockByNumber', ['latest', false], answers.feeBlock),
    offers('eth_feeHistory', ['0x1', 'latest', [50]], answers.feeHistory),
    offers('eth_maxPriorityFeePerGas', [], answers.quantity),
    offers('eth_simulateV1', [{ blockStateCalls: [{ calls: [] }] }, 'latest'], v.array(v.unknown())),
    hasMulticall(rpc),
  ])
  const isLegacy = block.baseFeePerGas == null
  const offered = {
    'EIP-1559': !isLegacy,
    eth_feeHistory: isLegacy || history,
    eth_maxPriorityFeePerGas: isLegacy || tip,
    eth_simulateV1: simulation,
    Multicall3: multicall,
  }
  return Object.entries(offered).flatMap(([name, isOffered]) => (isOffered ? [] : [name]))
}
