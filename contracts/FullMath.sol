// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Compares 512-bit products.
library FullMath {
  /// @dev True if a · b ≥ c · d.
  function atLeast(uint256 a, uint256 b, uint256 c, uint256 d) internal pure returns (bool) {
    (uint256 high, uint256 low) = _multiply(a, b);
    (uint256 otherHigh, uint256 otherLow) = _multiply(c, d);
    return high > otherHigh || (high == otherHigh && low >= otherLow);
  }

  /// @dev `sum` is congruent to high + low modulo 2²⁵⁶ − 1, so `high` is `sum` − `low` − borrow.
  function _multiply(uint256 a, uint256 b) private pure returns (uint256 high, uint256 low) {
    unchecked {
      low = a * b;
      uint256 sum = mulmod(a, b, type(uint256).max);
      high = sum - low - (sum < low ? 1 : 0);
    }
  }
}
