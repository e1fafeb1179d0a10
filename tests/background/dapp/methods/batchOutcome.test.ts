import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { useBazaarStage } from '../../../helpers/background/bazaarStage.ts'

const { stage, made, own, shopCall, request, agreeTo, agreeBlindly, nonce } = useBazaarStage()

const price = 15_000_000_000n
const usdc = () => stage.localnet.tokens.USDC
const refused = { code: 'stale-review' }

describe('batch that pays in one call and receives in a later one', () => {
  const calls = () => [shopCall('deposit', [], 5), shopCall('claim', [usdc(), price])]

  it('requires acknowledgement and names the amount at risk', async () => {
    const { approval } = await request(...calls())
    const { simulation, risks } = await made.desk.preview(approval)
    expect(simulation).toMatchObject({
      status: 'succeeds',
      changes: [{ amount: -parseEther('5') }, { amount: price }],
    })
    expect(risks).toContainEqual({
      kind: 'unreturned',
      calls: 1,
      token: nativeTokenAddress,
      amount: parseEther('5'),
      isGrave: true,
    })
    await expect(agreeBlindly(approval)).rejects.toMatchObject(refused)
    expect(await nonce()).toBe(0)
    await agreeTo(approval)
    expect((await made.desk.worker.over(approval.id)).outcome.status).toBe('done')
  })

  it('requires acknowledgement when the first call returns only a small part', async () => {
    const first = shopCall('buy', [usdc(), 30_000_000n], 5)
    const { approval } = await request(first, shopCall('claim', [usdc(), price]))
    await expect(agreeBlindly(approval)).rejects.toMatchObject(refused)
  })

  it('requires acknowledgement when a middle call takes the payment', async () => {
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [made.shop, 1_000n],
    })
    const [deposit, claim] = calls() as [ReturnType<typeof shopCall>, ReturnType<typeof shopCall>]
    const { approval } = await request({ to: usdc(), data: approve, value: '0x0' }, deposit, claim)
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual(
      expect.objectContaining({ kind: 'unreturned', calls: 2, token: nativeTokenAddress }),
    )
    await expect(agreeBlindly(approval)).rejects.toMatchObject(refused)
  })

  it('throws outcome-changed when the payout moves to another call after the preview', async () => {
    const { approval } = await request(
      shopCall('buy', [usdc(), price], 5),
      shopCall('claim', [usdc(), 1_000n]),
    )
    const { simulation, risks } = await made.desk.preview(approval)
    expect(simulation).toMatchObject({ status: 'succeeds' })
    expect(risks.filter(({ kind }) => kind === 'unreturned')).toEqual([])
    await expect(agreeTo(approval, () => own('postpone', []))).rejects.toMatchObject({
      code: 'outcome-changed',
    })
    expect(await nonce()).toBe(0)
  })
})

describe('honest batch', () => {
  beforeEach(async () => {
    const chain = await made.desk.worker.networks.chain(31337)
    await made.desk.assets.add(31337, await chain.token(usdc()), '')
  })

  it('requires no acknowledgement for an approval and an exchange', async () => {
    const args = [made.shop, 1_000n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    const { approval } = await request(
      { to: usdc(), data, value: '0x0' },
      shopCall('buy', [usdc(), price], 5),
    )
    const { risks } = await made.desk.preview(approval)
    expect(risks.filter(({ isGrave }) => isGrave)).toEqual([])
  })

  it('requires no acknowledgement for two exchanges that each pay their share', async () => {
    const half = () => shopCall('buy', [usdc(), price / 2n], 2)
    const { approval } = await request(half(), half())
    const { risks } = await agreeTo(approval)
    expect(risks.filter(({ isGrave }) => isGrave)).toEqual([])
    expect((await made.desk.worker.over(approval.id)).outcome.status).toBe('done')
  })
})
