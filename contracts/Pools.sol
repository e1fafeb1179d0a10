// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// What the router calls of those it trades with. What they answer to a swap is not read.

/// @dev The wrapped native coin.
interface IWrapped {
  function deposit() external payable;
  function withdraw(uint256 amount) external;
}

/// @dev Uniswap's v2 pair, and what follows it.
interface IV2Pool {
  function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 timestamp);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @dev Uniswap's v3 pool, and what follows it.
interface IV3Pool {
  function swap(
    address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data
  ) external;
}

/// @dev Balancer's vault, which holds what is in its pools.
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
