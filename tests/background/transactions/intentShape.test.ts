import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { intent } from '../../../src/background/schemas.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'

const account = `0x${'1'.repeat(40)}` as const
const old: SwapIntent = {
  id: 'ab'.repeat(16),
  account,
  trade: { chainId: 31337, sell: nativeTokenAddress, buy: account, amount: 1n },
  slippageBps: 50,
  floor: 1n,
  router: account,
  feeCap: 9n,
}

describe('an intent', () => {
  it('is read as it was stored', () => {
    expect(v.parse(intent, old)).toEqual(old)
  })

  it('from before the floor was all that another review goes by is read without the number that was typed', () => {
    expect(v.parse(intent, { ...old, atLeast: 7n })).toEqual(old)
  })

  it('names no number that is none', () => {
    expect(v.is(intent, { ...old, floor: -1n })).toBe(false)
  })
})
