// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICoin, StableSwap} from './StableSwap.sol';

interface IRate {
  function rate() external view returns (uint256);
  function convertToAssets(uint256 shares) external view returns (uint256);
}

/// @notice Pool of Curve's StableSwap-NG: dynamic fee, rates of oracles and vaults, rebasing tokens, and
/// prices stored by each swap, here without their moving averages.
contract CurvePoolNg is StableSwap {
  uint8[] internal types;
  address[] internal oracles;
  uint256 public offpeg_fee_multiplier;
  uint256[8] internal lastPrices;
  uint256 internal lastInvariant;

  event TokenExchange(
    address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
  );
  event AddLiquidity(
    address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply
  );
  event RemoveLiquidity(
    address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 token_supply
  );
  event RemoveLiquidityOne(
    address indexed provider, int128 token_id, uint256 token_amount, uint256 coin_amount, uint256 token_supply
  );
  event RemoveLiquidityImbalance(
    address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply
  );
  event ApplyNewFee(uint256 fee, uint256 offpeg_fee_multiplier);

  /// @param types_ Per token: 0 plain, 1 with a rate of `oracles_`, 2 rebasing, 3 a vault (ERC-4626).
  constructor(
    address owner_,
    address[] memory coins_,
    uint256 amplification,
    uint256 fee_,
    uint256 multiplier,
    uint8[] memory types_,
    address[] memory oracles_
  ) StableSwap(owner_, coins_, amplification, fee_, 100) {
    offpeg_fee_multiplier = multiplier;
    types = types_;
    oracles = oracles_;
  }

  function set_new_fee(uint256 fee_, uint256 multiplier) external onlyOwner {
    (fee, offpeg_fee_multiplier) = (fee_, multiplier);
    emit ApplyNewFee(fee_, multiplier);
  }

  function A_precise() external view returns (uint256) {
    return _A();
  }

  function stored_rates() external view returns (uint256[] memory) {
    return _rates();
  }

  function balances(uint256 i) public view override returns (uint256) {
    if (i >= tokens.length) revert();
    return (_isRebasing() ? ICoin(tokens[i]).balanceOf(address(this)) : held[i]) - owed[i];
  }

  function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256) {
    uint256[] memory rates = _rates();
    Sale memory sale = _solve(_scaled(), rates, uint128(i), uint128(j), dx);
    return ((sale.dy - sale.dyFee) * PRECISION) / rates[uint128(j)];
  }

  function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external returns (uint256) {
    return exchange(i, j, dx, min_dy, msg.sender);
  }

  function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver)
    public
    returns (uint256 bought)
  {
    uint256[] memory rates = _rates();
    uint256[] memory xp = _scaled();
    _pull(uint128(i), dx);
    held[uint128(i)] += dx;
    Sale memory sale = _solve(xp, rates, uint128(i), uint128(j), dx);
    uint256 rate = rates[sale.j];
    bought = ((sale.dy - sale.dyFee) * PRECISION) / rate;
    if (bought < min_dy) revert TooLittle(bought);
    owed[sale.j] += (((sale.dyFee * admin_fee) / FEE_DENOMINATOR) * PRECISION) / rate;
    uint256 invariant = _invariant(xp);
    (xp[sale.i], xp[sale.j]) = (sale.x, sale.y);
    _storePrices(xp, invariant);
    held[sale.j] -= bought;
    _push(sale.j, bought, receiver);
    emit TokenExchange(msg.sender, i, dx, j, bought);
  }

  function _storePrices(uint256[] memory xp, uint256 invariant) private {
    require(invariant < 2 ** 128);
    uint256 count = xp.length;
    uint256 amplified = (_A() * count * xp[0]) / precision;
    uint256 ratio = invariant / count ** count;
    for (uint256 i = 0; i < count; ++i) ratio = (ratio * invariant) / xp[i];
    for (uint256 i = 1; i < count; ++i) {
      uint256 price = (1e18 * (amplified + (ratio * xp[0]) / xp[i])) / (amplified + ratio);
      lastPrices[i - 1] = (price > 2e18 ? 2e18 : price) | (lastPrices[i - 1] << 128);
    }
    lastInvariant = invariant | (block.timestamp << 128);
  }

  function _feeAt(uint256 balanceIn, uint256 balanceOut) internal view override returns (uint256) {
    uint256 multiplier = offpeg_fee_multiplier;
    if (multiplier <= FEE_DENOMINATOR) return fee;
    uint256 share = ((multiplier - FEE_DENOMINATOR) * 4 * balanceIn * balanceOut) / (balanceIn + balanceOut) ** 2;
    return (multiplier * fee) / (share + FEE_DENOMINATOR);
  }

  function _rates() internal view override returns (uint256[] memory rates) {
    rates = multipliers;
    for (uint256 i = 0; i < rates.length; ++i) {
      if (types[i] == 1) rates[i] = (rates[i] * IRate(oracles[i]).rate()) / PRECISION;
      if (types[i] == 3) rates[i] = (rates[i] * IRate(tokens[i]).convertToAssets(1e18)) / PRECISION;
    }
  }

  function _isJoint() internal pure override returns (bool) {
    return true;
  }

  function _isRebasing() private view returns (bool) {
    for (uint256 i = 0; i < types.length; ++i) if (types[i] == 2) return true;
    return false;
  }

  function _logLiquidity(string memory name, uint256[] memory amounts, uint256, uint256 invariant)
    internal
    override
  {
    uint256[] memory fees = new uint256[](amounts.length);
    bytes32 kind = keccak256(bytes(name));
    if (kind == keccak256('AddLiquidity')) emit AddLiquidity(msg.sender, amounts, fees, invariant, totalSupply);
    else if (kind == keccak256('RemoveLiquidity')) emit RemoveLiquidity(msg.sender, amounts, fees, totalSupply);
    else emit RemoveLiquidityImbalance(msg.sender, amounts, fees, invariant, totalSupply);
  }

  function _logOne(uint256 i, uint256 amount) internal override {
    emit RemoveLiquidityOne(msg.sender, int128(uint128(i)), amount, amount, totalSupply);
  }
}
