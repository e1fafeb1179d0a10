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

/// @dev Curve StableSwap. Older pools return nothing.
interface ICurvePool {
  function exchange(int128 i, int128 j, uint256 amount, uint256 minReturn) external payable;
}

/// @dev Curve StableSwap-NG.
interface ICurveReceiverPool {
  function exchange(int128 i, int128 j, uint256 amount, uint256 minReturn, address receiver) external;
}

/// @dev Curve CryptoSwap, PancakeSwap StableSwap.
interface ICurveUnsignedPool {
  function exchange(uint256 i, uint256 j, uint256 amount, uint256 minReturn) external payable;
}

/// @dev EIP-4626.
interface IERC4626 {
  function deposit(uint256 assets, address receiver) external returns (uint256 shares);
  function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}

/// @dev Lido's wstETH.
interface IWrappedShares {
  function wrap(uint256 amount) external returns (uint256);
  function unwrap(uint256 amount) external returns (uint256);
}

/// @dev MakerDAO's LitePSM. The gem is the token with a peg; 10^18 / its unit is `to18ConversionFactor`.
interface IPegModule {
  function to18ConversionFactor() external view returns (uint256);
  function tout() external view returns (uint256);
  function sellGem(address recipient, uint256 gems) external returns (uint256);
  function buyGem(address recipient, uint256 gems) external returns (uint256);
}

/// @dev PoolManager calls `unlockCallback(data)` of its caller, Balancer's vault calls it with `data`.
interface IUnlocked {
  function unlock(bytes calldata data) external returns (bytes memory);
}

/// @dev Uniswap v4. Deltas are from the caller's view: the upper half currency0, the lower currency1.
interface IPoolManager {
  struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
  }
  struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
  }

  function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData) external returns (int256);
  function sync(address currency) external;
  function settle() external payable returns (uint256);
  function take(address currency, address to, uint256 amount) external;
}

/// @dev Balancer v3.
interface IVaultV3 {
  enum SwapKind {
    EXACT_IN,
    EXACT_OUT
  }
  struct VaultSwapParams {
    SwapKind kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGivenRaw;
    uint256 limitRaw;
    bytes userData;
  }

  function swap(
    VaultSwapParams memory params
  ) external returns (uint256 amountCalculated, uint256 amountIn, uint256 amountOut);
  function settle(address token, uint256 amountHint) external returns (uint256);
  function sendTo(address token, address to, uint256 amount) external;
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
