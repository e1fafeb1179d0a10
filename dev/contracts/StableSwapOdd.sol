// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CurvePool} from './StableSwapClassic.sol';

/// @notice Rate of a token, for tests.
contract FixedRate {
  uint256 public rate = 1.1e18;

  function setRate(uint256 next) external {
    rate = next;
  }

  /// @notice As Balancer's pools ask for it.
  function getRate() external view returns (uint256) {
    require(rate != type(uint256).max, 'No rate.');
    return rate;
  }
}

/// @notice Pool whose exchange is another than it looks, for tests: one that takes a fee of 0.01 % more.
contract OddPool {
  CurvePool private immutable model;

  constructor(address[] memory coins_) {
    model = new CurvePool(msg.sender, coins_, 100, 4e6, 100);
  }

  function coins(uint256 i) external view returns (address) {
    return model.coins(i);
  }

  function balances(uint256) external pure returns (uint256) {
    return 1e24;
  }

  function A_precise() external pure returns (uint256) {
    return 10_000;
  }

  function future_A() external pure returns (uint256) {
    return 10_000;
  }

  function fee() external pure returns (uint256) {
    return 4e6;
  }

  function admin_fee() external pure returns (uint256) {
    return 5e9;
  }

  function get_dy(int128, int128, uint256 dx) external pure returns (uint256) {
    return dx - dx / 2_000;
  }
}
