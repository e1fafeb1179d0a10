import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  intend,
  useStage,
} from '../../helpers/background/worker.ts'

// Like an RPC without EIP-1559.

const stage = useStage()
let browser: Browser
beforeAll(async () => {
  browser = await createBrowser(stage)
})

type Answer = { result?: Record<string, unknown>; error?: unknown }

const refused = new Set(['eth_feeHistory', 'eth_maxPriorityFeePerGas'])

const oldWords: typeof fetch = async (url, init) => {
  const { method, id } = JSON.parse(String(init?.body)) as { method: string; id: number }
  if (refused.has(method)) {
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  }
  const response = await fetch(url, { ...init, signal: null })
  if (method !== 'eth_getBlockByNumber') return response
  const answer = (await response.json()) as Answer
  const { baseFeePerGas: _, ...result } = answer.result ?? {}
  return Response.json({ ...answer, result })
}

describe('RPC without EIP-1559', () => {
  it('executes a swap and its approval as legacy transactions', async () => {
    const worker = createWorker(browser, { wire: { fetch: oldWords } })
    const { USDC, DAI } = stage.localnet.tokens
    for (const trade of [
      { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: parseEther('0.5') },
      { chainId: 31337, sell: DAI, buy: USDC, amount: parseEther('500') },
    ]) {
      const review = await worker.review(trade)
      expect(review.isLegacy).toBe(true)
      expect(review.verdict.status).toBe('matches')
      const intent = accept(browser.account, trade, review)
      await worker.swap(intent)
      expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'done' })
      const steps = (await worker.journal.get(intent.id))!.steps.filter(isSigned)
      expect(steps.length).toBe(review.steps.length)
      for (const { hash } of steps) {
        const { type, gasPrice } = await stage.localnet.client.getTransaction({ hash })
        expect({ type, gasPrice: gasPrice! > 0n }).toEqual({ type: 'legacy', gasPrice: true })
      }
    }
  })

  it('executes a swap at a custom gas price', async () => {
    const worker = createWorker(browser, { wire: { fetch: oldWords } })
    const { USDC } = stage.localnet.tokens
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: parseEther('0.1') }
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    const intent = await intend(worker, browser, trade, { slippageBps: 50, speed })
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'done' })
    const [step] = (await worker.journal.get(intent.id))!.steps.filter(isSigned)
    const found = await stage.localnet.client.getTransaction({ hash: step!.hash })
    expect(found).toMatchObject({ type: 'legacy', gasPrice: speed.maxFeePerGas })
  })
})
