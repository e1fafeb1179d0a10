import fc from 'fast-check'
import { zeroAddress } from 'viem'
import type { Address } from '../../../service/config.ts'
import type { Concentrated } from '../../../service/pools/concentrated.ts'
import { one } from '../../../service/pools/math/fixedPoint.ts'
import { maxTick, minTick, sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { PoolInfo, PoolSnapshot } from '../../../service/pools/poolType.ts'

const addressOf = (space: string, index: number): Address =>
  `0x${space}${index.toString(16).padStart(4, '0')}${'7c'.repeat(17)}`

const tokenOf = (index: number) => addressOf('ff', index)

const amounts = fc.bigInt({ min: 0n, max: 2n ** 112n - 1n })

/** Valid pools of every kind. The index determines the address, and so the kind and parameters may not. */
export function snapshots(index: number): fc.Arbitrary<PoolSnapshot> {
  const address = addressOf('0a', index)
  return fc.oneof(
    constantProducts(address),
    concentrateds(address),
    weighteds(address),
    stables(address),
    solidlys(address),
    vaultV3s(address),
    stableSwaps(address),
    uniswapV4s(address),
    algebras(address),
    slipstreams(address),
    converters(address),
  )
}

function tokensOf(most: number): fc.Arbitrary<Address[]> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: most })
    .map((some) => some.sort((a, b) => a - b).map(tokenOf))
}

const sources = fc.constantFrom('UNISWAP_V2', 'UNISWAP_V3', 'BALANCER', 'Überfluss')

function infoOf<Fixed>(
  kind: PoolInfo['kind'],
  address: Address,
  tokens: Address[],
  fixed: Fixed,
  source: string,
) {
  return { kind, source, address, tokens, fixed }
}

function constantProducts(address: Address): fc.Arbitrary<PoolSnapshot> {
  return fc
    .tuple(tokensOf(2), sources, fc.integer({ min: 0, max: 999_999 }), amounts, amounts)
    .map(([tokens, source, feePpm, reserve0, reserve1]) => ({
      listing: infoOf('constant-product', address, tokens, { feePpm }, source),
      state: { reserve0, reserve1 },
    }))
}

function concentrateds(address: Address): fc.Arbitrary<PoolSnapshot> {
  const ticks = fc.integer({ min: minTick + 1, max: maxTick - 1 })
  const position = fc.tuple(ticks, ticks, fc.bigInt({ min: 1n, max: 2n ** 110n }))
  return fc
    .tuple(
      tokensOf(2),
      sources,
      fc.constantFrom(100, 500, 3_000, 10_000),
      ticks,
      fc.array(position, { maxLength: 12 }),
    )
    .map(([tokens, source, feePpm, tick, positions]) => {
      const nets = new Map<number, bigint>()
      for (const [a, b, liquidity] of positions) {
        if (a === b) continue
        const [lower, upper] = a < b ? [a, b] : [b, a]
        nets.set(lower, (nets.get(lower) ?? 0n) + liquidity)
        nets.set(upper, (nets.get(upper) ?? 0n) - liquidity)
      }
      const initialized = [...nets]
        .sort(([a], [b]) => a - b)
        .map(([index, net]) => ({ index, net, sqrtPrice: sqrtPriceAtTick(index) }))
      const liquidity = initialized.reduce((sum, { index, net }) => (index <= tick ? sum + net : sum), 0n)
      const state = { sqrtPrice: sqrtPriceAtTick(tick) + 1n, tick, liquidity, ticks: initialized }
      return { listing: infoOf('concentrated', address, tokens, { feePpm, tickSpacing: 1 }, source), state }
    })
}

function vaultOf(address: Address, tokens: readonly Address[], decimals: readonly number[]) {
  return {
    vault: addressOf('ba', 1),
    poolId: `${address}${'00'.repeat(11)}ab` as const,
    scales: tokens.map((_, i) => 10n ** BigInt(18 - (decimals[i] as number))),
  }
}

const balances = fc.record({
  source: sources,
  decimals: fc.array(fc.constantFrom(6, 8, 18), { minLength: 5, maxLength: 5 }),
  holdings: fc.array(fc.record({ cash: amounts, managed: amounts }), { minLength: 5, maxLength: 5 }),
  fee: fc.bigInt({ min: 0n, max: one / 10n }),
  isPaused: fc.boolean(),
  isEarly: fc.boolean(),
})

function weighteds(address: Address): fc.Arbitrary<PoolSnapshot> {
  const weights = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 5, maxLength: 5 })
  return fc
    .tuple(tokensOf(5), balances, weights)
    .map(([tokens, { source, decimals, holdings, fee, isPaused, isEarly }, parts]) => {
      const whole = parts.slice(0, tokens.length).reduce((sum, part) => sum + part, 0)
      const fixed = {
        ...vaultOf(address, tokens, decimals),
        weights: tokens.map((_, i) => (BigInt(parts[i] as number) * one) / BigInt(whole)),
        isEarly,
      }
      const state = { holdings: holdings.slice(0, tokens.length), fee, isPaused }
      return { listing: infoOf('weighted', address, tokens, fixed, source), state }
    })
}

/** Of composable stable pools. */
const rates = fc.option(
  fc.record({
    used: fc.array(fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }), { minLength: 5, maxLength: 5 }),
    expired: fc.integer({ min: 0, max: 2 }),
    isRestless: fc.boolean(),
  }),
  { nil: undefined },
)

function stables(address: Address): fc.Arbitrary<PoolSnapshot> {
  return fc
    .tuple(tokensOf(5), balances, fc.bigInt({ min: 1_000n, max: 5_000_000n }), fc.boolean(), rates)
    .map(
      ([tokens, { source, decimals, holdings, fee, isPaused, isEarly }, amplification, isMoving, rated]) => {
        const plain = { ...vaultOf(address, tokens, decimals), isEarly }
        const own = { holdings: holdings.slice(0, tokens.length), fee, isPaused, amplification, isMoving }
        const rateProviders = tokens.map((_, i) => addressOf('4a', i))
        const fixed = rated ? { ...plain, rateProviders } : plain
        const state = rated ? { ...own, rates: { ...rated, used: rated.used.slice(0, tokens.length) } } : own
        return { listing: infoOf('stable', address, tokens, fixed, source), state }
      },
    )
}

function solidlys(address: Address): fc.Arbitrary<PoolSnapshot> {
  const unit = fc.integer({ min: 0, max: 18 }).map((places) => 10n ** BigInt(places))
  const fees = fc.integer({ min: 0, max: 300 })
  return fc
    .tuple(tokensOf(2), fc.boolean(), unit, unit, amounts, amounts, fees, fc.boolean())
    .map(([tokens, isStable, unit0, unit1, reserve0, reserve1, fee, isPaused]) => {
      const fixed = { factory: addressOf('fa', 1), isStable, units: [unit0, unit1] }
      const listing = infoOf('solidly', address, tokens, fixed, 'AERODROME_V2')
      return { listing, state: { reserve0, reserve1, fee, isPaused } }
    })
}

function vaultV3s(address: Address): fc.Arbitrary<PoolSnapshot> {
  const scales = fc.integer({ min: 0, max: 18 }).map((places) => 10n ** BigInt(places))
  const held = fc.record({
    balance: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    rate: fc.oneof(fc.constant(one), fc.bigInt({ min: 1n, max: 10n * one })),
    scale: scales,
    least: fc.bigInt({ min: 0n, max: one }),
    part: fc.integer({ min: 1, max: 99 }),
  })
  return fc
    .tuple(
      tokensOf(5),
      fc.array(held, { minLength: 5, maxLength: 5 }),
      fc.bigInt({ min: 0n, max: one / 10n }),
      fc.bigInt({ min: 0n, max: one / 2n }),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      fc.constantFrom(undefined, 1_000n, 5_000_000n),
    )
    .map(([tokens, all, fee, aggregateFee, [isClosed, isRestless, isEarly], amplification]) => {
      const sides = all.slice(0, tokens.length)
      const whole = sides.reduce((sum, { part }) => sum + part, 0)
      const fixed = {
        ...{ vault: addressOf('ba', 3), scales: sides.map(({ scale }) => scale), minTrade: 1_000_000n },
        ...(amplification === undefined && {
          weights: sides.map(({ part }) => (BigInt(part) * one) / BigInt(whole)),
          minBalances: isEarly ? [] : sides.map(({ least }) => least),
        }),
      }
      const state = {
        balances: sides.map(({ balance }) => balance),
        rates: sides.map(({ rate }) => rate),
        ...{ fee, aggregateFee, isClosed, isRestless },
        ...(amplification !== undefined && { amplification }),
      }
      const kind = amplification === undefined ? 'weighted-v3' : 'stable-v3'
      return { listing: infoOf(kind, address, tokens, fixed, 'BALANCER_V3'), state }
    })
}

function stableSwaps(address: Address): fc.Arbitrary<PoolSnapshot> {
  const list = <T>(member: fc.Arbitrary<T>) => fc.array(member, { minLength: 8, maxLength: 8 })
  const kinds = ['curve', 'curve-factory', 'curve-ng', 'pancake-stable'] as const
  const fixed = fc.record({
    form: fc.integer({ min: 0, max: 2 }),
    precision: fc.constantFrom(1, 100),
    decimals: list(fc.integer({ min: 0, max: 18 })),
    hasRates: fc.boolean(),
    isFloating: fc.boolean(),
    nativeIndex: fc.integer({ min: -1, max: 1 }),
  })
  const state = fc.record({
    balances: list(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
    rates: list(fc.bigInt({ min: 1n, max: 10n ** 40n })),
    amplification: fc.bigInt({ min: 1n, max: 10n ** 8n }),
    fee: fc.bigInt({ min: 0n, max: 10n ** 10n }),
    adminFee: fc.bigInt({ min: 0n, max: 10n ** 10n }),
    offpegMultiplier: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    isJoint: fc.boolean(),
    isUsable: fc.boolean(),
    isMoving: fc.boolean(),
  })
  const kind = fc.constantFrom(...kinds)
  return fc
    .tuple(tokensOf(8), sources, fixed, state, kind)
    .map(([tokens, source, { decimals, form, ...info }, rest, kind]) => {
      const count = tokens.length
      // Of classic pools up to four tokens are followed.
      const shape = { form: count > 4 ? 2 : form, decimals: decimals.slice(0, count) }
      const listing = infoOf(kind, address, tokens, { ...info, ...shape }, source)
      const [balances, rates] = [rest.balances.slice(0, count), rest.rates.slice(0, count)]
      return { listing, state: { ...rest, balances, rates } }
    })
}

function uniswapV4s(address: Address): fc.Arbitrary<PoolSnapshot> {
  const fees = fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.nat(1_000), fc.nat(1_000))
  const rest = fc.tuple(
    fc.integer({ min: 1, max: 32_767 }),
    fc.boolean(),
    fc.constantFrom('00', '10', '2033'),
  )
  return fc
    .tuple(concentrateds(address), fees, rest)
    .map(([{ listing, state }, [fee, fee0, fee1], [tickSpacing, isNative, flags]]) => {
      const hooks: Address = `0x${flags.padStart(40, '0')}`
      const fixed = { manager: addressOf('ba', 4), hooks, fee, tickSpacing, isNative }
      const kept = { ...(state as object), protocolFee: (fee1 << 12) | fee0 }
      return { listing: { ...listing, kind: 'uniswap-v4', source: 'UNISWAP_V4', fixed }, state: kept }
    })
}

function algebras(address: Address): fc.Arbitrary<PoolSnapshot> {
  const [fee, config] = [fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 255 })]
  return fc.tuple(concentrateds(address), fee, config).map(([{ listing, state }, fee, config]) => ({
    listing: infoOf('algebra', address, [...listing.tokens], {}, 'ALGEBRA'),
    state: { ...(state as Concentrated), fee, config },
  }))
}

function slipstreams(address: Address): fc.Arbitrary<PoolSnapshot> {
  const fee = fc.record({
    feePpm: fc.integer({ min: 0, max: 1_000_000 }),
    module: fc.constantFrom(zeroAddress, addressOf('fe', 1)),
    isMoving: fc.boolean(),
    observations: fc.integer({ min: 0, max: 65_535 }),
  })
  return fc.tuple(concentrateds(address), fee).map(([{ listing, state }, fee]) => {
    const fixed = { factory: addressOf('fa', 2), tickSpacing: 1 }
    const info = infoOf('slipstream', address, [...listing.tokens], fixed, 'AERODROME_SLIPSTREAM')
    return { listing: info, state: { ...(state as object), ...fee } }
  })
}

function converters(address: Address): fc.Arbitrary<PoolSnapshot> {
  const pair = fc.tuple(amounts, amounts)
  return fc
    .tuple(tokensOf(2), fc.constantFrom('vault', 'wsteth', 'psm'), fc.boolean(), amounts, amounts, pair, pair)
    .map(([tokens, form, isOneWay, one, other, maxSold, maxBought]) => {
      const isModule = form === 'psm'
      const parties = isModule ? [1, 2, 3].map((i) => addressOf('cc', i)) : []
      const fixed = { form, isOneWay, unit: isModule ? 10n ** 12n : 1n, parties }
      const rates = isModule ? [one % 10n ** 18n, 2n ** 256n - 1n - other] : [one + 1n, other + 1n]
      return {
        listing: infoOf('converter', address, tokens, fixed, 'SAVINGS_DAI'),
        state: { rates, maxSold, maxBought },
      }
    })
}
