/** Drawing of `@web3icons/core`, by its name there, or one composed of its shapes. */
export type Drawing =
  | { kind: 'token' | 'network'; name: string }
  /** The native token's own drawing on a light ground. */
  | { kind: 'wrapped'; name: string }
  /** White shape on a coloured ground. */
  | { kind: 'mono'; name: string; ground: string }

/** Blue of Coinbase's wrapped assets, blue of Lido's. */
const [coinbase, lido] = ['#0052ff', '#00a3ff']
/** Ground of bridged dollars, unlike the issuer's own. */
const bridged = '#66758c'

/**
 * Drawings of listed tokens that the package knows under another name or not by this chain's contract. Each
 * was compared with the project's own logo.
 */
export const drawingsBySymbol: Readonly<Record<string, Drawing>> = {
  WETH: { kind: 'wrapped', name: 'ETH' },
  'WETH.e': { kind: 'wrapped', name: 'ETH' },
  WBNB: { kind: 'wrapped', name: 'BNB' },
  WPOL: { kind: 'wrapped', name: 'POL' },
  WAVAX: { kind: 'wrapped', name: 'AVAX' },
  WXDAI: { kind: 'wrapped', name: 'DAI' },
  stETH: { kind: 'mono', name: 'ETH', ground: lido },
  wstETH: { kind: 'mono', name: 'ETH', ground: '#1b5fc0' },
  BTCB: { kind: 'mono', name: 'BTC', ground: '#d99a00' },
  'BTC.b': { kind: 'mono', name: 'BTC', ground: '#e84142' },
  cbBTC: { kind: 'mono', name: 'BTC', ground: coinbase },
  cbXRP: { kind: 'mono', name: 'XRP', ground: coinbase },
  CBDOGE: { kind: 'mono', name: 'DOGE', ground: coinbase },
  cbADA: { kind: 'mono', name: 'ADA', ground: coinbase },
  cbLTC: { kind: 'mono', name: 'LTC', ground: coinbase },
  cbZEC: { kind: 'mono', name: 'ZEC', ground: coinbase },
  sDAI: { kind: 'mono', name: 'DAI', ground: '#2f8f4e' },
  'USDC.e': { kind: 'mono', name: 'USDC', ground: bridged },
  USDbC: { kind: 'mono', name: 'USDC', ground: bridged },
  USDT0: { kind: 'token', name: 'USDT' },
  XAUt0: { kind: 'token', name: 'XAUT' },
  MAI: { kind: 'token', name: 'MIMATIC' },
  ETH: { kind: 'token', name: 'ETH' },
  ZORA: { kind: 'network', name: 'zora' },
  PLUME: { kind: 'network', name: 'plume' },
  HYPE: { kind: 'network', name: 'hyper-evm' },
  Zeta: { kind: 'network', name: 'zeta-chain' },
  MAGIC: { kind: 'network', name: 'treasure' },
  WLD: { kind: 'network', name: 'world' },
  INJ: { kind: 'network', name: 'injective' },
  IOTX: { kind: 'network', name: 'iotex' },
  VANRY: { kind: 'network', name: 'vanar' },
}

/** Same project under the same symbol, though the package lacks this chain's contract; compared by name. */
export const sameSymbols: ReadonlySet<string> = new Set(
  `SOL IMX DYDX ZRX CELO GTC BOBA SNT XYO FIS SUKU METIS EURe TAO DOGE XRP ZEC KNC OXT WELL RSC TRAC NKN OGN
   MLN POWR PRO RARI SWELL COTI DENT ILV YGG GODS ARKM PRIME PORTAL MEME`.split(/\s+/),
)

/** Native tokens by symbol. One xDAI is one DAI by the chain's own bridge. */
export const nativeDrawings: Readonly<Record<string, Drawing>> = {
  ETH: { kind: 'token', name: 'ETH' },
  BNB: { kind: 'token', name: 'BNB' },
  POL: { kind: 'token', name: 'POL' },
  AVAX: { kind: 'token', name: 'AVAX' },
  xDAI: { kind: 'token', name: 'DAI' },
}
