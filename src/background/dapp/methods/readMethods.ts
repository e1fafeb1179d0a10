import { WalletError } from '../../../errors.ts'
import type { ProxyRequest } from '../../../evm/rpc/proxyRequest.ts'
import { createConcurrencyLimiter } from '../../../lib/async/concurrencyLimiter.ts'
import type { Networks } from '../../networks/networks.ts'
import type { Sites } from '../connectedSites.ts'
import { type ByteBudget, createByteBudget } from '../ports/byteBudget.ts'
import type { RpcHandler } from '../router.ts'
import type { Filters } from './filters.ts'

type Deps = {
  sites: Pick<Sites, 'chain' | 'requireConnection'>
  networks: Pick<Networks, 'passthrough'>
  filters: Filters
  budget?: Pick<ByteBudget, 'canAnswer' | 'answersArrived'>
}

/** Large answers have up to 10 MB, others 1 MB, in the worker's memory. */
const maxLarge = { atOnce: 4, ofOrigin: 2 }
const maxSmall = { atOnce: 40, ofOrigin: 10 }

type Read = { origin: string; chainId: number; ask: ProxyRequest; method: string; params: unknown[] }

/** Reads that pages may send to their chain's RPC (docs/pages.md). */
export function createReadMethods({
  sites,
  networks,
  filters,
  budget = createByteBudget(),
}: Deps): Record<string, RpcHandler> {
  const [large, small] = [createConcurrencyLimiter(maxLarge), createConcurrencyLimiter(maxSmall)]

  /** Waits without a slot until pages took earlier answers, as pages may hang. */
  async function run({ origin, ask, method, params }: Read): Promise<unknown> {
    const limiter = isLarge(method, params) ? large : small
    for (;;) {
      await budget.answersArrived(origin)
      const answered = await limiter(origin, async () =>
        budget.canAnswer(origin) ? { result: await ask(method, params) } : undefined,
      )
      if (answered !== undefined) return answered.result
    }
  }

  async function addFilter(read: Read): Promise<unknown> {
    const { origin, chainId, ask, method } = read
    const id = await run(read)
    if (typeof id !== 'string' || id.length > maxIdLength) {
      throw new WalletError('node-unreachable', 'The node gave the filter no usable id.')
    }
    const isPending = needsConnection(method, read.params)
    const dropped = await filters.add({ origin, chainId, id, isPending })
    for (const one of dropped) {
      if (one.chainId === chainId) ask('eth_uninstallFilter', [one.id]).catch(() => undefined)
    }
    return id
  }

  async function useFilter(read: Read): Promise<unknown> {
    const filter = await filters.require(read.origin, read.chainId, read.params[0])
    if (filter.isPending) await sites.requireConnection(read.origin)
    return run(read)
  }

  async function removeFilter(read: Read): Promise<unknown> {
    const { origin, chainId, params } = read
    const filter = await filters.require(origin, chainId, params[0]).catch(() => undefined)
    if (filter === undefined) return false
    await filters.remove(filter)
    return run(read)
  }

  const special: Record<string, (read: Read) => Promise<unknown>> = {
    eth_newFilter: addFilter,
    eth_newBlockFilter: addFilter,
    eth_newPendingTransactionFilter: addFilter,
    eth_getFilterChanges: useFilter,
    eth_getFilterLogs: useFilter,
    eth_uninstallFilter: removeFilter,
  }

  const read =
    (method: string): RpcHandler =>
    async ({ origin }, params = []) => {
      if (!Array.isArray(params)) throw new WalletError('invalid-params', 'params: not a list.')
      if (needsConnection(method, params)) await sites.requireConnection(origin)
      const chainId = await sites.chain(origin)
      const ask = await networks.passthrough(chainId)
      return (special[method] ?? run)({ origin, chainId, ask, method, params })
    }
  return Object.fromEntries(methods.map((method) => [method, read(method)]))
}

/** True for sending, and for reading pending transactions. */
function needsConnection(method: string, params: unknown[]): boolean {
  if (method === 'eth_sendRawTransaction' || method === 'eth_newPendingTransactionFilter') return true
  if (blockMethods.has(method)) return isPendingTag(params[0])
  if (method !== 'eth_getLogs' && method !== 'eth_newFilter') return false
  const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: unknown; toBlock?: unknown }
  return isPendingTag(fromBlock) || isPendingTag(toBlock)
}

/** Some RPCs accept tags in any letter case, or as in EIP-1898. */
function isPendingTag(block: unknown): boolean {
  const { blockNumber = block } = Object(block) as { blockNumber?: unknown }
  return typeof blockNumber === 'string' && blockNumber.trim().toLowerCase() === 'pending'
}

/** Methods whose first parameter names a block. */
const blockMethods = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
])

/** Geth's ids have 34 characters. */
const maxIdLength = 100

/** True for logs and full blocks. */
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
