import type { Constants } from '../knownFunction.ts'

/** Function, argument word with the recipient, and meaning of small numbers there. */
export type Payout = readonly [signature: string, word: number, constants?: Constants]

const marketParams = '(address loan, address collateral, address oracle, address irm, uint256 lltv) market'
const signature = 'uint8 v, bytes32 r, bytes32 s'
const liquidity = 'uint256 minToken, uint256 minETH, address to, uint256 deadline'

const uniswapV2: readonly Payout[] = [
  [
    'addLiquidity(address one, address two, uint256 a, uint256 b, uint256 c, uint256 d, address to, uint256 deadline)',
    6,
  ],
  [`addLiquidityETH(address token, uint256 desired, ${liquidity})`, 4],
  [
    'removeLiquidity(address one, address two, uint256 a, uint256 b, uint256 c, address to, uint256 deadline)',
    5,
  ],
  [
    `removeLiquidityWithPermit(address one, address two, uint256 a, uint256 b, uint256 c, address to, uint256 deadline, bool approveMax, ${signature})`,
    5,
  ],
  ...['removeLiquidityETH', 'removeLiquidityETHSupportingFeeOnTransferTokens'].map(
    (name): Payout => [`${name}(address token, uint256 liquidity, ${liquidity})`, 4],
  ),
  ...['removeLiquidityETHWithPermit', 'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens'].map(
    (name): Payout => [
      `${name}(address token, uint256 liquidity, ${liquidity}, bool approveMax, ${signature})`,
      4,
    ],
  ),
]

const uniswapV3: readonly Payout[] = [
  ['collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)', 1, 'zero'],
  [
    'mint((address token0, address token1, uint24 fee, int24 lower, int24 upper, uint256 a, uint256 b, uint256 c, uint256 d, address recipient, uint256 deadline) params)',
    9,
  ],
  [
    'migrate((address pair, uint256 a, uint8 share, address token0, address token1, uint24 fee, int24 lower, int24 upper, uint256 b, uint256 c, address recipient, uint256 deadline, bool refundAsETH) params)',
    10,
  ],
  [`permit(address spender, uint256 tokenId, uint256 deadline, ${signature})`, 0],
]

const aggregation: readonly Payout[] = [
  [
    'clipperSwapTo(address clipper, address to, uint256 srcToken, address dstToken, uint256 a, uint256 b, uint256 good, bytes32 r, bytes32 vs)',
    1,
  ],
]

/** ERC-4626 and ERC-7540. */
const vaults: readonly Payout[] = [
  ['deposit(uint256 assets, address receiver)', 1],
  ['mint(uint256 shares, address receiver)', 1],
  ['withdraw(uint256 assets, address receiver, address owner)', 1],
  ['redeem(uint256 shares, address receiver, address owner)', 1],
  ['deposit(uint256 assets, address receiver, address controller)', 1],
  ['mint(uint256 shares, address receiver, address controller)', 1],
  ['requestDeposit(uint256 assets, address controller, address owner)', 1],
  ['requestRedeem(uint256 shares, address controller, address owner)', 1],
]

const aave: readonly Payout[] = [
  ['supply(address asset, uint256 amount, address onBehalfOf, uint16 code)', 2],
  ['deposit(address asset, uint256 amount, address onBehalfOf, uint16 code)', 2],
  [
    `supplyWithPermit(address asset, uint256 amount, address onBehalfOf, uint16 code, uint256 deadline, ${signature})`,
    2,
  ],
  ['withdraw(address asset, uint256 amount, address to)', 2],
  ['repay(address asset, uint256 amount, uint256 rateMode, address onBehalfOf)', 3],
  [
    `repayWithPermit(address asset, uint256 amount, uint256 rateMode, address onBehalfOf, uint256 deadline, ${signature})`,
    3,
  ],
  [
    'flashLoan(address receiver, address[] assets, uint256[] amounts, uint256[] modes, address onBehalfOf, bytes params, uint16 code)',
    0,
  ],
  ['depositETH(address pool, address onBehalfOf, uint16 code)', 1],
  ['withdrawETH(address pool, uint256 amount, address to)', 2],
  [`withdrawETHWithPermit(address pool, uint256 amount, address to, uint256 deadline, ${signature})`, 2],
  ['repayETH(address pool, uint256 amount, uint256 rateMode, address onBehalfOf)', 3],
  ['repayETH(address pool, uint256 amount, address onBehalfOf)', 2],
  ['claimRewards(address[] assets, uint256 amount, address to, address reward)', 2],
  ['claimRewards(address[] assets, uint256 amount, address to)', 2],
  ['claimRewardsOnBehalf(address[] assets, uint256 amount, address user, address to, address reward)', 3],
  ['claimAllRewards(address[] assets, address to)', 1],
  ['claimAllRewardsOnBehalf(address[] assets, address user, address to)', 2],
]

const compound: readonly Payout[] = [
  ['supplyTo(address dst, address asset, uint256 amount)', 0],
  ['supplyFrom(address from, address dst, address asset, uint256 amount)', 1],
  ['transferAsset(address dst, address asset, uint256 amount)', 0],
  ['transferAssetFrom(address src, address dst, address asset, uint256 amount)', 1],
  ['withdrawTo(address to, address asset, uint256 amount)', 0],
  ['withdrawFrom(address src, address to, address asset, uint256 amount)', 1],
  ['claimTo(address comet, address src, address to, bool shouldAccrue)', 2],
  ['repayBorrowBehalf(address borrower, uint256 amount)', 0],
  ['repayBorrowBehalf(address borrower)', 0],
]

const lido: readonly Payout[] = [
  ['requestWithdrawals(uint256[] amounts, address owner)', 1, 'zero'],
  ['requestWithdrawalsWstETH(uint256[] amounts, address owner)', 1, 'zero'],
  ...['requestWithdrawalsWithPermit', 'requestWithdrawalsWstETHWithPermit'].map(
    (name): Payout => [
      `${name}(uint256[] amounts, address owner, (uint256 value, uint256 deadline, ${signature}) permit)`,
      1,
      'zero',
    ],
  ),
  ['claimWithdrawalsTo(uint256[] ids, uint256[] hints, address recipient)', 2],
]

const morpho: readonly Payout[] = [
  [`supply(${marketParams}, uint256 assets, uint256 shares, address onBehalf, bytes data)`, 7],
  [`repay(${marketParams}, uint256 assets, uint256 shares, address onBehalf, bytes data)`, 7],
  [`withdraw(${marketParams}, uint256 assets, uint256 shares, address onBehalf, address receiver)`, 8],
  [`borrow(${marketParams}, uint256 assets, uint256 shares, address onBehalf, address receiver)`, 8],
  [`supplyCollateral(${marketParams}, uint256 assets, address onBehalf, bytes data)`, 6],
  [`withdrawCollateral(${marketParams}, uint256 assets, address onBehalf, address receiver)`, 7],
]

export function payoutTables(): readonly Payout[] {
  return [...uniswapV2, ...uniswapV3, ...aggregation, ...vaults, ...aave, ...compound, ...lido, ...morpho]
}

/** Returns functions without a recipient, or whose effect the simulation shows. */
export function plainFunctions(): readonly string[] {
  return [
    'increaseLiquidity((uint256 tokenId, uint256 a, uint256 b, uint256 c, uint256 d, uint256 deadline) params)',
    'decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 a, uint256 b, uint256 deadline) params)',
    'burn(uint256 tokenId)',
    'createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 price)',
    'initializePool((address a, address b, uint24 fee, int24 spacing, address hooks) key, uint160 price)',
    ...['approveMax', 'approveMaxMinusOne', 'approveZeroThenMax', 'approveZeroThenMaxMinusOne'].map(
      (name) => `${name}(address token)`,
    ),
    ...['selfPermit', 'selfPermitIfNecessary', 'selfPermitAllowed', 'selfPermitAllowedIfNecessary'].map(
      (name) => `${name}(address token, uint256 a, uint256 b, ${signature})`,
    ),
  ]
}
