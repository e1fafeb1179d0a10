import { describe, expect, it } from 'vitest'
import { autoSlippage } from '../../../../src/domain/swap/slippage.ts'
import { explainAuto, parseSlippage, warnSlippage } from '../../../../src/ui/swap/slippage/slippage.ts'
import { dai, eth, token, usdc } from '../../../helpers/state/fakes.ts'

describe('parseSlippage', () => {
  it.each([
    ['0.5', 50],
    ['0,5', 50],
    [' 1 % ', 100],
    ['0.01', 1],
    ['50', 5_000],
    ['12.34', 1_234],
    ['5.', 500],
    ['٠٫٥٪', 50],
    ['۰٫۵', 50],
    ['１．５％', 150],
  ])('parses %j as %s basis points', (text, bps) => {
    expect(parseSlippage(text)).toBe(bps)
  })

  it.each(['', '0', '0.001', '50.01', '0.123', '-1', 'one', '1.2.3', '1,000.5', '999999'])(
    'rejects %j with an error message',
    (text) => {
      expect(parseSlippage(text)).toMatch(/\.$/)
    },
  )
})

describe('warnSlippage', () => {
  it('warns below 0.1% and above 5%, and notes above 1%', () => {
    const tones = [1, 9, 10, 100, 101, 500, 501, 5_000].map((bps) => warnSlippage(bps)?.tone)
    expect(tones).toEqual(['warn', 'warn', undefined, undefined, 'plain', 'plain', 'warn', 'warn'])
  })
})

describe('explainAuto', () => {
  it('names the automatic slippage of the pair', () => {
    const stable = { ...usdc, tags: ['stablecoin'] }
    for (const other of [{ ...dai, tags: ['stablecoin'] }, eth, token('7', 'ODD', 18)]) {
      const bps = autoSlippage(stable, other, undefined)
      expect(explainAuto(bps)).toContain(`Auto is ${bps / 100}% because`)
    }
    expect(explainAuto(undefined)).toMatch(/0.1%.*0.5%.*1%/)
  })
})
