import { describe, expect, it } from 'vitest'
import { emptyForm } from '../../../../src/state/swap/swapForm.ts'
import { slippageReason } from '../../../../src/ui/swap/slippage/slippageChip.ts'
import { eth, settings, usdc } from '../../../helpers/state/fakes.ts'

const form = { ...emptyForm, chainId: 31337, sell: eth, buy: usdc }
const { slippageBps: _, ...auto } = settings

describe('slippageReason', () => {
  it('distinguishes automatic from chosen slippage', () => {
    expect(slippageReason(form, auto, 100)).toBe('auto')
    expect(slippageReason(form, settings, 50)).toBeUndefined()
    expect(slippageReason({ ...form, slippageBps: 'auto' }, settings, 100)).toBe('auto')
    expect(slippageReason({ ...form, slippageBps: 70 }, auto, 70)).toBeUndefined()
  })

  it('reports a slippage that the site limits', () => {
    for (const slippageBps of [undefined, 'auto', 70] as const) {
      expect(slippageReason({ ...form, slippageBps }, auto, 10)).toBe('limited')
    }
  })
})
