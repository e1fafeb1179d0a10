import { parseEther, parseGwei, toHex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { keysToAcknowledge } from '../../../../src/domain/dapp/risks/risk.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { asker, createDesk } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, useStage } from '../../../helpers/background/worker.ts'

// Checks the worker, without the popup.

const stage = useStage()
let browser: Browser
beforeAll(async () => {
  browser = await createBrowser(stage)
})

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })
let requests = 0

async function requestAt(baseFee: bigint, ether: string) {
  const node = { baseFee }
  const fetchFees: typeof fetch = async (url, init) => {
    const response = await fetch(url, { ...init, signal: null })
    const { method } = JSON.parse(String(init?.body)) as { method?: string }
    if (method !== 'eth_feeHistory') return response
    const answer = (await response.json()) as { result: { baseFeePerGas: string[] } }
    const fees = answer.result.baseFeePerGas.map(() => toHex(node.baseFee))
    return Response.json({ ...answer, result: { ...answer.result, baseFeePerGas: fees } })
  }
  const desk = createDesk(browser, { wire: { fetch: fetchFees } })
  await desk.connect()
  requests += 1
  const friend: Address = `0x${String(requests).padStart(40, 'f')}`
  const call = { to: friend, value: toHex(parseEther(ether)) }
  const answer = desk.call('eth_sendTransaction', [call], asker(requests))
  answer.catch(() => undefined)
  const approval = await desk.open()
  const expected = { changes: [{ token: nativeTokenAddress, amount: -parseEther(ether) }], grants: [] }
  const approve = (acknowledged: string[], feeCap: bigint, mayFail = false) =>
    desk.approvals.approve(approval.id, { kind: 'send', feeCap, mayFail, acknowledged, expected })
  return { node, desk, approval, answer, approve }
}

it('requires acknowledgement of a fee higher than the amount moved', async () => {
  const { desk, approval, answer, approve } = await requestAt(parseGwei('50'), '0.001')
  const { risks, feeCap } = await desk.preview(approval)
  expect(risks).toMatchObject([
    { kind: 'new-recipient', isGrave: false },
    { kind: 'fee', doubt: 'more-than-moved', isGrave: true },
  ])
  const before = await nonce()
  await expect(approve([], feeCap)).rejects.toMatchObject({ code: 'stale-review' })
  await expect(approve(['fee large-share'], feeCap)).rejects.toMatchObject({ code: 'stale-review' })
  expect(await nonce()).toBe(before)
  await approve(keysToAcknowledge(risks), feeCap)
  expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
})

it('rejects an unacknowledged fee without a preview', async () => {
  const { desk, approval, approve } = await requestAt(parseGwei('50'), '0.001')
  await expect(approve([], parseEther('1'))).rejects.toMatchObject({ code: 'stale-review' })
  await desk.approvals.reject(approval.id)
})

it('rejects a decision with a higher fee than shown, also when acknowledged', async () => {
  const { desk, approval, approve } = await requestAt(parseGwei('50'), '0.001')
  const { risks, feeCap } = await desk.preview(approval)
  await expect(approve(keysToAcknowledge(risks), feeCap * 2n)).rejects.toMatchObject({
    code: 'stale-review',
    facts: { accepted: 'fee' },
  })
  await desk.approvals.reject(approval.id)
})

it('rejects a decision that accepts a failure when none was shown', async () => {
  const { desk, approval, approve } = await requestAt(parseGwei('1'), '1')
  const { risks, feeCap } = await desk.preview(approval)
  await expect(approve(keysToAcknowledge(risks), feeCap, true)).rejects.toMatchObject({
    code: 'stale-review',
    facts: { accepted: 'failure' },
  })
  await desk.approvals.reject(approval.id)
})

it('rejects a fee above the limit, also when acknowledged, and keeps the request open', async () => {
  const { node, desk, approval, answer, approve } = await requestAt(parseGwei('50000'), '1')
  await expect(desk.preview(approval)).rejects.toMatchObject({ code: 'fee-too-high' })
  const before = await nonce()
  await expect(approve(['unchecked', 'fee large'], parseEther('100'), true)).rejects.toMatchObject({
    code: 'fee-too-high',
  })
  expect((await desk.open()).id).toBe(approval.id)
  expect(await nonce()).toBe(before)
  node.baseFee = parseGwei('1')
  const { feeCap } = await desk.preview(approval)
  await approve([], feeCap)
  expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
})
