import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import { revokeFee } from '../../../src/background/tokens/revoke.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { createCallPreview } from '../../../src/background/transfers/simulateCalls.ts'
import { createPreviewTransfer, transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { CallBatch } from '../../../src/domain/activity/callBatch.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { type Browser, createWorker, intend, type Worker } from '../../helpers/background/worker.ts'
import { type PlainNode, startPlainNode } from '../../helpers/node/plainNode.ts'

// Its own gas unit: a transfer takes 269,580,441.

const transferGas = 269_580_441n
const friend: Address = `0x${'f1'.repeat(20)}`

let node: PlainNode
let browser: Browser
let worker: Worker
beforeAll(async () => {
  // Osaka's limit is 16,777,216 gas.
  node = await startPlainNode({ gasLimit: 10_000_000_000n, hardfork: 'prague' })
  browser = await node.open({ feeLimit: parseEther('100') })
  worker = createWorker(browser, { wire: { fetch: countingOtherwise } })
})
afterAll(() => node.stop())

const countingOtherwise: typeof fetch = async (url, init) => {
  const { method } = JSON.parse(String(init?.body)) as { method: string }
  const response = await fetch(url, { ...init, signal: null })
  if (method !== 'eth_estimateGas') return response
  const answer = (await response.json()) as { result: string }
  return Response.json({ ...answer, result: toHex((BigInt(answer.result) * transferGas) / 21_000n) })
}

const tokenOf = async (_chainId: number, token: Address) => (await worker.networks.chain(31337)).token(token)
const most = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n }

describe('chain with a different gas unit', () => {
  it('sends a native transfer', async () => {
    const ask = {
      chainId: 31337,
      account: browser.account,
      token: nativeTokenAddress,
      to: friend,
      amount: 5n,
      speed: most,
    }
    const preview = await createPreviewTransfer({ networks: worker.networks, tokenOf })(ask)
    expect(preview).toMatchObject({
      gas: (transferGas * 6n) / 5n,
      simulation: { status: 'succeeds' },
      arrives: 5n,
    })
    const id = crypto.randomUUID().replaceAll('-', '')
    await worker.send(transferIntent({ ...ask, id, feeCap: preview.feeCap }))
    const sent = await worker.over<CallBatch>(id)
    expect(sent.outcome).toMatchObject({ status: 'done' })
    const [step] = (await worker.journal.get(id))!.steps.filter(isSigned)
    const { gas } = await node.client.getTransaction({ hash: step!.hash })
    expect(gas).toBe((transferGas * 6n) / 5n)
  })

  it('previews dapp calls and estimates the fee of a revocation', async () => {
    const calls = [{ to: friend, data: '0x', value: 1n }]
    const ask = { kind: 'send', account: browser.account, calls }
    const approval = { id: '1', chainId: 31337, origin: 'https://site.example', ask } as unknown as Approval
    const assets = createCustomTokens(worker.local)
    const preview = await createCallPreview({ networks: worker.networks, tokenOf, assets })(approval)
    expect(preview.simulation).toMatchObject({ status: 'succeeds' })
    const chain = await worker.networks.chain(31337)
    const revocation = { chainId: 31337, account: browser.account, token: node.wrapped, spender: friend }
    const { expectedFee, feeCap } = await revokeFee(chain, revocation)
    expect(feeCap).toBeGreaterThan(parseEther('1'))
    // The estimate is in the unit of the RPC, too.
    expect(expectedFee * 5n).toBeGreaterThan(feeCap)
    expect(preview.expectedFee * 5n).toBeGreaterThan(preview.feeCap)
  })

  it('rejects a revocation above the fee limit or the block gas limit', async () => {
    const limited = createWorker(await node.open(), { wire: { fetch: countingOtherwise } })
    const call = { chainId: 31337, account: browser.account, token: node.wrapped, spender: friend }
    const chain = await limited.networks.chain(31337)
    await expect(revokeFee(chain, call)).rejects.toMatchObject({ code: 'fee-too-high' })
    const small = { ...chain, blockGasLimit: async () => 300_000_000n }
    await expect(revokeFee(small, call)).rejects.toMatchObject({ code: 'unsafe-transaction' })
  })

  it('wraps the native token', async () => {
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: node.wrapped, amount: 8n }
    const intent = await intend(worker, browser, trade)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'done' })
  })
})
