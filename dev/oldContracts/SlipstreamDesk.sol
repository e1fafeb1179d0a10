// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;

import {
  ICLPool
} from 'sphere-mezo-solidity-files/domains/aerodrome-slipstream/contracts/core/interfaces/ICLPool.sol';

interface IApprovedToken {
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @notice Stands in for Aerodrome's voter, factory registry, older pool factory, position manager and gauge,
/// as far as pools and their factory ask them. Open to all: for the localnet alone.
contract SlipstreamDesk {
  mapping(address => address) public gauges;
  mapping(address => bool) public isAlive;

  function factoryRegistry() external view returns (address) {
    return address(this);
  }

  function factoriesToPoolFactory(address) external view returns (address, address) {
    return (address(this), address(this));
  }

  function getPool(address, address, int24) external pure returns (address) {
    return address(0);
  }

  /// @notice Makes this contract the pool's gauge and position manager.
  function openGauge(ICLPool pool) external {
    pool.setGaugeAndPositionManager(address(this), address(this));
    gauges[address(pool)] = address(this);
    isAlive[address(this)] = true;
  }

  /// @notice Mints a position of `owner`, for tokens that the caller has approved.
  function mint(ICLPool pool, address owner, int24 lower, int24 upper, uint128 amount) external {
    pool.mint(owner, lower, upper, amount, abi.encode(msg.sender));
  }

  /// @notice Burns from a position of `owner` in a pool with a gauge.
  function burn(ICLPool pool, address owner, int24 lower, int24 upper, uint128 amount) external {
    pool.burn(lower, upper, amount, owner);
  }

  /// @notice Stakes liquidity, or with a negative `delta` takes it back.
  function stake(ICLPool pool, int128 delta, int24 lower, int24 upper) external {
    pool.stake(delta, lower, upper, false);
  }

  /// @notice Lets the pool pay rewards to staked liquidity.
  function reward(ICLPool pool, uint256 rate, uint256 reserve, uint256 end) external {
    pool.syncReward(rate, reserve, end);
  }

  /// @notice Sells an exact amount for tokens that the caller has approved.
  function sell(ICLPool pool, bool zeroForOne, int256 amount) external returns (int256, int256) {
    uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
    return pool.swap(msg.sender, zeroForOne, amount, limit, abi.encode(msg.sender));
  }

  function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
    pay(amount0 > 0 ? uint256(amount0) : 0, amount1 > 0 ? uint256(amount1) : 0, data);
  }

  function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
    pay(amount0, amount1, data);
  }

  function pay(uint256 amount0, uint256 amount1, bytes calldata data) private {
    ICLPool pool = ICLPool(msg.sender);
    address payer = abi.decode(data, (address));
    if (amount0 > 0) IApprovedToken(pool.token0()).transferFrom(payer, msg.sender, amount0);
    if (amount1 > 0) IApprovedToken(pool.token1()).transferFrom(payer, msg.sender, amount1);
  }
}

/// @notice A fee module as Velodrome's newest, whose first swap of a block may pay another fee.
contract InitialFeeModule {
  event InitialFeeSet(address indexed pool, uint24 indexed initialFee);
  event InitialFeeDisabled(address indexed pool);

  uint256 public constant defaultScalingFactor = 0;
  uint32 public constant secondsAgo = 600;
  mapping(address => bool) public isEnabled;

  function getFee(address) external pure returns (uint24) {
    return 250;
  }

  function dynamicFeeConfig(address pool) external view returns (uint24, uint24, uint64, bool, uint24) {
    return (250, 0, 0, isEnabled[pool], 0);
  }

  function setInitialFee(address pool, uint24 fee) external {
    isEnabled[pool] = true;
    emit InitialFeeSet(pool, fee);
  }

  function disableInitialFee(address pool) external {
    isEnabled[pool] = false;
    emit InitialFeeDisabled(pool);
  }
}

/// @notice A fee module of an unknown kind: its fee follows the time.
contract TimeFeeModule {
  function getFee(address) external view returns (uint24) {
    return uint24(100 + block.timestamp % 1000);
  }
}

/// @notice A fee module as the first of Aerodrome and Velodrome, with the event of their deployment.
contract OlderFeeModule {
  event SetCustomFee(address indexed pool, uint24 indexed fee);

  uint256 public constant MAX_FEE = 30_000;
  mapping(address => uint24) public customFee;

  function getFee(address pool) external view returns (uint24) {
    return customFee[pool] == 0 ? 250 : customFee[pool];
  }

  function setCustomFee(address pool, uint24 fee) external {
    customFee[pool] = fee;
    emit SetCustomFee(pool, fee);
  }
}
