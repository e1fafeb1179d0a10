import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHttp } from '../../../../src/api/http.ts'
import { v6 } from '../../../../src/api/v6.ts'
import { createApprovals } from '../../../../src/background/approvals/approvals.ts'
import { createConnectedSites } from '../../../../src/background/dapp/connectedSites.ts'
import { createCallIds } from '../../../../src/background/dapp/methods/callIds.ts'
import { createSwapExecutor } from '../../../../src/background/dapp/swap/execute.ts'
import { createSwapMethod } from '../../../../src/background/dapp/swap/method.ts'
import { createNetworks } from '../../../../src/background/networks/networks.ts'
import { createSettings } from '../../../../src/background/settings.ts'
import { createTokens } from '../../../../src/background/tokens/tokens.ts'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { createChain } from '../../../../src/evm/client.ts'
import type { ProviderEvent } from '../../../../src/protocol.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  until,
  useStage,
} from '../../../helpers/background/worker.ts'

const origin = 'https://shop.example'

const stage = useStage()
let browser: Browser

beforeAll(async () => {
  browser = await createBrowser(stage)
})

let documents = 0

/** Only window and clock are fake. */
async function createPage() {
  const worker = createWorker(browser)
  const [local, session] = [memoryArea(browser.local), memoryArea(browser.session)]
  const settings = createSettings(local)
  const networks = createNetworks(settings, {
    createChain: (network) => createChain(network),
    createApi: ({ serviceUrl, chainId }) => v6(createHttp({ baseUrl: serviceUrl }), chainId),
  })
  const sites = createConnectedSites({
    vault: worker.vault,
    settings,
    local,
    onChange: async () => undefined,
  })
  await sites.save({ origin, accounts: [browser.account], chainId: 31337, connectedAt: 1 })
  const ids = createCallIds(local, Date.now)
  const approvals = createApprovals({
    session,
    window: { open: async () => undefined, count: () => undefined, onClosed: () => undefined },
    check: async () => undefined,
    perform: createSwapExecutor({ ids, swaps: worker }),
    onChange: () => undefined,
    isThere: () => true,
    now: Date.now,
  })
  const told: ProviderEvent[] = []
  const method = createSwapMethod({
    approvals,
    sites,
    settings,
    networks,
    tokens: createTokens(local, networks),
    ids,
    swaps: worker,
    receipt: async (chainId, hash) =>
      (await networks.passthrough(chainId))('eth_getTransactionReceipt', [hash]),
    tell: (_documentId, event) => void told.push(event),
  })
  const documentId = `DOC${++documents}`
  const ask = (request: object) => method({ origin, documentId, tabId: 1, requestId: 1 }, [request])
  return { worker, approvals, ask, told }
}

describe('wallet_swap on the localnet with the real swap service', () => {
  it('sells a token with an approval and a swap, and returns the receipt from the RPC', async () => {
    const { worker, approvals, ask, told } = await createPage()
    const { USDT, WETH } = stage.localnet.tokens
    const answer = ask({ token: USDT, pairToken: WETH, amount: '100', slippage: 0.01, minReceived: '0.001' })
    const open = await until(async () => (await approvals.list())[0], 'the request')
    expect(open.ask).toMatchObject({ request: { token: USDT, pairToken: WETH, amount: 100_000_000n } })
    const trade = { chainId: 31337, sell: USDT, buy: WETH, amount: 100_000_000n }
    const intent = accept(browser.account, trade, await worker.review(trade))
    await approvals.approve(open.id, { kind: 'swap', intent })
    const { receipt, transactions, chainId } = (await answer) as {
      receipt: { status: string; transactionHash: string; logs: unknown[]; blockNumber: string }
      transactions: string[]
      chainId: string
    }
    expect(transactions).toHaveLength(2)
    expect(receipt).toMatchObject({ status: '0x1', transactionHash: transactions[1] })
    expect(receipt.blockNumber).toMatch(/^0x/)
    expect(chainId).toBe('0x7a69')
    expect(told.map(({ data }) => (data as { data: { status: number } }).data.status).at(-1)).toBe(200)
  })

  it('rejects a token that does not exist on the chain', async () => {
    const { ask } = await createPage()
    await expect(ask({ token: browser.account, amount: '1' })).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringMatching(/^token: /),
    })
  })

  it('reports insufficientFunds and no transactions when the account cannot afford the swap', async () => {
    const { worker, approvals, ask } = await createPage()
    const { USDC } = stage.localnet.tokens
    const answer = ask({ token: nativeTokenAddress, pairToken: USDC, amount: '1' }).catch(
      (error: unknown) => error,
    )
    const open = await until(async () => (await approvals.list())[0], 'the request')
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: parseEther('1') }
    const review = await worker.review(trade)
    const greedy = { ...trade, amount: parseEther('1000000') }
    const intent = accept(browser.account, greedy, review)
    await approvals.approve(open.id, { kind: 'swap', intent })
    expect(await answer).toMatchObject({
      code: 'not-sent',
      facts: { reason: 'insufficientFunds', transactions: '' },
    })
  })
})
