import { WalletError } from '../../errors.ts'
import type { Networks } from '../networks/networks.ts'
import type { PageMethod } from './pages.ts'
import type { Sites } from './sites.ts'
import { createTurns } from './turns.ts'

type Parts = {
  sites: Pick<Sites, 'chain'>
  networks: Pick<Networks, 'passthrough'>
}

/** Answers may have 10 MB each, and all of them are in the worker's memory. */
const mostLarge = { atOnce: 4, ofOrigin: 2 }

/** What a page may ask of the node of its chain, answered as the node does. */
export function createReads({ sites, networks }: Parts): Record<string, PageMethod> {
  const oneOfFew = createTurns(mostLarge)
  const read =
    (method: string): PageMethod =>
    async ({ origin }, params = []) => {
      if (!Array.isArray(params)) throw new WalletError('invalid-params', 'params: not a list.')
      const ask = await networks.passthrough(await sites.chain(origin))
      return isLarge(method, params) ? oneOfFew(origin, () => ask(method, params)) : ask(method, params)
    }
  return Object.fromEntries(methods.map((method) => [method, read(method)]))
}

/** Logs, and blocks with all that is in them. */
function isLarge(method: string, params: unknown[]): boolean {
  if (method === 'eth_getBlockByHash' || method === 'eth_getBlockByNumber') return params[1] === true
  return largeMethods.has(method)
}

const largeMethods = new Set([
  'eth_getBlockReceipts',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
])

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
