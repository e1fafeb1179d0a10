import type { Constants } from '../knownFunction.ts'

/** Function, where recipients are named, argument word of the recipient, meaning of small numbers there. */
export type Payout = readonly [signature: string, word: number, constants?: Constants]

const marketParams = '(address, address, address, address, uint256) market'
const signature = 'uint8, bytes32, bytes32'
const liquidity = 'uint256, uint256, address to, uint256'

const uniswapV2: readonly Payout[] = [
  ['addLiquidity(address, address, uint256, uint256, uint256, uint256, address to, uint256)', 6],
  [`addLiquidityETH(address, uint256, ${liquidity})`, 4],
  ['removeLiquidity(address, address, uint256, uint256, uint256, address to, uint256)', 5],
  [
    `removeLiquidityWithPermit(address, address, uint256, uint256, uint256, address to, uint256, bool, ${signature})`,
    5,
  ],
  ...['removeLiquidityETH', 'removeLiquidityETHSupportingFeeOnTransferTokens'].map(
    (name): Payout => [`${name}(address, uint256, ${liquidity})`, 4],
  ),
  ...['removeLiquidityETHWithPermit', 'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens'].map(
    (name): Payout => [`${name}(address, uint256, ${liquidity}, bool, ${signature})`, 4],
  ),
]

const uniswapV3: readonly Payout[] = [
  ['collect((uint256, address recipient, uint128, uint128) params)', 1, 'zero'],
  [
    'mint((address, address, uint24, int24, int24, uint256, uint256, uint256, uint256, address recipient, uint256) params)',
    9,
  ],
  [
    'migrate((address, uint256, uint8, address, address, uint24, int24, int24, uint256, uint256, address recipient, uint256, bool) params)',
    10,
  ],
  [`permit(address spender, uint256, uint256, ${signature})`, 0],
]

const aggregation: readonly Payout[] = [
  ['clipperSwapTo(address, address to, uint256, address, uint256, uint256, uint256, bytes32, bytes32)', 1],
]

/** ERC-4626 and ERC-7540. */
const vaults: readonly Payout[] = [
  ['deposit(uint256, address receiver)', 1],
  ['mint(uint256, address receiver)', 1],
  ['withdraw(uint256, address receiver, address owner)', 1],
  ['redeem(uint256, address receiver, address owner)', 1],
  ['deposit(uint256, address receiver, address controller)', 1],
  ['mint(uint256, address receiver, address controller)', 1],
  ['requestDeposit(uint256, address controller, address owner)', 1],
  ['requestRedeem(uint256, address controller, address owner)', 1],
]

const aave: readonly Payout[] = [
  ['supply(address, uint256, address onBehalfOf, uint16)', 2],
  ['deposit(address, uint256, address onBehalfOf, uint16)', 2],
  [`supplyWithPermit(address, uint256, address onBehalfOf, uint16, uint256, ${signature})`, 2],
  ['withdraw(address, uint256, address to)', 2],
  ['repay(address, uint256, uint256, address onBehalfOf)', 3],
  [`repayWithPermit(address, uint256, uint256, address onBehalfOf, uint256, ${signature})`, 3],
  [
    'flashLoan(address receiver, address[], uint256[], uint256[], address onBehalfOf, bytes params, uint16)',
    0,
  ],
  ['depositETH(address, address onBehalfOf, uint16)', 1],
  ['withdrawETH(address, uint256, address to)', 2],
  [`withdrawETHWithPermit(address, uint256, address to, uint256, ${signature})`, 2],
  ['repayETH(address, uint256, uint256, address onBehalfOf)', 3],
  ['repayETH(address, uint256, address onBehalfOf)', 2],
  ['claimRewards(address[], uint256, address to, address)', 2],
  ['claimRewards(address[], uint256, address to)', 2],
  ['claimRewardsOnBehalf(address[], uint256, address, address to, address)', 3],
  ['claimAllRewards(address[], address to)', 1],
  ['claimAllRewardsOnBehalf(address[], address, address to)', 2],
]

const compound: readonly Payout[] = [
  ['supplyTo(address dst, address, uint256)', 0],
  ['supplyFrom(address from, address dst, address, uint256)', 1],
  ['transferAsset(address dst, address, uint256)', 0],
  ['transferAssetFrom(address, address dst, address, uint256)', 1],
  ['withdrawTo(address to, address, uint256)', 0],
  ['withdrawFrom(address, address to, address, uint256)', 1],
  ['claimTo(address, address, address to, bool)', 2],
  ['repayBorrowBehalf(address borrower, uint256)', 0],
  ['repayBorrowBehalf(address borrower)', 0],
]

const lido: readonly Payout[] = [
  ['requestWithdrawals(uint256[], address owner)', 1, 'zero'],
  ['requestWithdrawalsWstETH(uint256[], address owner)', 1, 'zero'],
  ...['requestWithdrawalsWithPermit', 'requestWithdrawalsWstETHWithPermit'].map(
    (name): Payout => [
      `${name}(uint256[], address owner, (uint256, uint256, ${signature}) permit)`,
      1,
      'zero',
    ],
  ),
  ['claimWithdrawalsTo(uint256[], uint256[], address recipient)', 2],
]

const morpho: readonly Payout[] = [
  [`supply(${marketParams}, uint256, uint256, address onBehalf, bytes)`, 7],
  [`repay(${marketParams}, uint256, uint256, address onBehalf, bytes)`, 7],
  [`withdraw(${marketParams}, uint256, uint256, address onBehalf, address receiver)`, 8],
  [`borrow(${marketParams}, uint256, uint256, address onBehalf, address receiver)`, 8],
  [`supplyCollateral(${marketParams}, uint256, address onBehalf, bytes)`, 6],
  [`withdrawCollateral(${marketParams}, uint256, address onBehalf, address receiver)`, 7],
]

export function payoutTables(): readonly Payout[] {
  return [...uniswapV2, ...uniswapV3, ...aggregation, ...vaults, ...aave, ...compound, ...lido, ...morpho]
}

/** Returns functions without a recipient, or whose effect the simulation shows. */
export function plainFunctions(): readonly string[] {
  return [
    'increaseLiquidity((uint256, uint256, uint256, uint256, uint256, uint256) params)',
    'decreaseLiquidity((uint256, uint128, uint256, uint256, uint256) params)',
    'burn(uint256)',
    'createAndInitializePoolIfNecessary(address, address, uint24, uint160)',
    'initializePool((address, address, uint24, int24, address) key, uint160)',
    ...['approveMax', 'approveMaxMinusOne', 'approveZeroThenMax', 'approveZeroThenMaxMinusOne'].map(
      (name) => `${name}(address)`,
    ),
    ...['selfPermit', 'selfPermitIfNecessary', 'selfPermitAllowed', 'selfPermitAllowedIfNecessary'].map(
      (name) => `${name}(address, uint256, uint256, ${signature})`,
    ),
  ]
}
