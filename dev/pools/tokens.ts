/** All but `cents` and `gift` is in the token list. */
export type LocalnetToken = {
  symbol: TokenSymbol
  name: string
  decimals: number
  /** Price in US cents. */
  cents: bigint
  /** Whole tokens per funded account. */
  gift: bigint
  eip2612?: boolean
  domainVersion?: string
  isFoT?: boolean
  tags: string[]
}

export type TokenSymbol = 'WETH' | 'USDC' | 'USDT' | 'DAI' | 'WBTC' | 'LINK' | 'BROOK' | 'DTT'

export const tokens: readonly LocalnetToken[] = [
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
  // Traded only for DAI: routes need connectors.
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

export function findToken(symbol: TokenSymbol): LocalnetToken {
  const token = tokens.find((candidate) => candidate.symbol === symbol)
  if (!token) throw new Error(`The localnet has no token called ${symbol}.`)
  return token
}

/** A billion tokens, in base units. */
export function initialSupply({ decimals }: Pick<LocalnetToken, 'decimals'>): bigint {
  return 10n ** BigInt(9 + decimals)
}

/** Rounded down. */
export function unitsForUsd(
  { cents, decimals }: Pick<LocalnetToken, 'cents' | 'decimals'>,
  usd: number,
): bigint {
  return (BigInt(usd) * 100n * 10n ** BigInt(decimals)) / cents
}
