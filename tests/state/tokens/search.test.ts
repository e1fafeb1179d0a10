import { describe, expect, it } from 'vitest'
import { rankTokens } from '../../../src/state/tokens/search.ts'
import { dai, eth, token, usdc } from '../../helpers/state/fakes.ts'

const usdt = { ...token('d', 'USDT', 6), name: 'Tether USD' }
const wrapped = { ...token('f', 'WETH', 18), name: 'Wrapped Ether' }
const all = [eth, usdc, dai, usdt, wrapped]

function found(text: string) {
  return rankTokens(all, text).map(({ symbol }) => symbol)
}

describe('rankTokens', () => {
  it('returns all tokens in their order for an empty text', () => {
    expect(found(' ')).toEqual(['ETH', 'USDC', 'DAI', 'USDT', 'WETH'])
  })

  it('finds tokens by symbol in any letter case, the exact match first', () => {
    expect(found('eth')).toEqual(['ETH', 'WETH'])
    expect(found('UsD')).toEqual(['USDC', 'USDT'])
  })

  it('finds tokens by the beginning of the name', () => {
    expect(found('tether')).toEqual(['USDT'])
    expect(found('wrapped e')).toEqual(['WETH'])
  })

  it('finds tokens by address in any letter case and with surrounding spaces', () => {
    expect(found(` 0x${'A'.repeat(40)} `)).toEqual(['USDC'])
    expect(found('dddd')).toEqual(['USDT'])
  })

  it('returns no tokens for a text that matches none', () => {
    expect(found('zzz')).toEqual([])
  })

  it('searches 5,000 tokens and logs the median time', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...token('1', `T${index}`, 18),
      name: `Token number ${index}`,
    }))
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now()
      rankTokens(many, 'number 4')
      return performance.now() - began
    }).sort((one, other) => one - other)
    console.log(`search over 5,000 tokens: median ${times[4]?.toFixed(2)} ms`)
    expect(rankTokens(many, 'number 4')).toHaveLength(1_111)
  })
})
