import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { createDrafts } from '../../src/background/draft.ts'
import { native } from '../../src/domain/token.ts'
import { memoryArea } from './memory.ts'

describe('createDrafts', () => {
  const draft = { chainId: 31337, sell: native, buy: pad('0x1', { size: 20 }), amount: '1,5' }

  it('gives back the form as it was left', async () => {
    const area = memoryArea()
    await createDrafts(area).save({ ...draft, slippageBps: 30 })
    expect(await createDrafts(area).get()).toEqual({ ...draft, slippageBps: 30 })
  })

  it('has none at first, and none for a damaged one', async () => {
    const area = memoryArea()
    expect(await createDrafts(area).get()).toBeUndefined()
    await area.set({ draft: { ...draft, sell: 7 } })
    expect(await createDrafts(area).get()).toBeUndefined()
  })

  it('refuses what is no draft', async () => {
    await expect(createDrafts(memoryArea()).save({ ...draft, slippageBps: 5_001 })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})
