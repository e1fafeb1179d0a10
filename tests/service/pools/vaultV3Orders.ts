import type { V3Order } from '../../helpers/node/vaultV3Stage.ts'

const token = (decimals: number, amount: number) => ({ decimals, amount })
const percent = 10n ** 16n

/** Two to eight tokens, 0 to 18 decimals, tiny to huge, least and largest fees, with and without rates. */
export const ordersV3: readonly V3Order[] = [
  { tokens: [token(18, 1_000), token(6, 3_000_000)], weights: [50, 50], fee: percent / 10n },
  { tokens: [token(18, 80_000), token(18, 50)], weights: [80, 20], fee: percent },
  { tokens: [token(18, 9_900), token(8, 1)], weights: [99, 1], fee: percent / 1_000n },
  {
    tokens: [token(8, 12.5), token(18, 77.7), token(6, 123_456.789)],
    weights: [47, 31, 22],
    fee: 10n * percent,
  },
  {
    tokens: [18, 6, 8, 2, 18, 0, 18, 6].map((decimals, i) => token(decimals, 10 ** (1 + (i % 6)))),
    weights: [10, 15, 5, 20, 12, 18, 13, 7],
    fee: percent / 4n,
  },
  { tokens: [token(18, 3e-11), token(18, 4e-11)], weights: [33, 67], fee: percent },
  { tokens: [token(18, 2e20), token(6, 9e19)], weights: [60, 40], fee: percent },
  {
    tokens: [{ ...token(18, 5_000), rate: 1_123_456_789_012_345_678n }, token(6, 7_000_000)],
    weights: [30, 70],
    fee: percent / 2n,
  },
  { tokens: [token(6, 1_000_000), token(18, 1_100_000)], amplification: 200, fee: percent / 10_000n },
  { tokens: [token(6, 5_000), token(6, 9_000), token(18, 4_000)], amplification: 1, fee: percent / 100n },
  {
    tokens: [18, 6, 8, 2, 18].map((decimals, i) => token(decimals, 20_000 + 9_000 * i)),
    amplification: 50_000,
    fee: percent / 25n,
  },
  { tokens: [token(18, 2_000_000), token(18, 300)], amplification: 1_500, fee: 10n * percent },
  { tokens: [token(18, 1e-10), token(18, 1.3e-10)], amplification: 60, fee: percent / 10n },
  { tokens: [token(18, 1e18), token(18, 1.2e18)], amplification: 90, fee: percent / 10n },
  {
    tokens: [
      { ...token(18, 40_000), rate: 1_070_000_000_000_000_000n, paysYieldFees: true },
      { ...token(6, 41_000), rate: 987_654_321_098_765_432n },
      token(18, 39_000),
    ],
    amplification: 300,
    fee: percent / 50n,
  },
  {
    tokens: [{ ...token(18, 9_000), rate: 3n * 10n ** 18n, paysYieldFees: true }, token(18, 30_000)],
    amplification: 700,
    fee: percent / 50n,
  },
]

/** Dynamic fee, before and after a swap; a hook before liquidity is added changes no swap. */
export const hookedV3: readonly V3Order[] = [3, 4, 5, 6].map((hookFlag) => ({
  ...{ tokens: [token(18, 0), token(18, 0)], weights: [50, 50], fee: percent, hookFlag },
}))
