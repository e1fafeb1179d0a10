import { describe, expect, it } from 'vitest'
import { lookalikeOf } from '../../src/domain/lookalike.ts'
import { searchTokens } from '../../src/state/search.ts'
import { dai, eth, token, usdc } from './standIns.ts'

const usdt = { ...token('d', 'USDT', 6), name: 'Tether USD' }
const wrapped = { ...token('f', 'WETH', 18), name: 'Wrapped Ether' }
const all = [eth, usdc, dai, usdt, wrapped]

function found(text: string, balances = {}) {
  const { held, others } = searchTokens(all, balances, text)
  return [held.map(({ symbol }) => symbol), others.map(({ symbol }) => symbol)]
}

describe('searching tokens', () => {
  it('gives all of them for no text, the held ones apart', () => {
    expect(found(' ', { [dai.address]: 3n, [usdc.address]: 0n })).toEqual([
      ['DAI'],
      ['ETH', 'USDC', 'USDT', 'WETH'],
    ])
  })

  it('finds by symbol in any case, the exact one first', () => {
    expect(found('eth')[1]).toEqual(['ETH', 'WETH'])
    expect(found('UsD')[1]).toEqual(['USDC', 'USDT'])
  })

  it('finds by the beginning of a name or of a word in it', () => {
    expect(found('tether')[1]).toEqual(['USDT'])
    expect(found('wrapped e')[1]).toEqual(['WETH'])
  })

  it('finds by address in any letter case and with spaces around', () => {
    expect(found(` 0x${'A'.repeat(40)} `)[1]).toEqual(['USDC'])
    expect(found('dddd')[1]).toEqual(['USDT'])
  })

  it('finds nothing for what none is called', () => {
    expect(found('zzz')).toEqual([[], []])
  })

  it('goes through 5,000 tokens and tells how long that took', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...token('1', `T${index}`, 18),
      name: `Token number ${index}`,
    }))
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now()
      searchTokens(many, {}, 'number 4')
      return performance.now() - began
    }).sort((one, other) => one - other)
    console.log(`search over 5,000 tokens: median ${times[4]?.toFixed(2)} ms`)
    expect(searchTokens(many, {}, 'number 4').others).toHaveLength(1_111)
  })
})

describe('a look-alike', () => {
  it.each([
    ['USDC', 'the same letters'],
    ['usdc', 'another case'],
    ['US\u200bDC', 'an invisible character'],
    ['USD\u0421', 'a Cyrillic С'],
    ['ＵＳＤＣ', 'full-width letters'],
    ['U5DC', 'a digit'],
  ])('%s of another address is one of the listed USDC: %s', (symbol) => {
    expect(lookalikeOf({ ...token('9', symbol, 6, false) }, all)).toEqual(usdc)
  })

  it('is not a token of its own name, nor the listed one itself', () => {
    expect(lookalikeOf(token('9', 'PEPE', 18, false), all)).toBeUndefined()
    expect(lookalikeOf(usdc, all)).toBeUndefined()
  })
})
