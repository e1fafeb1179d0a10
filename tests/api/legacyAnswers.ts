import { account, dai, router, trade, usdc, weth } from './answers.ts'

export function piece(name: string, part: number, fromTokenAddress: string, toTokenAddress: string) {
  return { name, part, fromTokenAddress, toTokenAddress }
}

function described(address: string, symbol: string, decimals: number) {
  return { symbol, name: `${symbol} coin`, address, decimals, logoURI: '' }
}

const protocols = [
  [
    [piece('UNISWAP_V2', 20, dai, weth), piece('UNISWAP_V3', 80, dai, weth)],
    [piece('UNISWAP_V2', 100, weth, usdc)],
  ],
  [[piece('UNISWAP_V3', 100, dai, usdc)]],
]

const offer = {
  fromToken: described(dai, 'DAI', 18),
  toToken: described(usdc, 'USDC', 6),
  fromTokenAmount: String(trade.amount),
  toTokenAmount: '5000000',
  protocols,
}

export const quote = { ...offer, estimatedGas: 254_321 }

export const swap = {
  ...offer,
  tx: { from: account, to: router, data: '0x7c025200beef', value: '0', gasPrice: '1500000000', gas: 301_001 },
}

export const ids = { protocols: ['UNISWAP_V2', 'UNISWAP_V3', 'CURVE'] }

export const images = {
  protocols: [
    { id: 'UNISWAP_V2', title: 'Uniswap V2', img: 'https://x.test/v2.png' },
    { id: 'CURVE', title: 'Curve\u202e', img: '' },
  ],
}
