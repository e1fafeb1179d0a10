// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StableSwap} from './StableSwap.sol';

/// @notice Exchange of pools with rates that never change.
abstract contract StableSwapClassic is StableSwap {
  event NewFee(uint256 fee, uint256 admin_fee);

  function apply_new_fee(uint256 fee_, uint256 adminFee) external onlyOwner {
    (fee, admin_fee) = (fee_, adminFee);
    emit NewFee(fee_, adminFee);
  }

  function _sell(uint256 i, uint256 j, uint256 dx, uint256 least) internal returns (uint256 bought) {
    uint256 rate = multipliers[j];
    Sale memory sale = _solve(_scaled(), multipliers, i, j, dx);
    bought = ((sale.dy - sale.dyFee) * PRECISION) / rate;
    if (bought < least) revert TooLittle(bought);
    uint256 adminFee = (((sale.dyFee * admin_fee) / FEE_DENOMINATOR) * PRECISION) / rate;
    held[i] += dx;
    held[j] = held[j] - bought - adminFee;
    _pull(i, dx);
    _push(j, bought, msg.sender);
  }

  /// @dev As in pools of 2020, which take the fee from the output in base units.
  function _lateView(uint256 i, uint256 j, uint256 dx) internal view returns (uint256) {
    Sale memory sale = _solve(_scaled(), multipliers, i, j, dx);
    uint256 whole = (sale.dy * PRECISION) / multipliers[j];
    return whole - (fee * whole) / FEE_DENOMINATOR;
  }
}

/// @notice Pool of Curve before StableSwap-NG: with a precision of 1 as 3pool, whose view rounds otherwise,
/// else as those of the templates. Index arguments are int128, and `exchange` returns nothing.
contract CurvePool is StableSwapClassic {
  event TokenExchange(
    address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
  );
  event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount);

  constructor(address owner_, address[] memory coins_, uint256 amplification, uint256 fee_, uint256 precision_)
    StableSwap(owner_, coins_, amplification, fee_, precision_)
  {}

  /// @dev Pools of 2020 have no such function.
  function A_precise() external view returns (uint256) {
    if (precision == 1) revert();
    return _A();
  }

  function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256) {
    (uint256 from, uint256 to) = (uint128(i), uint128(j));
    if (precision == 1) return _lateView(from, to, dx);
    Sale memory sale = _solve(_scaled(), multipliers, from, to, dx);
    return ((sale.dy - sale.dyFee) * PRECISION) / multipliers[to];
  }

  function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external payable {
    uint256 bought = _sell(uint128(i), uint128(j), dx, min_dy);
    emit TokenExchange(msg.sender, i, dx, j, bought);
  }

  function _logOne(uint256, uint256 amount) internal override {
    emit RemoveLiquidityOne(msg.sender, amount, amount);
  }
}

/// @notice Pool of PancakeSwap's StableSwap: as 3pool with indexes of uint256, and a switch to read.
contract PancakeStablePool is StableSwapClassic {
  bool public is_killed;

  event TokenExchange(
    address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought
  );
  event RemoveLiquidityOne(address indexed provider, uint256 index, uint256 token_amount, uint256 coin_amount);
  event DonateAdminFees();
  event Kill();
  event Unkill();

  error Killed();

  constructor(address owner_, address[] memory coins_, uint256 amplification, uint256 fee_)
    StableSwap(owner_, coins_, amplification, fee_, 1)
  {}

  function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256) {
    return _lateView(i, j, dx);
  }

  function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external payable {
    if (is_killed) revert Killed();
    uint256 bought = _sell(i, j, dx, min_dy);
    emit TokenExchange(msg.sender, i, dx, j, bought);
  }

  function kill_me() external onlyOwner {
    is_killed = true;
    emit Kill();
  }

  function unkill_me() external onlyOwner {
    is_killed = false;
    emit Unkill();
  }

  /// @dev The original counts what the pool holds above its balances.
  function donate_admin_fees(uint256 amount, uint256 i) external onlyOwner {
    held[i] += amount;
    emit DonateAdminFees();
  }

  function _logOne(uint256 i, uint256 amount) internal override {
    emit RemoveLiquidityOne(msg.sender, i, amount, amount);
  }
}
