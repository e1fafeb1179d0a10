import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { hasOutcome } from '../../../../src/domain/activity/intent.ts'
import { toShown } from '../../../../src/domain/activity/worse.ts'
import type { Approval } from '../../../../src/domain/dapp/approval.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { toWalletError } from '../../../../src/errors.ts'
import { accepting, asker, createDesk, type Desk } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, useStage } from '../../../helpers/background/worker.ts'

const stage = useStage()
const { abi, bytecode } = readArtifact('Turncoat')
let browser: Browser
let desk: Desk
let shop: Address

beforeAll(async () => {
  const { client, tokens } = stage.localnet
  const hash = await client.deployContract({ abi, bytecode, args: [] } as never)
  shop = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  const args = [shop, 100_000_000_000n] as const
  await client.writeContractSync({ address: tokens.USDC, abi: erc20Abi, functionName: 'transfer', args })
})

beforeEach(async () => {
  browser = await createBrowser(stage)
  desk = createDesk(browser)
  await desk.connect()
  await flip(true)
})

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

async function flip(pays: boolean): Promise<void> {
  const call = { address: shop, abi, functionName: 'flip', args: [pays], gas: 100_000n }
  await stage.localnet.client.writeContractSync(call as never)
}

const usdc = () => stage.localnet.tokens.USDC

function buy() {
  const data = encodeFunctionData({ abi, functionName: 'buy', args: [usdc(), 3_000_000_000n] })
  return { to: shop, data, value: `0x${parseEther('5').toString(16)}` }
}

async function agreeTo(approval: Approval, meanwhile?: () => Promise<void>) {
  const preview = await desk.preview(approval)
  await meanwhile?.()
  await desk.approvals.approve(approval.id, accepting(preview))
  return preview.simulation
}

describe('transaction whose outcome changes before signing', () => {
  it('sends the transaction when its outcome is as shown', async () => {
    const answer = desk.call('eth_sendTransaction', [buy()])
    const shown = await agreeTo(await desk.open())
    expect(shown).toMatchObject({
      status: 'succeeds',
      changes: [
        { token: { address: nativeTokenAddress } },
        { token: { address: usdc() }, amount: 3_000_000_000n },
      ],
    })
    expect((await stage.localnet.client.receiptOf((await answer) as Hex)).status).toBe('success')
  })

  it('throws outcome-changed, signs nothing and lets the user reject', async () => {
    const answer = desk.call('eth_sendTransaction', [buy()])
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    const approval = await desk.open()
    await expect(agreeTo(approval, () => flip(false))).rejects.toMatchObject({
      code: 'outcome-changed',
      facts: { kind: 'leaves', token: usdc(), expected: '3000000000', found: '0' },
    })
    expect((await desk.open()).id).toBe(approval.id)
    expect(await desk.preview(approval)).toMatchObject({
      simulation: { status: 'succeeds', changes: [{ amount: -parseEther('5') }] },
    })
    await desk.approvals.reject(approval.id)
    await refused
    expect(await nonce()).toBe(0)
    expect(await desk.worker.journal.list()).toEqual([])
  })

  it('sends the transaction when the user accepts the new outcome', async () => {
    const answer = desk.call('eth_sendTransaction', [buy()])
    const approval = await desk.open()
    await agreeTo(approval, () => flip(false)).catch(toWalletError)
    await agreeTo(approval)
    expect((await stage.localnet.client.receiptOf((await answer) as Hex)).status).toBe('success')
  })

  it('throws would-fail for a new failure, and outcome-changed when a shown failure succeeds', async () => {
    const visit = encodeFunctionData({ abi, functionName: 'visit', args: [usdc(), 1_000n] })
    const answer = desk.call('eth_sendTransaction', [{ to: shop, data: visit, gas: '0x30d40' }])
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    const approval = await desk.open()
    // Its tick does not cover a failure.
    expect(await desk.preview(approval)).toMatchObject({
      simulation: { status: 'succeeds', changes: [] },
      risks: [{ kind: 'no-change', isGrave: true }],
    })
    await expect(agreeTo(approval, () => flip(false))).rejects.toMatchObject({ code: 'would-fail' })
    expect(await desk.preview(approval)).toMatchObject({
      simulation: { status: 'reverts' },
      risks: [{ kind: 'fails', value: 0n, isGrave: true }],
    })
    // Another transaction grants the missing allowance.
    const lend = async () => {
      const { client } = stage.localnet
      await client.impersonateAccount({ address: browser.account })
      const call = { address: usdc(), abi: erc20Abi, functionName: 'approve', args: [shop, 5_000n] } as const
      await client.writeContractSync({ account: browser.account, ...call })
      await client.stopImpersonatingAccount({ address: browser.account })
    }
    await expect(agreeTo(approval, lend)).rejects.toMatchObject({ code: 'outcome-changed' })
    await desk.approvals.reject(approval.id)
    await refused
  })

  it('does not sign an intent in the journal whose outcome has changed', async () => {
    const answer = desk.call('eth_sendTransaction', [buy()])
    const refused = expect(answer).rejects.toMatchObject({
      code: 'not-sent',
      facts: { reason: 'outcome-changed' },
    })
    const approval = await desk.open()
    const { simulation, feeCap } = await desk.preview(approval)
    const expected = toShown(simulation)
    const { account, calls } = approval.ask as Extract<Approval['ask'], { kind: 'send' }>
    await flip(false)
    const intent = { id: approval.id, account, chainId: 31337, calls, feeCap, mayFail: false }
    await desk.worker.send({ ...intent, ...(expected && { expected }) })
    expect((await desk.worker.over(approval.id)).outcome).toMatchObject({ code: 'outcome-changed' })
    await desk.approvals.approve(approval.id, accepting(await desk.preview(approval)))
    await refused
    expect(await nonce()).toBe(0)
  })
})

describe('batch whose outcome changes before signing', () => {
  const batch = (requestId = 1) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 1_000n] })
    const calls = [{ to: usdc(), data }, buy()]
    return desk.call('wallet_sendCalls', [{ version: '2.0.0', id: 'both', calls }], asker(requestId))
  }

  it('sends all calls while their outcome is as shown', async () => {
    const answer = batch()
    const approval = await desk.open()
    await agreeTo(approval)
    await answer
    const { outcome } = await desk.worker.until(approval.id, hasOutcome)
    expect(outcome.status).toBe('done')
    expect(await nonce()).toBe(2)
  })

  it('stops before a later call whose outcome changed after the first was sent', async () => {
    await stage.stopMining()
    try {
      const answer = batch()
      const approval = await desk.open()
      await agreeTo(approval)
      await answer
      await desk.worker.until(approval.id, ({ steps }) => steps[0]?.state === 'sent')
      const { client } = stage.localnet
      const data = encodeFunctionData({ abi, functionName: 'flip', args: [false] })
      await client.sendTransaction({ to: shop, data, gas: 100_000n } as never)
      await client.mine({ blocks: 1 })
      const { outcome, steps } = await desk.worker.until(approval.id, hasOutcome)
      expect(outcome).toMatchObject({ status: 'failed', code: 'outcome-changed' })
      expect(steps[1]?.state).toBe('waiting')
    } finally {
      await stage.startMining()
    }
  })
})
