// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CurvePool, PancakeStablePool} from './StableSwapClassic.sol';
import {CurvePoolNg} from './StableSwapNg.sol';

interface IDecimals {
  function decimals() external view returns (uint256);
}

/// @notice Lists pools as Curve's factories do, whose events do not name the pool.
abstract contract CurvePoolList {
  address[] public pool_list;
  mapping(uint256 pair => address[]) private markets;

  /// @notice Returns the `i`-th pool of two tokens, or none.
  function find_pool_for_coins(address from, address to, uint256 i) external view returns (address) {
    address[] storage pools = markets[uint160(from) ^ uint160(to)];
    return i < pools.length ? pools[i] : address(0);
  }

  function _add(address pool, address[] memory tokens) internal {
    pool_list.push(pool);
    for (uint256 i = 0; i < tokens.length; ++i) {
      for (uint256 j = i + 1; j < tokens.length; ++j) markets[uint160(tokens[i]) ^ uint160(tokens[j])].push(pool);
    }
  }

  function pool_count() external view returns (uint256) {
    return pool_list.length;
  }
}

/// @notice Curve's registry of its first pools, as far as pools are found by it.
contract CurveRegistry is CurvePoolList {
  uint256 private constant MAX_COINS = 8;

  mapping(address pool => bool) private isLent;

  event PoolAdded(address indexed pool, bytes rate_method_id);

  function add_pool(address pool, bytes calldata rateMethod) external {
    _add(pool, _coinsOf(pool));
    isLent[pool] = rateMethod.length > 0;
    emit PoolAdded(pool, rateMethod);
  }

  /// @notice Returns what a pool's tokens are worth in those that they lend, and one where they lend none.
  function get_rates(address pool) external view returns (uint256[MAX_COINS] memory rates) {
    uint256 count = _coinsOf(pool).length;
    for (uint256 i = 0; i < count; ++i) rates[i] = isLent[pool] ? 1.1e18 : 1e18;
  }

  /// @dev Tests add what is no pool.
  function _coinsOf(address pool) private view returns (address[] memory coins) {
    coins = new address[](MAX_COINS);
    uint256 count = 0;
    for (; count < MAX_COINS; ++count) {
      (bool isRead, bytes memory answer) = pool.staticcall(abi.encodeWithSignature('coins(uint256)', count));
      if (!isRead || answer.length < 32) break;
      coins[count] = abi.decode(answer, (address));
    }
    assembly ("memory-safe") {
      mstore(coins, count)
    }
  }
}

/// @notice Curve's factory of plain pools before NG; pools have up to 4 tokens.
contract CurveFactory is CurvePoolList {
  mapping(address pool => address[4]) private coinsOf;

  event PlainPoolDeployed(address[4] coins, uint256 A, uint256 fee, address deployer);

  function deploy_plain_pool(address[4] memory coins, uint256 amplification, uint256 fee) external {
    uint256 count = 2;
    while (count < 4 && coins[count] != address(0)) ++count;
    address[] memory tokens = new address[](count);
    for (uint256 i = 0; i < count; ++i) tokens[i] = coins[i];
    address pool = address(new CurvePool(msg.sender, tokens, amplification, fee, 100));
    _add(pool, tokens);
    coinsOf[pool] = coins;
    emit PlainPoolDeployed(coins, amplification, fee, msg.sender);
  }

  function get_coins(address pool) external view returns (address[4] memory) {
    return coinsOf[pool];
  }
}

/// @notice Curve's factory of StableSwap-NG.
contract CurveFactoryNg is CurvePoolList {
  mapping(address pool => address[]) private coinsOf;
  mapping(address pool => uint8[]) private typesOf;

  event PlainPoolDeployed(address[] coins, uint256 A, uint256 fee, address deployer);

  function deploy_plain_pool(
    address[] calldata coins,
    uint256 amplification,
    uint256 fee,
    uint256 multiplier,
    uint8[] calldata types,
    address[] calldata oracles
  ) external {
    address pool =
      address(new CurvePoolNg(msg.sender, coins, amplification, fee, multiplier, types, oracles));
    _add(pool, coins);
    coinsOf[pool] = coins;
    typesOf[pool] = types;
    emit PlainPoolDeployed(coins, amplification, fee, msg.sender);
  }

  function get_coins(address pool) external view returns (address[] memory) {
    return coinsOf[pool];
  }

  function get_decimals(address pool) external view returns (uint256[] memory places) {
    address[] memory coins = coinsOf[pool];
    places = new uint256[](coins.length);
    for (uint256 i = 0; i < coins.length; ++i) places[i] = IDecimals(coins[i]).decimals();
  }

  function get_pool_asset_types(address pool) external view returns (uint8[] memory) {
    return typesOf[pool];
  }
}

/// @notice PancakeSwap's factory of StableSwap pools.
contract PancakeStableFactory {
  struct Pair {
    address swapContract;
    address token0;
    address token1;
    address LPContract;
  }

  mapping(address token0 => mapping(address token1 => Pair)) private pairs;
  mapping(address token0 => mapping(address token1 => Pair)) private threes;

  event NewStableSwapPair(
    address indexed swapContract, address tokenA, address tokenB, address tokenC, address LP
  );

  function createSwapPair(address[] calldata coins, uint256 amplification, uint256 fee) external {
    PancakeStablePool pool = new PancakeStablePool(msg.sender, coins, amplification, fee);
    address third = coins.length > 2 ? coins[2] : address(0);
    for (uint256 i = 0; i < coins.length; ++i) {
      for (uint256 j = 0; j < coins.length; ++j) {
        (address one, address other) = (coins[i], coins[j]);
        if (one < other) {
          (third == address(0) ? pairs : threes)[one][other] = Pair(address(pool), one, other, address(0));
        }
      }
    }
    emit NewStableSwapPair(address(pool), coins[0], coins[1], third, address(0));
  }

  function getPairInfo(address one, address other) external view returns (Pair memory) {
    return one < other ? pairs[one][other] : pairs[other][one];
  }

  function getThreePoolPairInfo(address one, address other) external view returns (Pair memory) {
    return one < other ? threes[one][other] : threes[other][one];
  }
}
