/** A token of the local world. The fields beyond `cents` and `gift` are a token list's own. */
export type WorldToken = {
  symbol: TokenSymbol
  name: string
  decimals: number
  /** What one whole token is worth everywhere in this world, in US cents. */
  cents: bigint
  /** What a funded account gets, in whole tokens. */
  gift: bigint
  eip2612?: boolean
  domainVersion?: string
  isFoT?: boolean
  tags: string[]
}

export type TokenSymbol = 'WETH' | 'USDC' | 'USDT' | 'DAI' | 'WBTC' | 'LINK' | 'BROOK' | 'DTT'

export const tokens: readonly WorldToken[] = [
  {
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
    cents: 3_000_00n,
    gift: 5n,
    tags: ['wrapped'],
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    cents: 1_00n,
    gift: 25_000n,
    eip2612: true,
    domainVersion: '2',
    tags: ['stablecoin'],
  },
  { symbol: 'USDT', name: 'Tether USD', decimals: 6, cents: 1_00n, gift: 25_000n, tags: ['stablecoin'] },
  { symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18, cents: 1_00n, gift: 25_000n, tags: ['stablecoin'] },
  { symbol: 'WBTC', name: 'Wrapped Bitcoin', decimals: 8, cents: 60_000_00n, gift: 1n, tags: [] },
  { symbol: 'LINK', name: 'Chainlink', decimals: 18, cents: 15_00n, gift: 1_000n, tags: [] },
  // Traded for DAI alone, so that most routes to it need a connector or two.
  { symbol: 'BROOK', name: 'Brook', decimals: 18, cents: 25n, gift: 20_000n, tags: [] },
  {
    // Burns 1 % of every transfer.
    symbol: 'DTT',
    name: 'Deflating Test Token',
    decimals: 18,
    cents: 2_00n,
    gift: 1_000n,
    eip2612: true,
    domainVersion: '1',
    isFoT: true,
    tags: ['tax'],
  },
]

export function findToken(symbol: TokenSymbol): WorldToken {
  const token = tokens.find((candidate) => candidate.symbol === symbol)
  if (!token) throw new Error(`The local world has no token called ${symbol}.`)
  return token
}

/** What the deployer keeps to fill pools and accounts from, in base units: a billion whole tokens. */
export function initialSupply({ decimals }: WorldToken): bigint {
  return 10n ** BigInt(9 + decimals)
}

/** What `usd` dollars buy of a token, in its base units, rounded down. */
export function unitsForUsd({ cents, decimals }: WorldToken, usd: number): bigint {
  return (BigInt(usd) * 100n * 10n ** BigInt(decimals)) / cents
}
