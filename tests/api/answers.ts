import type { Trade } from '../../src/domain/swap/quote.ts'
import type { Address } from '../../src/domain/token/token.ts'

export const account: Address = `0x${'a1'.repeat(20)}`
export const dai: Address = `0x${'da'.repeat(20)}`
export const weth: Address = `0x${'e7'.repeat(20)}`
export const usdc: Address = `0x${'05'.repeat(20)}`
export const router: Address = `0x${'9a'.repeat(20)}`

export const trade: Trade = { chainId: 31337, sell: dai, buy: usdc, amount: 5_000_000_000_000_000_000n }

const protocols = [
  {
    token: dai,
    hops: [
      {
        part: 62.5,
        dst: weth,
        fromTokenId: 0,
        toTokenId: 1,
        protocols: [
          { name: 'UNISWAP_V2', part: 12.5 },
          { name: 'UNISWAP_V3', part: 50 },
        ],
      },
      {
        part: 37.5,
        dst: usdc,
        fromTokenId: 0,
        toTokenId: 2,
        protocols: [{ name: 'UNISWAP_V3', part: 37.5 }],
      },
    ],
  },
  {
    token: weth,
    hops: [
      { part: 100, dst: usdc, fromTokenId: 1, toTokenId: 2, protocols: [{ name: 'UNISWAP_V2', part: 100 }] },
    ],
  },
]

export const quote = { dstAmount: '4987654', protocols, gas: 254_321 }

export const swap = {
  dstAmount: '4987655',
  protocols,
  tx: {
    from: account,
    to: router,
    data: '0x07ed2379beef',
    value: '0',
    gasPrice: '1500000000',
    gas: 301_000,
  },
}

export const sources = {
  protocols: [
    {
      id: 'UNISWAP_V2',
      title: 'Uniswap V2',
      img: 'https://x.test/v2.png',
      img_color: 'https://x.test/v2c.png',
    },
    { id: 'CURVE', title: 'Curve\u202e', img: '', img_color: '' },
  ],
}

export const tokens = {
  tokens: {
    [dai]: {
      address: dai,
      symbol: 'DAI',
      name: 'Dai Stablecoin',
      decimals: 18,
      logoURI: '',
      eip2612: true,
      tags: ['stablecoin'],
    },
    [usdc]: { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals: 6, logoURI: '', isFoT: true },
  },
}
