import { parseEther, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { createHttp } from '../../../src/api/http.ts'
import { v3 } from '../../../src/api/v3.ts'
import { approval } from '../../../src/background/tokens/approvalCalls.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { acceptReplacement, replacementAt } from '../../../src/domain/activity/replacement.ts'
import type { ApprovalMethod } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  intend,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

// Its own gas unit: a transfer takes 269,580,441.

// Osaka's limit is 16,777,216 gas.
const stage = useStage(1, { hardfork: 'prague' })
beforeAll(async () => {
  const { client } = stage.localnet
  await client.setBlockGasLimit({ gasLimit: 10_000_000_000n })
  await client.mine({ blocks: 1 })
})

const scaledTransfer = (269_580_441n * 6n) / 5n
const scaled = (gas: bigint) => (gas * 269_580_441n) / 21_000n

type Kind = 'simulates in EVM gas' | 'simulates nothing'

let estimates: bigint[] = []

/** Such nodes simulate in EVM gas or lack eth_simulateV1. */
const countingOtherwise =
  (kind: Kind): typeof fetch =>
  async (url, init) => {
    const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
    if (method === 'eth_simulateV1' && kind === 'simulates nothing') {
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    }
    const response = await fetch(url, { ...init, signal: null })
    if (method !== 'eth_estimateGas') return response
    const answer = (await response.json()) as { result?: string }
    if (answer.result === undefined) return Response.json(answer)
    estimates.push(scaled(BigInt(answer.result)))
    return Response.json({ ...answer, result: toHex(estimates.at(-1)!) })
  }

const openBrowser = async (feeLimit = parseEther('100')) => {
  const browser = await createBrowser({ ...stage, network: { ...stage.network, feeLimit } })
  await stage.localnet.client.setBalance({ address: browser.account, value: parseEther('1000') })
  estimates = []
  return browser
}
const tokenOf = (symbol: TokenSymbol | 'ETH'): Address =>
  symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]
const amounts = { ETH: parseEther('0.1'), WETH: parseEther('0.1'), USDC: 50_000_000n, USDT: 50_000_000n }
const tradeOf = (sell: keyof typeof amounts) => ({
  chainId: 31337,
  sell: tokenOf(sell),
  buy: tokenOf('DAI'),
  amount: amounts[sell],
})

async function signedGas(worker: Worker, id: string): Promise<bigint[]> {
  const steps = (await worker.journal.get(id))!.steps.filter(isSigned)
  const found = await Promise.all(steps.map(({ hash }) => stage.localnet.client.getTransaction({ hash })))
  return found.map(({ gas }) => gas)
}

const legacyApi = (): SwapApi => v3(createHttp({ baseUrl: stage.service.url, deadlineMs: 600_000 }), 31337)

describe.each<Kind>(['simulates in EVM gas', 'simulates nothing'])(
  'RPC with a different gas unit that %s',
  (kind) => {
    let browser: Browser
    const open = async (options: Parameters<typeof createWorker>[1] = {}) => {
      browser = await openBrowser()
      return createWorker(browser, { wire: { fetch: countingOtherwise(kind) }, ...options })
    }

    const ways: [string, keyof typeof amounts, ApprovalMethod | undefined, number][] = [
      ['without an approval', 'ETH', undefined, 1],
      ['after an approval', 'WETH', undefined, 2],
      ['after a reset and an approval', 'USDT', undefined, 3],
      ['with a permit', 'USDC', { via: 'permit' }, 1],
      ['with Permit2 and its approval', 'WETH', { via: 'permit2', amount: amounts.WETH }, 2],
    ]
    it.each(ways)('sells %s within the reviewed fee cap', async (_way, sell, permission, steps) => {
      const worker = await open()
      if (sell === 'USDT') await allow('USDT', 1n)
      const intent = await intend(worker, browser, tradeOf(sell), permission && { permission })
      await worker.swap(intent)
      const { outcome } = await worker.over(intent.id)
      expect(outcome).toMatchObject({ status: 'done' })
      const gas = await signedGas(worker, intent.id)
      expect(gas.length).toBe(steps)
      for (const each of gas) expect(estimates.map((estimate) => (estimate * 6n) / 5n)).toContain(each)
      const record = (await worker.journal.get(intent.id))!
      const fees = record.steps.filter(isSigned).reduce((sum, { fee }) => sum + fee, 0n)
      expect(fees).toBeLessThanOrEqual(record.intent.feeCap)
    })

    it('sells through version 3.0 of the service API', async () => {
      const worker = await open({ api: legacyApi })
      const intent = await intend(worker, browser, tradeOf('WETH'))
      await worker.swap(intent)
      expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'done' })
    })

    it('rejects a swap above the fee limit or the block gas limit', async () => {
      const poor = createWorker(await openBrowser(parseEther('0.0001')), {
        wire: { fetch: countingOtherwise(kind) },
      })
      await expect(poor.review(tradeOf('ETH'))).rejects.toMatchObject({ code: 'fee-too-high' })
      const small = await open({ chain: (chain) => ({ ...chain, blockGasLimit: async () => 300_000_000n }) })
      await expect(small.review(tradeOf('ETH'))).rejects.toMatchObject({
        code: 'unsafe-transaction',
        facts: { fact: 'gas' },
      })
    })

    it('speeds up and then cancels a swap, with gas in the unit of the RPC', async () => {
      const worker = await open()
      const intent = await intend(worker, browser, tradeOf('ETH'))
      await stage.stopMining()
      try {
        await worker.swap(intent)
        await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
        const [gas] = await signedGas(worker, intent.id)
        for (const wish of ['faster', 'cancel'] as const) {
          const offer = await worker.replacement(intent.id, wish)
          expect(offer.gas).toBe(wish === 'faster' ? gas : scaledTransfer)
          await worker.replace({
            id: intent.id,
            wish,
            ...acceptReplacement(offer, replacementAt(offer, 'fast')),
          })
        }
      } finally {
        await stage.startMining()
      }
      expect((await worker.over(intent.id)).outcome).toMatchObject({ code: 'cancelled' })
    })

    async function allow(symbol: TokenSymbol, amount: bigint) {
      const { client, contracts } = stage.localnet
      const { account } = browser
      await client.impersonateAccount({ address: account })
      const { to, data } = approval(tokenOf(symbol), contracts.router, amount)
      await client.execute({ account, to, data })
      await client.stopImpersonatingAccount({ address: account })
      estimates = []
    }
  },
)
