/** Worth of `shares` tokens in `assets` tokens: assets of the first, shares of the second. */
export type ShareRate = readonly [assets: bigint, shares: bigint]

const wad = 10n ** 18n

/** Returns the shares of assets, rounded down (EIP-4626: convertToShares). Throws on a rate of 0. */
export function toShares(amount: bigint, [assets, shares]: ShareRate): bigint {
  return (amount * shares) / assets
}

/** Returns the assets of shares, rounded down (EIP-4626: convertToAssets). Throws on a rate of 0. */
export function toAssets(amount: bigint, [assets, shares]: ShareRate): bigint {
  return (amount * assets) / shares
}

/**
 * Returns by how much the balance of an account without stETH grows when `amount` is sent to it: transfers
 * move whole shares (lidofinance/core: StETH.sol, `_transfer`, `balanceOf`).
 */
export function arriving(amount: bigint, rate: ShareRate): bigint {
  return toAssets(toShares(amount, rate), rate)
}

/** Returns the wstETH of an amount of stETH that reaches the router first (WstETH.sol: wrap). */
export function wrapShares(amount: bigint, rate: ShareRate): bigint {
  return toShares(arriving(amount, rate), rate)
}

/** Returns the stETH that reaches an account without any when the router unwraps (WstETH.sol: unwrap). */
export function unwrapShares(amount: bigint, rate: ShareRate): bigint {
  return arriving(arriving(toAssets(amount, rate), rate), rate)
}

/**
 * Returns the DAI for an amount of gems (makerdao/dss-lite-psm: DssLitePsm.sol, `_sellGem`). `unit` is
 * to18ConversionFactor, `tin` has 18 decimals.
 */
export function sellGem(gems: bigint, unit: bigint, tin: bigint): bigint {
  const dai = gems * unit
  return dai - (dai * tin) / wad
}

/**
 * Returns the gems that the router buys with an amount of DAI, which cost at most that (DssLitePsm.sol,
 * `_buyGem`). `tout` has 18 decimals.
 */
export function buyGem(dai: bigint, unit: bigint, tout: bigint): bigint {
  return (dai * wad) / ((wad + tout) * unit)
}
