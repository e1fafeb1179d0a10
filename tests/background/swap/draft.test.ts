import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { createDrafts } from '../../../src/background/swap/draft.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Draft } from '../../../src/protocol.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const dai = pad('0x1', { size: 20 })
const draft: Draft = { chainId: 31337, sell: nativeTokenAddress, buy: dai, amount: '1,5', side: 'sell' }

function opened() {
  const areas = { session: memoryArea(), local: memoryArea() }
  return { ...areas, drafts: createDrafts(areas) }
}

describe('createDrafts', () => {
  it('returns the draft as it was saved', async () => {
    const { drafts, ...areas } = opened()
    const whole: Draft = {
      ...draft,
      side: 'buy',
      slippageBps: 30,
      receiver: dai,
      excluded: ['LOCAL_V2'],
      allowPartialFill: true,
    }
    await drafts.save(whole)
    expect(await createDrafts(areas).get(31337)).toEqual(whole)
  })

  it('does not store a private key pasted as the amount', async () => {
    const { drafts, session } = opened()
    await drafts.save({ ...draft, amount: '5e'.repeat(32) })
    expect(JSON.stringify(await session.get('draft'))).not.toContain('5e5e')
    expect(await drafts.get(31337)).toEqual({ ...draft, amount: '' })
  })

  it('keeps the swap ID and the automatic slippage', async () => {
    const { drafts } = opened()
    const made: Draft = { ...draft, slippageBps: 'auto', swapId: 'ab'.repeat(16) }
    await drafts.save(made)
    expect(await drafts.get(31337)).toEqual(made)
  })

  it('keeps a draft without a bought token, and stores no pair for it', async () => {
    const { drafts, local } = opened()
    const { buy: _, ...half } = draft
    await drafts.save(half)
    expect(await drafts.get(31337)).toEqual(half)
    expect(local.items.size).toBe(0)
  })

  it('reads a draft without a side as one to sell', async () => {
    const { session, drafts } = opened()
    const { side: _, ...old } = draft
    await session.set({ draft: old })
    expect(await drafts.get(31337)).toEqual(draft)
  })

  it('returns no draft at first, and none when it is damaged', async () => {
    const { session, local, drafts } = opened()
    expect(await drafts.get(31337)).toBeUndefined()
    await session.set({ draft: { ...draft, sell: 7 } })
    await local.set({ pairs: { 31337: { sell: nativeTokenAddress } } })
    expect(await drafts.get(31337)).toBeUndefined()
    await drafts.save(draft)
    expect(await drafts.get(31337)).toEqual(draft)
  })

  it('rejects an invalid draft', async () => {
    const { drafts, session, local } = opened()
    for (const odd of [
      { ...draft, slippageBps: 5_001 },
      { ...draft, side: 'both' },
      { ...draft, excluded: ['A,B'] },
      { ...draft, receiver: '0x12' },
    ]) {
      await expect(drafts.save(odd)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect([session.items.size, local.items.size]).toEqual([0, 0])
  })
})

describe('createDrafts: last pair', () => {
  it('keeps the pair of each network across a browser restart, without the amount', async () => {
    const { drafts, local } = opened()
    const base = { ...draft, chainId: 8453, sell: dai, buy: nativeTokenAddress }
    await drafts.save(draft)
    await drafts.save({ ...base, receiver: dai, slippageBps: 30 })
    const pair = { chainId: 31337, sell: nativeTokenAddress, buy: dai, amount: '', side: 'sell' }
    expect(await drafts.get(31337)).toEqual(pair)
    const restarted = createDrafts({ session: memoryArea(), local })
    expect(await restarted.get(31337)).toEqual(pair)
    expect(await restarted.get(8453)).toEqual({ ...base, amount: '', side: 'sell' })
    expect(await restarted.get(1)).toBeUndefined()
  })

  it('writes the pair when it changes, and not with every character', async () => {
    const { session, local } = opened()
    let writes = 0
    const counted = {
      ...local,
      async set(items: Record<string, unknown>) {
        writes += 1
        await local.set(items)
      },
    }
    const drafts = createDrafts({ session, local: counted })
    for (const amount of ['1', '12', '123']) await drafts.save({ ...draft, amount })
    expect(writes).toBe(1)
    await drafts.save({ ...draft, sell: dai, buy: nativeTokenAddress })
    expect(writes).toBe(2)
  })
})
