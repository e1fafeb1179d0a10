import { maxUint256 } from 'viem'
import type { Address } from '../config.ts'
import { type Converter, type ConverterState, identify, ray, readConverters } from './converterState.ts'
import { yieldDrift } from './drift.ts'
import { gasCosts } from './gasCosts.ts'
import { createLiquidityRanges } from './liquidityRanges.ts'
import { buyGem, sellGem, toAssets, toShares, unwrapShares, wrapShares } from './math/converterMath.ts'
import type { Pool, Spot } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { isAddress, isAmount, isList, isRecord } from './valid.ts'

/**
 * Contracts that convert two tokens at a rate of their own, up to a limit: ERC-4626 vaults, Lido's wstETH,
 * and MakerDAO's peg modules. A config names each as a factory with a `form`.
 */
export const converter: PoolType<Converter, ConverterState> = {
  async list(chain, block, _logs, factory) {
    const { kind, source, address } = factory
    // Also one that does not follow its formula yet, as while it is paused: nothing announces it later.
    const known = await identify(chain, block, factory)
    return known === undefined ? [] : [{ kind, source, address, ...known }]
  },

  changes: [],
  poolOf: ({ address }) => address,
  // Yield, rebasing and governance move rates and limits without events.
  isRestless: () => true,

  async read(chain, block, readings) {
    const states = await readConverters(
      chain,
      block,
      readings.map(({ listing }) => listing),
    )
    return states.map((state) => state ?? unusable)
  },

  pool: converterPool,

  isValid(tokenCount, fixed, state) {
    return (
      tokenCount === 2 &&
      isRecord(fixed) &&
      (fixed.form === 'vault' || fixed.form === 'wsteth' || fixed.form === 'psm') &&
      typeof fixed.isOneWay === 'boolean' &&
      isAmount(fixed.unit, 1n, 10n ** 18n) &&
      isList(fixed.parties, 3, isAddress) &&
      (fixed.form !== 'psm' || fixed.parties.length === 3) &&
      isRecord(state) &&
      isPair(state.rates, fixed.form === 'psm' ? 0n : 1n) &&
      isPair(state.maxSold, 0n) &&
      isPair(state.maxBought, 0n)
    )
  },
}

/** Of a converter whose contract no longer follows its formula, or does not answer. */
const unusable: ConverterState = { rates: [1n, 1n], maxSold: [0n, 0n], maxBought: [0n, 0n] }

function isPair(data: unknown, min: bigint): boolean {
  const isMember = (member: unknown): member is bigint => isAmount(member, min, maxUint256)
  return isList(data, 2, isMember) && data.length === 2
}

/** Per form, by index of the sold token: the router's form of a converter (contracts/Route.sol). */
const routerForms = { vault: [0n, 1n], wsteth: [2n, 3n], psm: [4n, 5n] } as const

const gasParts = {
  vault: ['deposit', 'redeem'],
  wsteth: ['wrapShares', 'unwrapShares'],
  psm: ['sellGem', 'buyGem'],
} as const

export function converterPool(listing: PoolInfo<Converter>, state: ConverterState): Pool {
  const { address, source, tokens, fixed } = listing
  const { form, unit } = fixed
  const { rates, maxSold, maxBought } = state
  const curves: (Curve | undefined)[] = []

  const sideOf = (sell: Address) => (sell === tokens[0] ? 0 : 1)

  function converted(side: 0 | 1, amount: bigint): bigint {
    if (form === 'psm') return side === 0 ? sellGem(amount, unit, rates[0]) : buyGem(amount, unit, rates[1])
    if (form === 'wsteth') return side === 0 ? wrapShares(amount, rates) : unwrapShares(amount, rates)
    return side === 0 ? toShares(amount, rates) : toAssets(amount, rates)
  }

  /** Output per unit of input, without rounding. */
  function priceOf(side: 0 | 1): number {
    const [one, other] = rates.map(Number) as [number, number]
    if (form !== 'psm') return side === 0 ? other / one : one / other
    return side === 0 ? Number(unit) * (1 - one / 1e18) : 1 / ((1 + other / 1e18) * Number(unit))
  }

  function createCurve(side: 0 | 1): Curve {
    const price = priceOf(side)
    const most = Math.min(Number(maxBought[side === 0 ? 1 : 0]), maxReserve)
    const room = Math.min(Number(maxSold[side]), most / price, maxReserve)
    const range = { reserveIn: endless / price, reserveOut: endless, room }
    // Doubles of the limits may exceed them.
    const drawn = createLiquidityRanges(1, price > 0 && room > 0 ? [range] : [], spare)
    // The fee of a peg module is rounded down, in the bought token.
    return { ...drawn, isLinear: true, rounding: form === 'psm' && side === 0 && rates[0] > 0n ? 1 : 0 }
  }

  function curve(sell: Address): Curve {
    const side = sideOf(sell)
    const known = curves[side] ?? createCurve(side)
    curves[side] = known
    return known
  }

  function spot(sell: Address): Spot {
    const { most, rounding = 0 } = curve(sell)
    return most > 0 ? { start: priceOf(sideOf(sell)), depth: most, rounding } : { start: 0, depth: 0 }
  }

  /** Sky's peg module pays from MakerDAO's: gems of the pocket, DAI of the module. */
  function reserve(buy: Address) {
    const [pocket, module, dai] = fixed.parties
    const isGem = buy === tokens[0]
    return isGem
      ? { name: `${buy} of ${pocket}`, amount: maxBought[0] }
      : { name: `${dai} of ${module}`, amount: maxBought[1] }
  }

  return {
    address,
    source,
    tokens,

    quote(sell, _buy, amount) {
      const side = sideOf(sell)
      if (amount <= 0n || amount > maxSold[side]) return 0n
      const bought = converted(side, amount)
      return bought > maxBought[side === 0 ? 1 : 0] ? 0n : bought
    },

    curve,
    spot,
    ...(form === 'psm' ? { reserve } : {}),
    // Sky's savings rates are accrued by the first use in a block.
    gas: (sell) =>
      gasCosts[gasParts[form][sideOf(sell)]] + (form === 'vault' && rates[1] === ray ? gasCosts.accrual : 0n),
    ...(form === 'psm' ? {} : { drift: yieldDrift }),
    encode: (sell) => ({ kind: 9, fee: 0, detail: routerForms[form][sideOf(sell)] }),
  }
}

/** Reserves far above any supply keep the price constant. */
const endless = 1e60
const maxReserve = 2 ** 112
const spare = 1e-12
