import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { formatRoute, formatSource, formatSymbol, shortAddress } from '../../../src/ui/format/address.ts'

describe('names from outside', () => {
  const address = `0x${'ab'.repeat(20)}` as const

  it('lose what cannot be seen and what turns the writing around', () => {
    expect(formatSymbol({ symbol: 'US\u202eDC\u200b\n', address })).toBe('USDC')
  })

  it('are cut after 12 characters', () => {
    expect(formatSymbol({ symbol: 'ABCDEFGHIJKLMNOP', address })).toBe('ABCDEFGHIJK…')
  })

  it('give way to the address when nothing is left of them', () => {
    expect(formatSymbol({ symbol: '\u200b\u202e', address })).toBe('0xabab…abab')
    expect(shortAddress(address)).toBe('0xabab…abab')
  })

  it('is the short address as it stands where a token has none', () => {
    expect(formatSymbol({ symbol: shortAddress(address), address })).toBe('0xabab…abab')
    expect(formatSymbol({ symbol: '0x2a53…7c3d', address })).toBe('0x2a53...7c…')
  })
})

describe('a source', () => {
  it.each([
    ['UNISWAP_V3', 'Uniswap V3'],
    ['BALANCER_V2_STABLE', 'Balancer V2 Stable'],
    ['SUSHI', 'Sushi'],
    ['PMM_RFQ', 'PMM RFQ'],
    ['WETH', 'WETH'],
    ['WMATIC', 'WMATIC'],
    ['1inch Pool', '1inch Pool'],
    ['EVIL\u202eNAME', 'Evilname'],
  ])('%s is %s', (id, name) => {
    expect(formatSource(id)).toBe(name)
  })
})

describe('a route in words', () => {
  const [eth, dai, usdc] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
  const symbolOf = (address: string) => ({ [eth]: 'ETH', [dai]: 'DAI', [usdc]: 'USDC' })[address] ?? '?'
  const hop = (buy: typeof eth, ...names: string[]) => ({
    buy,
    share: undefined,
    sources: names.map((name) => ({ name, share: undefined })),
  })

  it('names its one source, or counts them, and says what lies between', () => {
    const direct: Route = [{ token: eth, hops: [hop(usdc, 'UNISWAP_V3')] }]
    expect(formatRoute(direct, symbolOf)).toBe('Uniswap V3')
    const split: Route = [
      { token: eth, hops: [hop(usdc, 'UNISWAP_V3', 'UNISWAP_V2'), hop(dai, 'STABLE')] },
      { token: dai, hops: [hop(usdc, 'UNISWAP_V2')] },
    ]
    expect(formatRoute(split, symbolOf)).toBe('4 sources via DAI')
  })
})
