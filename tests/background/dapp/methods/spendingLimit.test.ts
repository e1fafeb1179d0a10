import { decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { isUnlimited, maxUint256 } from '../../../../src/domain/token/amount.ts'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { accepting, asker, createDesk, type Desk } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, useStage } from '../../../helpers/background/worker.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

const stage = useStage()
const spender: Address = `0x${'b7'.repeat(20)}`
let browser: Browser
let desk: Desk

beforeEach(async () => {
  browser = await createBrowser(stage)
  desk = createDesk(browser)
  await desk.connect()
})

function approve(amount: bigint, by = spender): { to: Address; data: Hex } {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [by, amount] })
  return { to: stage.localnet.tokens.DAI, data }
}

const transfer = () => ({
  to: stage.localnet.tokens.DAI,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [spender, 0n] }),
})

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

describe('spending limit chosen for a site’s approval', () => {
  it('sends the approval with the limit, whose preview has no unlimited allowance', async () => {
    const { client, tokens } = stage.localnet
    const answer = desk.call('eth_sendTransaction', [approve(maxUint256)])
    const approval = await desk.open()
    const asked = await desk.preview(approval)
    expect(asked.risks).toContainEqual(expect.objectContaining({ kind: 'beyond-balance', isGrave: true }))
    const limited = await desk.preview(approval, 7n)
    expect(limited.simulation).toMatchObject({ grants: [{ spender, amount: 7n }] })
    expect(limited.risks.map(({ kind }) => kind)).not.toContain('beyond-balance')
    await desk.approvals.approve(approval.id, { ...accepting(limited), spendingLimit: 7n })
    const hash = (await answer) as Hex
    await client.receiptOf(hash)
    const { to, input } = await client.getTransaction({ hash })
    expect(to?.toLowerCase()).toBe(tokens.DAI)
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input })
    expect([String(args?.[0]).toLowerCase(), args?.[1]]).toEqual([spender, 7n])
  })

  it('requires the risks of a raised limit, not those of the requested amount', async () => {
    const answer = desk.call('eth_sendTransaction', [approve(7n)])
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    const approval = await desk.open()
    const harmless = accepting(await desk.preview(approval))
    expect(isUnlimited(maxUint256)).toBe(true)
    await expect(
      desk.approvals.approve(approval.id, { ...harmless, spendingLimit: maxUint256 }),
    ).rejects.toMatchObject({ code: 'stale-review' })
    await desk.approvals.reject(approval.id)
    await refused
    expect(await nonce()).toBe(0)
  })

  it('refuses a limit that grants no allowance, as at a contract that ignores approvals', async () => {
    const answer = desk.call('eth_sendTransaction', [{ ...approve(5n), to: `0x${'b9'.repeat(20)}` }])
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    const approval = await desk.open()
    const limited = await desk.preview(approval, 7n)
    expect(limited.simulation).toMatchObject({ status: 'succeeds', grants: [] })
    await expect(
      desk.approvals.approve(approval.id, { ...accepting(limited), spendingLimit: 7n }),
    ).rejects.toMatchObject({ code: 'stale-review', facts: { accepted: 'limit' } })
    await desk.approvals.reject(approval.id)
    await refused
    expect(await nonce()).toBe(0)
  })

  it('refuses a limit for a call that is no approval, and for two approvals', async () => {
    const other: Address = `0x${'b8'.repeat(20)}`
    for (const [at, calls] of [[transfer()], [approve(5n), approve(6n, other)]].entries()) {
      const params = { version: '2.0.0', chainId: '0x7a69', atomicRequired: false, calls }
      const answer = desk.call('wallet_sendCalls', [params], asker(at + 1))
      const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
      const approval = await desk.open()
      const decision = accepting(await desk.preview(approval))
      await expect(desk.preview(approval, 7n)).rejects.toMatchObject({ code: 'invalid-input' })
      await expect(
        desk.approvals.approve(approval.id, { ...decision, spendingLimit: 7n }),
      ).rejects.toMatchObject({ code: 'invalid-input' })
      await desk.approvals.reject(approval.id)
      await refused
    }
    expect(await nonce()).toBe(0)
  })
})
