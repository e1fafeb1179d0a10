import { describe, expect, it } from 'vitest'
import {
  exchange,
  invariantOf,
  type StableSwapNumbers,
  scaledBalances,
  viewExchange,
} from '../../../service/pools/stableSwap/stableSwapMath.ts'

// Answers of `get_dy` that contracts on Ethereum and Arbitrum gave to public tests: KyberNetwork's
// kyberswap-dex-lib, pkg/source/curve/base and pkg/liquidity-source/curve/{plain,stable-ng}.

type Vector = readonly [sell: number, buy: number, amount: bigint, bought: bigint]

const rate = (decimals: number) => 10n ** BigInt(36 - decimals)

const before = {
  ...{ isNg: false, isJoint: false, precision: 100n, adminFee: 5_000_000_000n, offpegMultiplier: 0n },
}
const ng = { ...before, isNg: true, isJoint: true }

const pools: readonly (StableSwapNumbers & { name: string; isLate?: boolean; vectors: readonly Vector[] })[] =
  [
    {
      name: 'USDT/USDC.e NG, 0xdc40…13c7, dust',
      ...{ ...ng, amplification: 20_000n, fee: 4_000_000n, offpegMultiplier: 20_000_000_000n },
      ...{ balances: [50_980n, 75_958n], rates: [rate(6), rate(6)] },
      vectors: [
        [0, 1, 5_000_000n, 75_900n],
        [0, 1, 50_000_001n, 75_897n],
        [0, 1, 500_000_012n, 75_897n],
        [1, 0, 500_000_012n, 50_939n],
        [1, 0, 50_000_001n, 50_939n],
        [1, 0, 5_000_000n, 50_940n],
      ],
    },
    {
      name: 'crvUSD/USDC.e NG, 0x3adf…7ce1, far off balance',
      ...{ ...ng, amplification: 100_000n, fee: 1_000_000n, offpegMultiplier: 50_000_000_000n },
      ...{ balances: [8_994_725_349_517_509_957_774_712n, 1_568_153_728_639n], rates: [rate(18), rate(6)] },
      vectors: [
        [0, 1, 50_000_000_000_000_000n, 49_719n],
        [0, 1, 500_000_000_000_000_001n, 497_190n],
        [0, 1, 5_000_000_000_000_000_012n, 4_971_903n],
        [1, 0, 5_000_001n, 5_026_592_848_229_394_394n],
        [1, 0, 500_000n, 502_659_192_342_457_080n],
        [1, 0, 50_000n, 50_265_919_315_764_975n],
        [1, 0, 5_000n, 5_026_591_932_391_690n],
      ],
    },
    {
      name: 'USDC/USDT, 0x1005…d546',
      ...{ ...before, amplification: 150_000n, fee: 3_000_000n },
      ...{ balances: [69_265_278n, 140_296_574n], rates: [rate(6), rate(6)] },
      vectors: [
        [0, 1, 100_000_000_000_000n, 140_254_485n],
        [0, 1, 1_000_000_000_000n, 140_254_485n],
        [0, 1, 100_000_000n, 99_936_588n],
        [0, 1, 100_002_233n, 99_938_816n],
        [1, 0, 20_000n, 19_982n],
        [1, 0, 3_000_200n, 2_997_456n],
        [1, 0, 88_001_800n, 69_067_695n],
        [1, 0, 100_000_000_000_000n, 69_244_498n],
      ],
    },
    {
      name: 'cEUR/agEUR/EURC, 0xe7a3…8e7b',
      ...{ ...before, amplification: 1_000n, fee: 4_000_000n },
      balances: [103_902_458_912_250_371_998_101n, 96_026_429_950_922_739_854_657n, 90_684_626_303n],
      rates: [rate(18), rate(18), rate(6)],
      vectors: [
        [0, 1, 500_000_000_000_000n, 496_315_310_333_753n],
        [0, 1, 50_000_000_000_000_000n, 49_631_528_847_328_147n],
        [0, 1, 5_000_000_000_000_000_000n, 4_963_131_024_216_305_126n],
        [0, 2, 50_000_000_000_000_000n, 49_364n],
        [0, 2, 5_000_000_000_000_000_000n, 4_936_384n],
        [2, 1, 5_000n, 5_025_079_238_286_081n],
        [2, 1, 500_045n, 502_552_896_527_853_049n],
      ],
    },
    {
      name: 'ETH/OETH, 0x94b1…13e7',
      ...{ ...before, amplification: 40_000n, fee: 4_000_000n },
      balances: [8_189_776_041_162_322_264_444n, 9_661_706_603_857_954_240_258n],
      rates: [rate(18), rate(18)],
      vectors: [
        [0, 1, 500_000_000_000_000n, 500_008_393_783_392n],
        [0, 1, 500_000_000_000_000_000n, 500_008_321_109_370_981n],
        [1, 0, 500_000_000_000_000_000n, 499_591_620_339_898_039n],
        [1, 0, 5_000_000_000_000_000_000n, 4_995_909_662_946_962_499n],
      ],
    },
    {
      name: 'agEUR/EURT/EURS, 0xb944…d571, of 2 decimals',
      ...{ ...before, amplification: 20_000n, fee: 4_000_000n },
      balances: [549_022_857_960_890_312_641_141n, 1_075_362_632_212n, 46_720_010n],
      rates: [rate(18), rate(6), rate(2)],
      vectors: [
        [0, 1, 500_000_000_000_000n, 501n],
        [0, 1, 50_000_000_000_000_000n, 50_169n],
        [0, 2, 5_000_000_000_000_000_000n, 499n],
        [2, 1, 1_020n, 10_248_489n],
      ],
    },
    {
      name: 'CRV/yvBOOST/cvxCRV/sCRV, 0xda5b…6ad1',
      ...{ ...before, amplification: 1_000n, fee: 4_000_000n },
      balances: [
        ...[310_644_979_221_390_280n, 2_806_169_166_643_327_027n],
        ...[360_381_510_649_494_878n, 218_999_711_791_367_011n],
      ],
      rates: [18, 18, 18, 18].map(rate),
      vectors: [
        [0, 3, 500_000_000_000_000n, 395_568_275_467_422n],
        [0, 3, 50_000_000_000_000_000n, 35_467_697_034_453_723n],
        [2, 1, 50_000_000_000_000_000n, 96_997_844_562_253_156n],
        [2, 1, 50_000_000_000_000_123n, 96_997_844_562_253_382n],
        [2, 3, 50_000_000_000_000_123n, 32_813_108_411_779_300n],
      ],
    },
    {
      name: 'crvUSD/sDAI, 0x1539…2c92, with a rate',
      ...{ ...before, amplification: 150_000n, fee: 1_000_000n },
      balances: [207_488_005_116_042_557_636_229n, 47_921_035_344_869_338_429_831n],
      rates: [rate(18), 1_057_419_823_498_475_822n],
      vectors: [
        [0, 1, 50_000_000_000_000_123n, 47_184_327_843_196_292n],
        [0, 1, 500_000_000_000_123n, 471_843_279_437_909n],
        [1, 0, 500_000_000_000_123n, 529_730_979_292_097n],
        [1, 0, 50_000_000_000_000_123n, 52_973_097_809_547_429n],
      ],
    },
    {
      name: 'ETH/wstETH on Arbitrum, 0x6eb2…7d80, with a rate',
      ...{ ...before, amplification: 5_000n, fee: 4_000_000n },
      balances: [171_562_283_322_052_190_070n, 159_666_449_951_883_581_558n],
      rates: [rate(18), 1_158_379_174_506_084_879n],
      vectors: [
        [0, 1, 50_000_000_000_000_123n, 43_210_033_023_565_492n],
        [0, 1, 500_000_000_000_123n, 432_102_703_851_362n],
        [1, 0, 500_000_000_000_123n, 578_103_325_620_533n],
        [1, 0, 50_000_000_000_000_123n, 57_809_965_215_424_298n],
      ],
    },
  ]

describe('the arithmetic of StableSwap', () => {
  it.each(pools)('gives what the pool $name answered on chain', ({ vectors, ...pool }) => {
    const invariant = invariantOf(pool, scaledBalances(pool))
    for (const [sell, buy, amount, bought] of vectors) {
      expect(viewExchange(pool, sell, buy, amount, false)).toBe(bought)
      expect(exchange(pool, invariant, sell, buy, amount).bought).toBe(bought)
    }
  })
})
