// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Return values of swaps are ignored.

interface IWrapped {
  function deposit() external payable;
  function withdraw(uint256 amount) external;
}

/// @dev Uniswap v2 and forks.
interface IV2Pool {
  function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 timestamp);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @dev Aerodrome v2, Velodrome v2 and other forks of Solidly, volatile and stable.
interface ISolidlyPool {
  function getReserves() external view returns (uint256 reserve0, uint256 reserve1, uint256 timestamp);
  function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @dev Uniswap v3 and forks.
interface IV3Pool {
  function swap(
    address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data
  ) external;
}

/// @dev Balancer v2.
interface IVault {
  enum SwapKind {
    GIVEN_IN,
    GIVEN_OUT
  }
  struct SingleSwap {
    bytes32 poolId;
    SwapKind kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
  }
  struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address payable recipient;
    bool toInternalBalance;
  }

  function swap(
    SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline
  ) external payable;
}
