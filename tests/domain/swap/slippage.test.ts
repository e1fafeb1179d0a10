import { describe, expect, it } from 'vitest'
import { withChainConstants } from '../../../src/domain/network/chains.ts'
import { autoSlippage } from '../../../src/domain/swap/slippage.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { local } from '../../helpers/state/fakes.ts'

function token(symbol: string, tags: string[] = [], changes: Partial<Token> = {}): Token {
  return {
    address: `0x${'a'.repeat(40)}`,
    symbol,
    name: symbol,
    decimals: 18,
    listed: true,
    eip2612: false,
    taxed: false,
    tags,
    ...changes,
  }
}

const coin = token('ETH', ['native'], { address: nativeTokenAddress })
const weth = token('WETH', ['wrapped'])
const steth = token('stETH', ['PEG:ETH'])
const usdc = token('USDC', ['stablecoin'])
const usdt = token('USDT', ['tokens', 'PEG:USD'])
const eurc = token('EURC', ['PEG:EUR'])
const wbtc = token('WBTC')
const tbtc = token('tBTC')
const link = token('LINK')

describe('autoSlippage', () => {
  it.each([
    ['two stablecoins', usdc, token('DAI', ['stablecoin']), 10],
    ['stablecoins by either tag', usdc, usdt, 10],
    ['the coin and itself as a token', coin, weth, 10],
    ['the coin and what is pegged to it', steth, coin, 10],
    ['two bitcoins', wbtc, tbtc, 10],
    ['the coin and a stablecoin', coin, usdc, 50],
    ['stablecoins of two currencies', usdc, eurc, 50],
    ['a stablecoin of another currency than the dollar', token('EURC', ['stablecoin', 'PEG:EUR']), usdc, 50],
    ['bitcoin and the coin', wbtc, weth, 50],
    ['anything else', link, usdc, 100],
    ['two of anything else', link, token('UNI'), 100],
    ['nothing yet', coin, undefined, 100],
  ])('chooses the slippage for %s', (_name, sell, buy, bps) => {
    expect(autoSlippage(sell, buy, undefined)).toBe(bps)
    expect(autoSlippage(buy, sell, undefined)).toBe(bps)
  })

  it('ignores the symbol and tags of an unlisted token', () => {
    for (const named of [token('USDC', ['stablecoin']), token('WBTC'), token('WETH', ['wrapped'])]) {
      expect(autoSlippage({ ...named, listed: false }, usdc, undefined)).toBe(100)
    }
  })

  it('allows more slippage for a token with a transfer fee', () => {
    expect(autoSlippage({ ...usdt, taxed: true }, usdc, undefined)).toBe(100)
  })

  it('distinguishes another chain’s native token from tokens pegged to ether', () => {
    const bnb = token('BNB', ['native'], { address: nativeTokenAddress })
    expect(autoSlippage(bnb, token('WBNB', ['wrapped']), undefined)).toBe(10)
    expect(autoSlippage(bnb, token('ETH', ['PEG:ETH']), undefined)).toBe(50)
  })

  describe('swaps without a token list of the service', () => {
    const read = (symbol: string, address: Address) => token(symbol, [], { listed: false, address })
    const eth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
    const usd = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
    const mainnet = withChainConstants({ ...local, chainId: 1 })
    const [weth, usdc] = [read('WETH', eth), read('USDC', usd)]
    const usdt = read('USDT', '0xdac17f958d2ee523a2206206994597c13d831ec7')
    const wbtc = read('WBTC', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599')

    it.each([
      ['the coin and itself as a token', coin, weth, 10],
      ['two dollars', usdc, usdt, 10],
      ['the coin and the main stable', coin, usdc, 50],
      ['bitcoin and a dollar', wbtc, usdt, 50],
      ['what only calls itself a dollar', usdc, read('USDT', `0x${'7'.repeat(40)}`), 100],
      ['what only calls itself bitcoin', usdc, read('WBTC', `0x${'7'.repeat(40)}`), 100],
      ['one that takes a fee of its own', usdc, { ...usdt, taxed: true }, 100],
    ])('chooses the slippage for %s from the wallet’s own constants', (_name, sell, buy, bps) => {
      expect(autoSlippage(sell, buy, mainnet)).toBe(bps)
    })

    it('recognises an address only on its own chain', () => {
      for (const chainId of [5, 56])
        expect(autoSlippage(usdc, usdt, withChainConstants({ ...local, stable: eth, chainId }))).toBe(100)
    })
  })
})
