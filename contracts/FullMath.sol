// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Products of two words, which take two words.
library Products {
  /// @dev Whether a · b ≥ c · d.
  function atLeast(uint256 a, uint256 b, uint256 c, uint256 d) internal pure returns (bool) {
    (uint256 high, uint256 low) = _multiply(a, b);
    (uint256 otherHigh, uint256 otherLow) = _multiply(c, d);
    return high > otherHigh || (high == otherHigh && low >= otherLow);
  }

  /// @dev The product modulo 2²⁵⁶ is its low word. Modulo 2²⁵⁶ − 1 it is the sum of both words, as 2²⁵⁶ leaves 1 there; so the
  /// difference of the two is the high word, less one if it borrows.
  function _multiply(uint256 a, uint256 b) private pure returns (uint256 high, uint256 low) {
    unchecked {
      low = a * b;
      uint256 sum = mulmod(a, b, type(uint256).max);
      high = sum - low - (sum < low ? 1 : 0);
    }
  }
}
