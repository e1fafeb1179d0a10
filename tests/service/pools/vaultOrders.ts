import type { Order } from './vaultStage.ts'

const token = (decimals: number, amount: number) => ({ decimals, amount })
/** With 18 decimals. */
export const percent = 10n ** 16n

/** Every version, decimals and size, two to eight tokens, min to max fees. */
export const orders: readonly Order[] = [
  {
    maker: 'weighted2021',
    tokens: [token(18, 1_000), token(6, 3_000_000)],
    weights: [50, 50],
    fee: percent / 10n,
  },
  { maker: 'weighted2021', tokens: [token(18, 80_000), token(18, 50)], weights: [80, 20], fee: percent },
  {
    maker: 'weighted2021',
    tokens: [token(18, 9_900), token(8, 1)],
    weights: [99, 1],
    fee: percent / 10_000n,
  },
  {
    maker: 'weighted2021',
    tokens: [token(8, 12.5), token(18, 77.7), token(6, 123_456.789)],
    weights: [47, 31, 22],
    fee: 10n * percent,
  },
  {
    maker: 'weighted2021',
    tokens: [18, 6, 8, 2, 18, 0, 18, 6].map((decimals, i) => token(decimals, 10 ** (1 + (i % 6)))),
    weights: [5, 10, 15, 20, 7, 13, 17, 13],
    fee: percent / 4n,
  },
  {
    maker: 'weightedPair2021',
    tokens: [token(18, 60_000), token(6, 7_000)],
    weights: [80, 20],
    fee: percent / 5n,
  },
  {
    maker: 'weighted2022',
    tokens: [token(18, 5), token(6, 12_000)],
    weights: [50, 50],
    fee: percent / 10n,
  },
  {
    maker: 'weighted2022',
    tokens: [token(18, 5_000_000_000), token(2, 9_999.99)],
    weights: [67, 33],
    fee: percent / 3n,
  },
  { maker: 'weighted2023', tokens: [token(8, 100), token(18, 40)], weights: [80, 20], fee: percent / 10n },
  {
    maker: 'weighted2023',
    tokens: [token(18, 4_000), token(18, 500_000), token(6, 1_000)],
    weights: [64, 32, 4],
    fee: percent / 10_000n,
  },
  {
    maker: 'stable2021',
    tokens: [token(6, 1_000_000), token(18, 900_000)],
    amplification: 60,
    fee: (4n * percent) / 100n,
  },
  {
    maker: 'stable2021',
    tokens: [token(6, 10_000), token(18, 300_000), token(2, 150_000), token(18, 7_700)],
    amplification: 500,
    fee: percent,
  },
  {
    maker: 'stable2022',
    tokens: [token(6, 5_100_000), token(6, 5_025_000), token(18, 4_875_000)],
    amplification: 200,
    fee: (4n * percent) / 100n,
  },
  {
    maker: 'stable2022',
    tokens: [token(18, 2_000), token(8, 1_999)],
    amplification: 5_000,
    fee: percent / 10_000n,
  },
  {
    maker: 'stable2022',
    tokens: [token(18, 30_000), token(6, 500_000), token(18, 20_000), token(0, 90_000), token(8, 3_000)],
    amplification: 1,
    fee: 10n * percent,
  },
  ...(['stable2021', 'stable2022', 'composable2023'] as const).map((maker) => ({
    ...{ maker, tokens: [4e-12, 7e-12, 3e-12].map((amount) => token(18, amount)) },
    ...{ amplification: 3, fee: percent / 10n },
  })),
  // Selling more overflows the contract's words.
  { maker: 'stable2022', tokens: [token(0, 2e9), token(18, 3e9)], amplification: 100, fee: percent / 20n },
  {
    maker: 'composable2023',
    tokens: [token(6, 800_000), token(18, 1_200_000)],
    amplification: 1_500,
    fee: percent / 100n,
  },
  {
    maker: 'composable2023',
    tokens: [token(18, 40_000), token(18, 4_000_000), token(6, 700_000), token(18, 310_000)],
    amplification: 2_000,
    fee: percent / 50n,
  },
]

export const empties: readonly Order[] = [
  { maker: 'weighted2021', tokens: [token(18, 0), token(6, 0)], weights: [50, 50], fee: percent },
  { maker: 'stable2021', tokens: [token(18, 0), token(6, 0)], amplification: 100, fee: percent },
  { maker: 'stable2022', tokens: [token(18, 0), token(6, 0)], amplification: 100, fee: percent },
]

const hour = 3_600n

/** Composable pools of every version: rates never cached, for an hour or long, of none, one or all tokens. */
export const rated: readonly Order[] = (
  ['composableFirst', 'composable2022', 'composable2023'] as const
).flatMap((maker): Order[] => [
  {
    ...{ maker, tokens: [token(18, 4_000), token(18, 4_600)], amplification: 700, fee: percent / 25n },
    rates: [{ rate: 1_153_912_345_678_901_234n, seconds: hour }, undefined],
  },
  {
    ...{ maker, tokens: [token(6, 800_000), token(18, 700_000), token(8, 650_000)], amplification: 200 },
    fee: percent / 100n,
    rates: [
      { rate: 10n ** 18n + 1n, seconds: 0n },
      { rate: 1_041_000_000_000_000_007n, seconds: hour },
      undefined,
    ],
  },
  {
    ...{ maker, amplification: 5, fee: 10n * percent },
    tokens: [token(18, 10_000_000), token(6, 5_000), token(18, 2_000), token(0, 300)],
    rates: [3n * 10n ** 14n, 7n * 10n ** 17n, 10n ** 18n, 12n * 10n ** 18n].map((rate, i) => ({
      ...{ rate, seconds: [0n, hour, 1_000n * hour, hour][i] as bigint },
    })),
  },
  { maker, tokens: [token(18, 90_000), token(6, 80_000)], amplification: 1_000, fee: percent / 50n },
])
