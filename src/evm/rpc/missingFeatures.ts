import * as v from 'valibot'
import { toWalletError } from '../../errors.ts'
import { transferTopic } from '../erc20.ts'
import { toQuantity } from './call.ts'
import { hasMulticall } from './multicall.ts'
import type { Rpc } from './rpc.ts'
import * as answers from './schemas.ts'

const blocksOfLogs = 5n

/** Recipient of no transfers, which keeps the answer short. */
const noRecipient = `0x${'f'.repeat(64)}`

/** Returns what the RPC or its chain lacks. Throws if the RPC does not answer. */
export async function readMissingFeatures(rpc: Rpc): Promise<string[]> {
  const offers = (method: string, params: unknown[], shape: v.GenericSchema) =>
    rpc.ask(method, params, shape).then(
      () => true,
      (error: unknown) => {
        if (toWalletError(error).code !== 'node-refused') throw error
        return false
      },
    )
  const latest = rpc.ask('eth_getBlockByNumber', ['latest', false], answers.feeBlock)
  const servesLogs = async () => {
    const { number } = await latest
    const fromBlock = toQuantity(number > blocksOfLogs ? number - blocksOfLogs : 0n)
    const filter = { fromBlock, toBlock: 'latest', topics: [transferTopic, null, noRecipient] }
    return offers('eth_getLogs', [filter], v.array(answers.log))
  }
  const [block, history, tip, simulation, multicall, logs] = await Promise.all([
    latest,
    offers('eth_feeHistory', ['0x1', 'latest', [50]], answers.feeHistory),
    offers('eth_maxPriorityFeePerGas', [], answers.quantity),
    offers('eth_simulateV1', [{ blockStateCalls: [{ calls: [] }] }, 'latest'], v.array(v.unknown())),
    hasMulticall(rpc),
    servesLogs(),
  ])
  const isLegacy = block.baseFeePerGas == null
  const offered = {
    'EIP-1559': !isLegacy,
    eth_feeHistory: isLegacy || history,
    eth_maxPriorityFeePerGas: isLegacy || tip,
    eth_getLogs: logs,
    eth_simulateV1: simulation,
    Multicall3: multicall,
  }
  return Object.entries(offered).flatMap(([name, isOffered]) => (isOffered ? [] : [name]))
}
