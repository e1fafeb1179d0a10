import { describe, expect, it } from 'vitest'
import { useBazaarStage } from '../../../helpers/background/bazaarStage.ts'

const { made, own, shopCall, request, agreeTo, nonce } = useBazaarStage()

describe('NFT purchase requested by a page', () => {
  it('throws outcome-changed when another id of the collection would arrive', async () => {
    const { approval } = await request(shopCall('buyItems', [1n], 1))
    const exchange = () => own('offer', [9999n])
    await expect(agreeTo(approval, exchange)).rejects.toMatchObject({
      code: 'outcome-changed',
      facts: { token: made.shop, expected: '1', found: '0' },
    })
    expect(await nonce()).toBe(0)
  })

  it('throws outcome-changed when one of several items is exchanged', async () => {
    await own('offer', [5n])
    const { approval } = await request(shopCall('buyItems', [3n], 1))
    await expect(agreeTo(approval, () => own('offer', [6n]))).rejects.toMatchObject({
      code: 'outcome-changed',
    })
  })

  it('throws outcome-changed when copies of another id would arrive', async () => {
    const { approval } = await request(shopCall('buyCopies', [100n], 1))
    await expect(agreeTo(approval, () => own('offer', [2n]))).rejects.toMatchObject({
      code: 'outcome-changed',
      facts: { token: made.shop, expected: '100', found: '0' },
    })
    expect(await nonce()).toBe(0)
  })

  it('throws outcome-changed when the id is random after a fixed one was shown', async () => {
    const { approval } = await request(shopCall('buyItems', [1n], 1))
    await expect(agreeTo(approval, () => own('offer', [0n]))).rejects.toMatchObject({
      code: 'outcome-changed',
    })
  })

  it('sends the purchase when the shown items arrive', async () => {
    const { answer, approval } = await request(shopCall('buyItems', [2n], 1))
    const { simulation, risks } = await agreeTo(approval)
    expect(simulation).toMatchObject({ changes: [{}, { nft: 1n, amount: 1n }, { nft: 2n }] })
    expect(risks).toEqual([])
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('sends a purchase of random ids when their number is as shown', async () => {
    await own('offer', [0n])
    const { answer, approval } = await request(shopCall('buyItems', [2n], 1))
    const { simulation, risks } = await agreeTo(approval, () => own('offer', [0n]))
    expect(simulation).toMatchObject({
      changes: [{}, { amount: 1n, isDrawn: true }, { amount: 1n, isDrawn: true }],
    })
    expect(risks).toEqual([])
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('sends the second call of a batch after the first one bought random ids', async () => {
    await own('offer', [0n])
    const { approval } = await request(shopCall('buyItems', [2n], 1), shopCall('deposit'))
    await agreeTo(approval)
    const { outcome } = await made.desk.worker.over(approval.id)
    expect(outcome.status).toBe('done')
    expect(await nonce()).toBe(2)
  })
})
