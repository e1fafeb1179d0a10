import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../../src/domain/dapp/approval.ts'
import { keysToAcknowledge } from '../../../../src/domain/dapp/risks/risk.ts'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { newToken } from '../../../../src/evm/erc20.ts'
import { acknowledgementLabel } from '../../../../src/ui/approvals/send/simulationStatus.ts'
import { formatAcknowledgement } from '../../../../src/ui/messages/acknowledgements.ts'
import { useBazaarStage } from '../../../helpers/background/bazaarStage.ts'
import { accepting, asker, createDesk } from '../../../helpers/background/sendStage.ts'

const { stage, made, own, shopCall, request, agreeTo, nonce } = useBazaarStage()

const tokenOf = () => newToken(nativeTokenAddress, 'ETH', 'Ether', 18)
const tick = (risks: Parameters<typeof acknowledgementLabel>[0]) =>
  acknowledgementLabel(risks, (risk) => formatAcknowledgement(risk, tokenOf))

describe('contract that fails only in the simulation', () => {
  /** A gas limit makes a failing call sendable. */
  const refund = () => ({ ...shopCall('refund', [], 5), gas: '0x30d40' as const })
  const approve = async (approval: Approval, acknowledged: string[]) => {
    const preview = await made.desk.preview(approval)
    await made.desk.approvals.approve(approval.id, { ...accepting(preview), acknowledged })
  }

  it('requires acknowledgement that names the value at risk', async () => {
    const { approval } = await request(refund())
    const { simulation, risks } = await made.desk.preview(approval)
    expect(simulation.status).toBe('reverts')
    expect(risks).toEqual([{ kind: 'fails', value: parseEther('5'), isGrave: true }])
    expect(tick(risks)).toBe('I accept the risk to 5 ETH and all my other assets.')
    await expect(approve(approval, [])).rejects.toMatchObject({ code: 'stale-review' })
    await expect(approve(approval, ['unchecked'])).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('throws outcome-changed when the call no longer fails, although the failure was acknowledged', async () => {
    const { approval } = await request(refund())
    await expect(agreeTo(approval, () => own('flip', [false]))).rejects.toMatchObject({
      code: 'outcome-changed',
    })
    expect(await nonce()).toBe(0)
  })

  it('rejects a decision without the shown outcome', async () => {
    const { approval } = await request(refund())
    const preview = await made.desk.preview(approval)
    const { expected: _left, ...silent } = accepting(preview)
    await own('flip', [false])
    const { client } = stage.localnet
    const before = await client.getBalance({ address: made.shop })
    await expect(made.desk.approvals.approve(approval.id, silent)).rejects.toMatchObject({
      code: 'stale-review',
      facts: { accepted: 'outcome' },
    })
    expect(await client.getBalance({ address: made.shop })).toBe(before)
    expect(await nonce()).toBe(0)
  })

  it('requires acknowledgement in a batch for the value of all calls', async () => {
    const { approval } = await request(shopCall('deposit', [], 1), refund())
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'fails', value: parseEther('6'), isGrave: true })
    await expect(approve(approval, [])).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })
})

describe('calls that the RPC cannot simulate', () => {
  it('requires acknowledgement before signing', async () => {
    const fetchPlain: typeof fetch = async (url, init) => {
      const { id, method, params } = JSON.parse(String(init?.body)) as {
        id: number
        method: string
        params?: unknown[]
      }
      const isSimulation = method === 'eth_simulateV1' || (method === 'eth_call' && (params?.length ?? 0) > 2)
      if (!isSimulation) return fetch(url, { ...init, signal: null })
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No such method' } })
    }
    const desk = createDesk(made.browser, { wire: { fetch: fetchPlain } })
    const answer = desk.call('eth_sendTransaction', [shopCall('deposit', [], 1)], asker(77))
    answer.catch(() => undefined)
    const approval = await desk.open()
    const preview = await desk.preview(approval)
    const { simulation, risks } = preview
    expect(simulation.status).toBe('unknown')
    expect(risks).toContainEqual({ kind: 'unchecked', isGrave: true })
    const approve = (acknowledged: string[]) =>
      desk.approvals.approve(approval.id, { ...accepting(preview), acknowledged })
    await expect(approve([])).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
    await approve(keysToAcknowledge(risks))
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
