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

describe('the draft', () => {
  it('is the form as it was left', async () => {
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

  it('stores no key that was pasted in the place of an amount', async () => {
    const { drafts, session } = opened()
    await drafts.save({ ...draft, amount: '5e'.repeat(32) })
    expect(JSON.stringify(await session.get('draft'))).not.toContain('5e5e')
    expect(await drafts.get(31337)).toEqual({ ...draft, amount: '' })
  })

  it('knows the swap that was made of it, and a slippage that fits the pair', async () => {
    const { drafts } = opened()
    const made: Draft = { ...draft, slippageBps: 'auto', swapId: 'ab'.repeat(16) }
    await drafts.save(made)
    expect(await drafts.get(31337)).toEqual(made)
  })

  it('is kept while a token is missing, and is no pair then', async () => {
    const { drafts, local } = opened()
    const { buy: _, ...half } = draft
    await drafts.save(half)
    expect(await drafts.get(31337)).toEqual(half)
    expect(local.items.size).toBe(0)
  })

  it('from before an amount to receive could be typed is one to sell', async () => {
    const { session, drafts } = opened()
    const { side: _, ...old } = draft
    await session.set({ draft: old })
    expect(await drafts.get(31337)).toEqual(draft)
  })

  it('is none at first, and none where it is damaged', async () => {
    const { session, local, drafts } = opened()
    expect(await drafts.get(31337)).toBeUndefined()
    await session.set({ draft: { ...draft, sell: 7 } })
    await local.set({ pairs: { 31337: { sell: nativeTokenAddress } } })
    expect(await drafts.get(31337)).toBeUndefined()
    await drafts.save(draft)
    expect(await drafts.get(31337)).toEqual(draft)
  })

  it('is refused where it is none', async () => {
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

describe('the last pair', () => {
  it('of each network outlives the browser, without the amount', async () => {
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

  it('is written when it changes, and not with every letter', async () => {
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
