import { parseAbi } from 'viem'
import { view, words } from '../indexer/abiWords.ts'
import { poolCreated } from './balancerVault.ts'
import { gasCosts } from './gasCosts.ts'
import { limitedCurve } from './limitedCurve.ts'
import { computeInvariant, outGivenInV3 } from './math/stableMath.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { stableCurve } from './stableCurve.ts'
import { isAmount } from './valid.ts'
import {
  isVaultV3Pool,
  isVaultV3State,
  listVaultV3Pools,
  readVaultV3,
  type VaultV3Pool,
  type VaultV3State,
  vaultV3Changes,
  vaultV3PoolOf,
} from './vaultV3.ts'
import { liveBalances, memberV3Pool, unitOf } from './vaultV3Pool.ts'

export type AmplifiedV3 = VaultV3State & {
  /** A·n^(n-1) in thousandths. */
  amplification: bigint
}

/** Stable pools of Balancer v3 (balancer-v3-monorepo: StablePool.sol). */
export const stableV3: PoolType<VaultV3Pool, AmplifiedV3> = {
  created: poolCreated,

  async list(chain, block, logs, factory) {
    return (await listVaultV3Pools(chain, block, logs, factory, [])).map(({ listing }) => listing)
  },

  changes: [
    ...vaultV3Changes,
    ...parseAbi([
      'event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)',
      'event AmpUpdateStopped(uint256 currentValue)',
    ]),
  ],
  poolOf: vaultV3PoolOf,
  factoryOf: ({ fixed }) => fixed.vault,
  isExtra: () => true,
  holdings: ({ isClosed, balances }) => (isClosed ? [] : balances),
  isRestless: ({ isRestless }) => isRestless,

  async read(chain, block, readings) {
    const read = await readVaultV3(chain, block, readings, [getAmplificationParameter()])
    return read.map(({ state, answers: [answer = '0x'] }) => {
      const [amplification = 0n, moving = 0n] = words(answer)
      return { ...state, amplification, isRestless: state.isRestless || moving === 1n }
    })
  },

  pool: stableV3Pool,

  isValid(tokenCount, fixed, state) {
    return (
      isVaultV3Pool(tokenCount, fixed) &&
      isVaultV3State(tokenCount, state) &&
      isAmount(state.amplification, 0n, 2n ** 64n)
    )
  },
}

const getAmplificationParameter = view('function getAmplificationParameter()')

/** StableMath.MAX_IMBALANCE_RATIO of the largest to the smallest balance; the first version has no limit. */
const maxImbalance = 10_000n

export function stableV3Pool(listing: PoolInfo<VaultV3Pool>, state: AmplifiedV3): Pool {
  const { fixed } = listing
  const { amplification } = state
  const live = liveBalances(fixed, state)
  let known: bigint | undefined

  function invariant(): bigint {
    known ??= computeInvariant(amplification, live)
    return known
  }

  /** StablePool.onSwap */
  function bought(sell: number, buy: number, amount: bigint): bigint {
    const out = outGivenInV3(amplification, live, invariant(), sell, buy, amount)
    const after = live.map((balance, i) =>
      i === sell ? balance + amount : i === buy ? balance - out : balance,
    )
    // The largest and smallest before the swap count too.
    const all = [...live, ...after]
    const [least, most] = [all.reduce(smaller), all.reduce(larger)]
    if (most / least >= maxImbalance) throw new RangeError('The balances are too far apart.')
    return out
  }

  function curve(sell: number, buy: number): Curve {
    const [scaleIn, scaleOut] = [unitOf(fixed, state, sell), unitOf(fixed, state, buy)]
    const keep = 1 - Number(state.fee) / 1e18
    const shape = { amplification, balances: live, invariant: invariant(), sell, buy }
    const whole = stableCurve({ ...shape, keep, scaleIn, scaleOut })
    const rest = live.filter((_, i) => i !== sell && i !== buy).map(Number)
    const isBalanced = (sold: number) => {
      const held = [
        Number(live[sell]) + sold * scaleIn,
        Number(live[buy]) - whole.bought(sold) * scaleOut,
        ...rest,
      ]
      return Math.max(...held) < Math.min(...held) * Number(maxImbalance) * (1 - spare)
    }
    return limitedCurve(whole, isBalanced)
  }

  return memberV3Pool(listing, state, { bought, curve }, gasCosts.stableV3, (changed) =>
    stableV3Pool(listing, changed),
  )
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
const larger = (one: bigint, other: bigint) => (one > other ? one : other)

/** Part of the limit left out as margin for rounding. */
const spare = 1e-6
