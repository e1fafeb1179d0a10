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

describe('intent schema', () => {
  it('parses a stored intent unchanged', () => {
    expect(v.parse(intent, old)).toEqual(old)
  })

  it('drops the requested minimum of older intents', () => {
    expect(v.parse(intent, { ...old, atLeast: 7n })).toEqual(old)
  })

  it('rejects a negative minReturn', () => {
    expect(v.is(intent, { ...old, floor: -1n })).toBe(false)
  })
})
