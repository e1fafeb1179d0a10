import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { formatRoute, formatSource, formatSymbol, shortAddress } from '../../../src/ui/format/address.ts'

describe('formatSymbol', () => {
  const address = `0x${'ab'.repeat(20)}` as const

  it('removes invisible characters and bidi controls', () => {
    expect(formatSymbol({ symbol: 'US\u202eDC\u200b\n', address })).toBe('USDC')
  })

  it('cuts a symbol to 12 characters', () => {
    expect(formatSymbol({ symbol: 'ABCDEFGHIJKLMNOP', address })).toBe('ABCDEFGHIJK…')
  })

  it('falls back to the short address when no visible character is left', () => {
    expect(formatSymbol({ symbol: '\u200b\u202e', address })).toBe('0xabab…abab')
    expect(shortAddress(address)).toBe('0xabab…abab')
  })

  it('keeps the token’s own short address and rewrites one of another address', () => {
    expect(formatSymbol({ symbol: shortAddress(address), address })).toBe('0xabab…abab')
    expect(formatSymbol({ symbol: '0x2a53…7c3d', address })).toBe('0x2a53...7c…')
  })
})

describe('formatSource', () => {
  it.each([
    ['UNISWAP_V3', 'Uniswap V3'],
    ['BALANCER_V2_STABLE', 'Balancer V2 Stable'],
    ['SUSHI', 'Sushi'],
    ['PMM_RFQ', 'PMM RFQ'],
    ['WETH', 'WETH'],
    ['WMATIC', 'WMATIC'],
    ['PANCAKESWAP_V3', 'PancakeSwap V3'],
    ['LIDO_WSTETH', 'Lido wstETH'],
    ['SKY_PSM', 'Sky PSM'],
    ['1inch Pool', '1inch Pool'],
    ['EVIL\u202eNAME', 'Evilname'],
  ])('formats source %s as %s', (id, name) => {
    expect(formatSource(id)).toBe(name)
  })
})

describe('formatRoute', () => {
  const [eth, dai, usdc] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
  const symbolOf = (address: string) => ({ [eth]: 'ETH', [dai]: 'DAI', [usdc]: 'USDC' })[address] ?? '?'
  const hop = (buy: typeof eth, ...names: string[]) => ({
    buy,
    share: undefined,
    sources: names.map((name) => ({ name, share: undefined })),
  })

  it('names a single source, or counts different sources and names the intermediate token', () => {
    const direct: Route = [{ token: eth, hops: [hop(usdc, 'UNISWAP_V3')] }]
    expect(formatRoute(direct, symbolOf)).toBe('Uniswap V3')
    const split: Route = [
      { token: eth, hops: [hop(usdc, 'UNISWAP_V3', 'UNISWAP_V2'), hop(dai, 'STABLE')] },
      { token: dai, hops: [hop(usdc, 'UNISWAP_V2')] },
    ]
    expect(formatRoute(split, symbolOf)).toBe('3 sources via DAI')
  })
})
