// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SwapRouter} from '../SwapRouter.sol';

/// @notice Holds the connector tokens of every route, to compare with the direct payments between pools.
contract CustodyRouter is SwapRouter {
  constructor(
    address weth,
    address permit2,
    address vault,
    address poolManager,
    address vaultV3
  ) SwapRouter(weth, permit2, vault, poolManager, vaultV3) {}

  function _isPath(bytes calldata, uint256) internal pure override returns (bool) {
    return false;
  }
}
