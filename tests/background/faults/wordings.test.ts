import { erc20Abi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallBatch } from '../../../src/domain/activity/callBatch.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  intend,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { clients, speaking } from '../../helpers/node/dialects.ts'
import { type NodeProxy, type Question, type RpcError, startProxy } from '../../helpers/node/rpcProxy.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Error texts of other clients and providers.

const stage = useStage()
let rpc: NodeProxy
let backup: NodeProxy
let browser: Browser
let answer: (question: Question) => object | undefined
let reword: (error: RpcError) => RpcError

beforeAll(async () => {
  const { rpcUrl } = stage.localnet
  rpc = await startProxy(
    rpcUrl,
    (question) => answer(question),
    (error) => reword(error),
  )
  backup = await startProxy(rpcUrl, () => undefined)
})
afterAll(() => Promise.all([rpc?.stop(), backup?.stop()]))
beforeEach(async () => {
  answer = () => undefined
  reword = (error) => error
  browser = await createBrowser({ ...stage, network: { ...stage.network, rpcUrl: rpc.url } })
})
afterEach(() => stage.startMining())

/** A fixed clock: no timeouts. */
function start(): Worker {
  const begun = Date.now()
  return createWorker(browser, { now: () => begun, wire: { sleep: async () => undefined, random: () => 0 } })
}

const selling = (sell: Address) => ({
  chainId: 31337,
  sell,
  buy: stage.localnet.tokens.WETH,
  amount: 5_000_000n,
})

const limits: [string, object][] = [
  ['proxyd', { error: { code: -32016, message: 'over rate limit' } }],
  ['QuickNode', { error: { code: -32007, message: '50/second request limit reached' } }],
  [
    'Alchemy',
    { error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' } },
  ],
  ['JSON-RPC 2.0', { error: { code: -32603, message: 'Internal error' } }],
  ['a node that lags', { error: { code: -32000, message: 'header not found' } }],
  ['a server', { error: { code: -32000, message: 'server is too busy' } }],
  ['a server in words of its own', { error: { code: -32000, message: 'Dienst nicht erreichbar' } }],
  ['a gateway that speaks no JSON-RPC', { code: 503, msg: 'come back later' }],
]

const looks = new Set([
  'eth_chainId',
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
])

describe('RPC errors inside an HTTP 200', () => {
  it.each(limits)(
    'continues the swap after a confirmed approval once the RPC answers again (%s)',
    async (_name, error) => {
      const worker = start()
      let left = 8
      answer = ({ method }) => {
        const [approval, swap] = worker.heard.at(-1)?.steps ?? []
        const isBetween = approval?.state === 'mined' && swap?.state === 'waiting'
        return isBetween && !looks.has(method) && left-- > 0 ? error : undefined
      }
      const intent = await intend(worker, browser, selling(stage.localnet.tokens.DAI))
      await worker.swap(intent)
      const { outcome, steps } = await worker.over(intent.id)
      expect([outcome.status, steps.map(({ kind }) => kind)]).toEqual(['done', ['approve', 'swap']])
      expect(left).toBeLessThanOrEqual(0)
    },
  )

  it.each(limits)('falls back to the backup RPC to review and execute a swap (%s)', async (_name, error) => {
    const network = { ...stage.network, rpcUrl: rpc.url, spareRpcUrl: backup.url }
    browser = await createBrowser({ ...stage, network })
    const worker = start()
    answer = ({ method }) => (method === 'eth_chainId' ? undefined : error)
    const intent = await intend(worker, browser, {
      ...selling(nativeTokenAddress),
      amount: parseEther('0.1'),
    })
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome.status).toBe('done')
  })
})

describe.each(clients)('RPC that words reverts as %s', (client) => {
  it('sells a USDT-like token with an old allowance', async () => {
    const { client: chain, contracts, tokens } = stage.localnet
    reword = speaking(client)
    await chain.impersonateAccount({ address: browser.account })
    await chain.writeContractSync({
      account: browser.account,
      address: tokens.USDT,
      abi: erc20Abi,
      functionName: 'approve',
      args: [contracts.router, 5n],
    })
    const worker = start()
    const intent = await intend(worker, browser, selling(tokens.USDT))
    await worker.swap(intent)
    const { outcome, steps } = await worker.over(intent.id)
    expect([outcome.status, steps.map(({ kind }) => kind)]).toEqual(['done', ['reset', 'approve', 'swap']])
  })
})

const friend: Address = `0x${'f3'.repeat(20)}`
const pay = () => agree(browser.account, [{ to: friend, data: '0x', value: 1n }])

describe('transactions rejected by an RPC', () => {
  it.each([
    ['geth', -32000, 'insufficient funds for gas * price + value: balance 0, tx cost 5'],
    ['Besu', -32004, 'Upfront cost exceeds account balance'],
    ['Nethermind', -32010, 'InsufficientFunds, Account balance: 0, cumulative cost: 5'],
    ['Hardhat', -32000, "Sender doesn't have enough funds to send tx. The max upfront cost is: 5"],
    ['Ethermint', -32000, 'failed to check sender balance: sender balance < tx cost (0 < 5)'],
  ])('drops a transaction at once when the account cannot pay (%s)', async (_client, code, message) => {
    const worker = start()
    answer = ({ method }) => (method === 'eth_sendRawTransaction' ? { error: { code, message } } : undefined)
    const intent = pay()
    await worker.send(intent)
    const { outcome } = await worker.over<CallBatch>(intent.id)
    expect(outcome).toMatchObject({ status: 'failed', code: 'dropped' })
    expect(outcome).toMatchObject({ message: expect.stringContaining('cannot pay') })
  })

  it.each([
    ['Besu', -32000, 'Known transaction'],
    ['Ethermint', -32000, 'tx already in mempool'],
    ['Nethermind', -32010, 'AlreadyKnown'],
  ])('completes a transaction that the RPC already knows (%s)', async (_client, code, message) => {
    const worker = start()
    let sent = 0
    answer = ({ method, params }) => {
      if (method !== 'eth_sendRawTransaction' || sent++ > 0) return undefined
      void stage.localnet.client.sendRawTransaction({ serializedTransaction: params[0] as Hex })
      return { error: { code, message } }
    }
    const intent = pay()
    await worker.send(intent)
    expect((await worker.over<CallBatch>(intent.id)).outcome.status).toBe('done')
  })
})
