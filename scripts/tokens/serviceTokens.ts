import type { Address } from '../../src/domain/token/token.ts'

export type PinnedToken = { address: Address; symbol: string; name: string; decimals: number }

/**
 * Tokens of the service's lists that the packages lack on a chain, or disagree about. From the lists that
 * were written by hand; the service compares decimals with the chain.
 */
export const pinnedTokens: Readonly<Record<number, readonly PinnedToken[]>> = {
  56: [
    {
      address: '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82',
      symbol: 'CAKE',
      name: 'PancakeSwap Token',
      decimals: 18,
    },
    { address: '0x14016e85a25aeb13065688cafb43044c2ef86784', symbol: 'TUSD', name: 'TrueUSD', decimals: 18 },
    { address: '0x1d2f0da169ceb9fc7b3144628db156f3f6c60dbe', symbol: 'XRP', name: 'XRP Token', decimals: 18 },
    {
      address: '0x3ee2200efb3400fabb9aacf31297cbdd1d435d47',
      symbol: 'ADA',
      name: 'Cardano Token',
      decimals: 18,
    },
    { address: '0xba2ae424d960c26247dd6c32edc70b295c744c43', symbol: 'DOGE', name: 'Dogecoin', decimals: 8 },
    { address: '0x570a5d26f7765ecb712c0924e4de545b89fd43df', symbol: 'SOL', name: 'SOLANA', decimals: 18 },
    { address: '0xcf6bb5389c92bdda8a3747ddb454cb7a64626c63', symbol: 'XVS', name: 'Venus', decimals: 18 },
    {
      address: '0x4b0f1812e5df2a09796481ff14017e6005508003',
      symbol: 'TWT',
      name: 'Trust Wallet',
      decimals: 18,
    },
  ],
  8453: [
    {
      address: '0x3055913c90fcc1a6ce9a358911721eeb942013a1',
      symbol: 'CAKE',
      name: 'PancakeSwap Token',
      decimals: 18,
    },
  ],
}

/** Symbols of tokens that follow a currency. The lists have each symbol once, with its real contract. */
export const stablecoinSymbols: ReadonlySet<string> = new Set(
  `USDC USDT USDt USDT0 DAI DAI.e USDC.e USDT.e USDbC USDe USDS GHO PYUSD USD1 RLUSD FDUSD AUSD USDG USDtb TUSD
   EURC EURe EURA EURS agEUR FRAX LUSD crvUSD USDP GUSD mUSD BUSD sUSD MIM MAI miMATIC DOLA USDV XSGD AUDD`.split(
    /\s+/,
  ),
)
