// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FullMath} from '../FullMath.sol';

contract Arithmetic {
  function atLeast(uint256 a, uint256 b, uint256 c, uint256 d) external pure returns (bool) {
    return FullMath.atLeast(a, b, c, d);
  }
}
