import { WalletError } from '../../errors.ts'
import type { Networks } from '../networks.ts'
import { createPace, type Pace } from '../pace.ts'
import type { PageMethod } from '../pages.ts'
import type { Sites } from '../sites.ts'

type Parts = {
  sites: Pick<Sites, 'chain'>
  networks: Pick<Networks, 'passthrough'>
  pace?: Pace
}

/** What a page may ask of the node of its chain, answered as the node does. Too many questions wait; other sites' do not. */
export function createReads({
  sites,
  networks,
  pace = createPace({ perSecond: 50 }),
}: Parts): Record<string, PageMethod> {
  const read =
    (method: string): PageMethod =>
    async ({ origin }, params = []) => {
      if (!Array.isArray(params)) throw new WalletError('invalid-params', 'params: not a list.')
      await pace(origin)
      const ask = await networks.passthrough(await sites.chain(origin))
      return ask(method, params)
    }
  return Object.fromEntries(methods.map((method) => [method, read(method)]))
}

const methods = [
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'web3_sha3',
]
