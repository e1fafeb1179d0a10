import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keysToAcknowledge } from '../../../../src/domain/dapp/risks/risk.ts'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { accepting, asker, createDesk } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, useStage } from '../../../helpers/background/worker.ts'
import { type GethNode, startGethNode } from '../../../helpers/node/gethNode.ts'

// The RPC ignores block overrides, and the contract detects simulation.

const stage = useStage()
const shop: Address = `0x${'5e'.repeat(20)}`
/** Refunds the payment and 0.01 ETH if BASEFEE is zero. */
const shopCode: Hex = '0x486016575f5f5f5f662386f26fc100003401335af1005b00'
const ignored: ('baseFeePerGas' | 'number')[] = []
let node: GethNode
let browser: Browser
let requests = 0

beforeAll(async () => {
  const { client } = stage.localnet
  await client.setCode({ address: shop, bytecode: shopCode })
  node = await startGethNode(stage.localnet.rpcUrl, [], { ignores: ignored })
})
afterAll(() => node?.stop())
beforeEach(async () => {
  ignored.splice(0, ignored.length, 'baseFeePerGas')
  await stage.localnet.client.setBalance({ address: shop, value: parseEther('1') })
  browser = await createBrowser(stage, { networks: [{ ...stage.network, rpcUrl: node.url }] })
})

async function request(call: { to?: Address; data: Hex; value?: Hex }) {
  const desk = createDesk(browser)
  await desk.connect()
  requests += 1
  const answer = desk.call('eth_sendTransaction', [{ ...call, gas: '0x30d40' }], asker(requests))
  answer.catch(() => undefined)
  const approval = await desk.open()
  const preview = await desk.preview(approval)
  const { simulation, risks } = preview
  const approve = (acknowledged: string[]) =>
    desk.approvals.approve(approval.id, { ...accepting(preview), acknowledged })
  return { desk, approval, answer, simulation, ticks: keysToAcknowledge(risks), approve }
}

const spend = { to: shop, data: '0x12345678', value: toHex(parseEther('5')) } as const

it('requires acknowledgement when a weak simulation shows only a gain', async () => {
  const before = await stage.localnet.client.getBalance({ address: shop })
  const { desk, approval, simulation, ticks, approve } = await request(spend)
  expect(simulation).toMatchObject({ status: 'succeeds', isWeak: true })
  if (simulation.status !== 'succeeds') throw new Error('no outcome')
  expect(simulation.changes.map(({ amount }) => amount >= 10n ** 16n)).toEqual([true])
  expect(ticks).toEqual(['weak'])
  await expect(approve([])).rejects.toMatchObject({ code: 'stale-review' })
  expect(await stage.localnet.client.getBalance({ address: shop })).toBe(before)
  await desk.approvals.reject(approval.id)
})

it('requires acknowledgement for an undecoded call without value in a weak simulation', async () => {
  const { desk, approval, ticks } = await request({ to: shop, data: '0x12345678' })
  expect(ticks).toEqual(['weak'])
  await desk.approvals.reject(approval.id)
})

it('requires acknowledgement for a payment to a contract, and none for one to an account', async () => {
  const toContract = await request({ ...spend, data: '0x' })
  expect(toContract.ticks).toEqual(['weak'])
  await toContract.desk.approvals.reject(toContract.approval.id)
  const toAccount = await request({ ...spend, data: '0x', to: `0x${'f1'.repeat(20)}` })
  expect(toAccount.simulation).toMatchObject({ isWeak: true })
  expect(toAccount.ticks).toEqual([])
  await toAccount.approve([])
  expect(await toAccount.answer).toMatch(/^0x[0-9a-f]{64}$/)
})

it('throws outcome-changed when the simulation is weak only at signing', async () => {
  ignored.length = 0
  const payment = { to: `0x${'f1'.repeat(20)}`, data: '0x', value: '0x1' } as const
  const { desk, approval, simulation, approve, ticks } = await request(payment)
  expect(simulation).not.toHaveProperty('isWeak')
  ignored.push('baseFeePerGas')
  await expect(approve(ticks)).rejects.toMatchObject({ code: 'outcome-changed', facts: { kind: 'weak' } })
  expect(await stage.localnet.client.getTransactionCount({ address: browser.account })).toBe(0)
  expect((await desk.open()).id).toBe(approval.id)
  expect((await desk.preview(approval)).simulation).toMatchObject({ isWeak: true })
  await desk.agree()
  await desk.worker.over(approval.id)
  expect(await stage.localnet.client.getTransactionCount({ address: browser.account })).toBe(1)
})
